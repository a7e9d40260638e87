package server

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	setplan "github.com/setplan/setplan/clients/go"
)

// side is the files of a server or of a client: whom it trusts, and who it is.
type side struct{ ca, cert, key string }

func newSide(t *testing.T) side {
	dir := t.TempDir()
	return side{filepath.Join(dir, "ca.crt"), filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key")}
}

func (s side) trust(t *testing.T, authorities ...*authority) {
	t.Helper()
	var all []byte
	for _, a := range authorities {
		data, err := os.ReadFile(a.file(t))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data...)
	}
	replace(t, s.ca, all)
}

// replace writes a file as a rotation does: readers see the old content or the new one.
func replace(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path+".new", content, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// TestRotationUnderLoad: certificate, key and authority of both sides are replaced, one after the other, while calls go on. No call fails.
func TestRotationUnderLoad(t *testing.T) {
	before, after := newAuthority(t), newAuthority(t)
	ours, theirs := newSide(t), newSide(t)
	for _, s := range []side{ours, theirs} {
		s.trust(t, before)
	}
	before.issueTo(t, "server", ours.cert, ours.key)
	before.issueTo(t, "adapter-before", theirs.cert, theirs.key)
	r := start(t, Config{TLS: TLSFiles{CertFile: ours.cert, KeyFile: ours.key, ClientCAFile: ours.ca}}, lookOften)
	client, err := setplan.Dial(r.Addr().String(), setplan.WithTLSFiles(theirs.ca, theirs.cert, theirs.key))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()

	var calls atomic.Int64
	var callers sync.WaitGroup
	stop, end := context.WithCancel(t.Context())
	t.Cleanup(callers.Wait) // after the context of the test has ended, however it ends
	for range 4 {
		callers.Go(func() {
			for stop.Err() == nil {
				if _, err := client.Plan(testContext(t), request()); err != nil {
					t.Errorf("call %d: %v", calls.Load(), err)
				}
				calls.Add(1)
			}
		})
	}
	goOn := func() {
		t.Helper()
		looked, from := time.Now().Add(20*r.files.every), calls.Load()
		waitFor(t, func() bool { return time.Now().After(looked) && calls.Load() > from+20 })
	}
	goOn()
	for _, step := range []func(){
		func() { theirs.trust(t, before, after) },
		func() { ours.trust(t, before, after) },
		func() { after.issueTo(t, "server", ours.cert, ours.key) },            // not at once: for a moment key and certificate do not fit
		func() { after.issueTo(t, "adapter-after", theirs.cert, theirs.key) }, // the same
		func() { ours.trust(t, after) },                                       // ends the connections that the old authority let in
		func() { theirs.trust(t, after) },
	} {
		step()
		goOn()
	}
	waitFor(t, func() bool {
		return strings.Contains(r.log.String(), `caller="CN=adapter-after"`) || strings.Contains(r.log.String(), "caller=CN=adapter-after")
	})
	end()
	callers.Wait()
	t.Logf("%d calls", calls.Load())
	if !strings.Contains(r.log.String(), `msg="connection ended"`) {
		t.Error("no connection ended: nothing was rotated")
	}
}
