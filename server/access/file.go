package access

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
)

// File is a policy that is read again when its file changes. While the file cannot be used, the last good policy stays in use.
type File struct {
	path    string
	log     *slog.Logger
	current atomic.Pointer[Policy]

	// Touched by Look only.
	seen []byte // the text that was last accepted or refused
	next []byte // the text that the last look found
	said string // the last complaint
}

// Open reads the file. It fails if the file cannot be read or is invalid.
func Open(path string, log *slog.Logger) (*File, error) {
	f := &File{path: path, log: log}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f.seen = text
	f.current.Store(p)
	return f, nil
}

// Policy returns the policy in force.
func (f *File) Policy() *Policy { return f.current.Load() }

// Look reads the file again, and puts a changed policy in force once two looks in a row have found the same text. A single look may find
// half a file, with half a name as an identity, or without a limit.
func (f *File) Look() {
	text, err := os.ReadFile(f.path)
	if err == nil && !bytes.Equal(text, f.next) {
		f.next = text
		return
	}
	if err == nil && bytes.Equal(text, f.seen) {
		return
	}
	var p *Policy
	if err == nil {
		f.seen = text
		p, err = Parse(text)
	}
	if err != nil {
		f.complain(err)
		return
	}
	f.said = ""
	p.inherit(f.current.Load())
	f.current.Store(p)
	f.log.Info("policy file reloaded", "clusters", len(p.clusters), "identities", len(p.byName))
}

// complain logs the same error only once: a missing file is an error every few seconds.
func (f *File) complain(err error) {
	if err.Error() == f.said {
		return
	}
	f.said = err.Error()
	f.log.Warn("the changed policy file is invalid; the last valid one stays in use", "file", f.path, "error", err)
}

// inherit keeps what clusters have used of their limits.
func (p *Policy) inherit(from *Policy) {
	old := map[string]*Cluster{}
	for _, c := range from.clusters {
		old[c.Name] = c
	}
	for _, c := range p.clusters {
		if before := old[c.Name]; before != nil {
			c.use = before.use
			c.use.limit(c.Limits)
		}
	}
}
