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
	seen []byte // what was taken, or refused, last
	next []byte // what the last look found instead
	said string // the last complaint
}

// Open reads the file once, so that a mistake is found at the start.
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

// Policy is the policy that holds now.
func (f *File) Policy() *Policy { return f.current.Load() }

// Look reads the file again, and takes what it says if it has changed and two looks have found the same. One look may find half a file,
// with half a name as an identity, or without a limit.
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

// complain says the same only once: a file that is gone is looked for every few seconds.
func (f *File) complain(err error) {
	if err.Error() == f.said {
		return
	}
	f.said = err.Error()
	f.log.Warn("the changed policy file is invalid; the last valid one stays in use", "file", f.path, "error", err)
}

// inherit keeps what clusters have used already.
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
