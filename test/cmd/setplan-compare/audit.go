package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// requests counts what a user sent, by verb and resource, such as "patch statefulsets/status".
type requests map[string]int

// auditLine is what is read of a line of the audit log.
type auditLine struct {
	Verb string
	User struct{ Username string }
	// Stage: a watch has two lines, one at its beginning and one at its end.
	Stage     string
	ObjectRef struct{ Resource, Subresource string }
}

// audit reads the API server's log of requests from where its end was.
type audit struct {
	user     string
	requests requests

	file   *os.File
	reader *bufio.Reader
	part   []byte // a line that is being written
}

// followAudit counts the requests of a user from now on.
func followAudit(path, user string) (*audit, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekEnd); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &audit{user: user, requests: requests{}, file: file, reader: bufio.NewReader(file)}, nil
}

func (a *audit) close() { _ = a.file.Close() } // it was only read

// read takes in what has been written since the last time and reports whether any of it was of the user.
func (a *audit) read() (news bool, err error) {
	for {
		text, err := a.reader.ReadBytes('\n')
		a.part = append(a.part, text...)
		if errors.Is(err, io.EOF) {
			return news, nil
		}
		if err != nil {
			return news, err
		}
		counted, err := a.count(a.part)
		if err != nil {
			return news, err
		}
		a.part, news = a.part[:0], news || counted
	}
}

func (a *audit) count(text []byte) (bool, error) {
	var line auditLine
	if err := json.Unmarshal(text, &line); err != nil {
		return false, fmt.Errorf("audit log: %w", err)
	}
	if line.User.Username != a.user || line.Stage != "ResponseComplete" {
		return false, nil
	}
	what := line.Verb + " " + line.ObjectRef.Resource
	if line.ObjectRef.Subresource != "" {
		what += "/" + line.ObjectRef.Subresource
	}
	a.requests[what]++
	return true, nil
}
