package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"iter"
	"os"
	"time"
)

// logLine is what the demo reads of a log line of the server and the adapter.
type logLine struct {
	Message   string `json:"msg"`
	Addr      string `json:"addr"`
	Set       string `json:"set"`
	Operation string `json:"operation"`
	Target    string `json:"target"`
	Cause     string `json:"cause"`
	Level     string `json:"level"`
	Error     string `json:"error"`
}

// follow reads a log as it grows, until the context ends or, with a positive patience, until nothing comes for so long.
func follow(ctx context.Context, path string, patience time.Duration) iter.Seq[logLine] {
	return func(yield func(logLine) bool) {
		file, err := os.Open(path)
		if err != nil {
			return
		}
		defer file.Close()
		reader := bufio.NewReader(file)
		var partial []byte
		last := time.Now()
		for {
			text, err := reader.ReadBytes('\n')
			partial = append(partial, text...)
			if err == io.EOF {
				if ctx.Err() != nil || patience > 0 && time.Since(last) > patience {
					return
				}
				time.Sleep(10 * time.Millisecond)
				continue
			}
			if err != nil {
				return
			}
			var line logLine
			if json.Unmarshal(partial, &line) == nil && !yield(line) {
				return
			}
			partial, last = nil, time.Now()
		}
	}
}
