// Package tape is the format of recordings: a planner's requests and answers, so that the same request can be sent again years
// later.
//
// A recording is a text file with one JSON object per line. Lines are only added. It holds the request and the plan in the contract's
// binary form, which every later release decodes, in base64.
package tape

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Format is in every entry. A reader refuses unknown formats.
const Format = anyFormat + "v1"

// anyFormat is the beginning of the formats of all releases.
const anyFormat = "setplan.recording/"

// Entry is one line.
type Entry struct {
	// Format is Format.
	Format string `json:"format"`
	// Set is namespace and name, for people.
	Set string `json:"set"`
	// Time is the snapshot's observed_at.
	Time time.Time `json:"time"`
	// Planner is "embedded", or the address of the server.
	Planner string `json:"planner"`
	// Version is the planner's release.
	Version string `json:"version"`
	// Request is a setplan.v1.PlanRequest in protobuf's binary form.
	Request []byte `json:"request"`
	// Plan is the setplan.v1.Plan of the answer, in the same form.
	Plan []byte `json:"plan"`
}

// Encode encodes a message for a recording: the same message gives the same bytes.
func Encode(message proto.Message) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true}.Marshal(message)
}

// NewEntry makes an entry of a request and its answer.
func NewEntry(set, planner, version string, request *setplanv1.PlanRequest, plan *setplanv1.Plan) (*Entry, error) {
	e := &Entry{Format: Format, Set: set, Time: request.GetSnapshot().GetObservedAt().AsTime(), Planner: planner, Version: version}
	var err error
	if e.Request, err = Encode(request); err != nil {
		return nil, err
	}
	e.Plan, err = Encode(plan)
	return e, err
}

// Messages decodes the request and the answer.
func (e *Entry) Messages() (*setplanv1.PlanRequest, *setplanv1.Plan, error) {
	request, plan := &setplanv1.PlanRequest{}, &setplanv1.Plan{}
	if err := proto.Unmarshal(e.Request, request); err != nil {
		return nil, nil, fmt.Errorf("the request cannot be decoded: %w", err)
	}
	if err := proto.Unmarshal(e.Plan, plan); err != nil {
		return nil, nil, fmt.Errorf("the plan cannot be decoded: %w", err)
	}
	return request, plan, nil
}

// Read reads a recording.
func Read(from io.Reader) ([]*Entry, error) {
	var entries []*Entry
	for entry, err := range Entries(from) {
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// Entries reads a recording one entry after another, for one that is larger than memory. An error is the last.
func Entries(from io.Reader) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		lines := bufio.NewReader(from)
		for number := 1; ; number++ {
			entry, err := read(lines, number)
			if errors.Is(err, io.EOF) || !yield(entry, err) || err != nil {
				return
			}
		}
	}
}

// read reads the next line; io.EOF after the last.
func read(lines *bufio.Reader, number int) (*Entry, error) {
	line, err := lines.ReadBytes('\n')
	if err != nil && (len(line) == 0 || !errors.Is(err, io.EOF)) {
		return nil, err
	}
	cut := err != nil // a whole line ends with a line break
	entry := &Entry{}
	err = json.Unmarshal(line, entry)
	switch {
	case err != nil && cut && bytes.HasPrefix(line, []byte("{")):
		return nil, fmt.Errorf("line %d is incomplete; the lines before it are complete", number)
	case err != nil:
		return nil, fmt.Errorf("line %d is not an entry of a recording: %w", number, err)
	case !strings.HasPrefix(entry.Format, anyFormat):
		return nil, fmt.Errorf("line %d is not an entry of a recording", number)
	case entry.Format != Format:
		return nil, fmt.Errorf("line %d has the format %s; this release reads only %s", number, entry.Format, Format)
	}
	if _, _, err := entry.Messages(); err != nil {
		return nil, fmt.Errorf("line %d is damaged: %w", number, err)
	}
	return entry, nil
}
