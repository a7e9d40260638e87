package testbed

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// AuditLine has the fields that we read of a line of the audit log: an answered request.
type AuditLine struct {
	Verb      string
	User      struct{ Username string }
	Stage     string
	ObjectRef struct{ Namespace, Name, Resource, Subresource string }

	RequestReceivedTimestamp time.Time
	StageTimestamp           time.Time
}

// Audit reads the API server's log of requests from its current end on.
type Audit struct {
	path   string
	file   *os.File
	reader *bufio.Reader
	part   []byte // a half-written line
}

// FollowAudit reads a log from now on.
func FollowAudit(path string) (*Audit, error) {
	a := &Audit{path: path}
	if err := a.open(); err != nil {
		return nil, err
	}
	if _, err := a.file.Seek(0, io.SeekEnd); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

func (a *Audit) open() (err error) {
	if a.file, err = os.Open(a.path); err == nil {
		a.reader = bufio.NewReader(a.file)
	}
	return err
}

// Close ends the reading.
func (a *Audit) Close() { _ = a.file.Close() } // it is only read

// Read passes on the requests answered since the last call.
func (a *Audit) Read(each func(*AuditLine)) error {
	for {
		text, err := a.reader.ReadBytes('\n')
		a.part = append(a.part, text...)
		switch {
		case errors.Is(err, io.EOF):
			if next, err := a.rotated(); !next {
				return err
			}
			continue
		case err != nil:
			return err
		}
		line := &AuditLine{}
		if err := json.Unmarshal(a.part, line); err != nil {
			return fmt.Errorf("audit log: %w", err)
		}
		a.part = a.part[:0]
		if line.answered() {
			each(line)
		}
	}
}

// answered is true once for each request: a watch has two lines, one at its start, which counts, and one at its end.
func (l *AuditLine) answered() bool {
	if l.Verb == "watch" {
		return l.Stage == "ResponseStarted"
	}
	return l.Stage == "ResponseComplete"
}

// rotated switches to the next file once the API server has begun one, as it does after 100 MB, and the rest of the earlier
// file has been read.
func (a *Audit) rotated() (next bool, err error) {
	now, err := os.Stat(a.path)
	if errors.Is(err, os.ErrNotExist) { // it is about to be created
		return false, nil
	}
	was, errWas := a.file.Stat()
	if err := errors.Join(err, errWas); err != nil || os.SameFile(was, now) {
		return false, err
	}
	if more, err := a.reader.Peek(1); len(more) > 0 || !errors.Is(err, io.EOF) {
		return true, nil // written between the last read and the rotation
	}
	a.Close()
	return true, a.open()
}
