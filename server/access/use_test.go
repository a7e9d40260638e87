package access

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func only(t *testing.T, limits string) *Cluster {
	t.Helper()
	p, err := Parse([]byte("clusters: [{name: a, identities: [CN=a], limits: {" + limits + "}}]"))
	if err != nil {
		t.Fatal(err)
	}
	return p.Of([]string{"CN=a"})
}

// TestRate: the average rate stays within the limit, and a refusal says exactly when the next call may come.
func TestRate(t *testing.T) {
	c, now, served := only(t, "callsPerSecond: 10"), time.Unix(1000, 0), 0
	for end := now.Add(10 * time.Second); now.Before(end); {
		done, err := c.Begin(now)
		if exceeded := (*Exceeded)(nil); errors.As(err, &exceeded) {
			if exceeded.Limit != "callsPerSecond" || exceeded.After <= 0 || exceeded.After > 100*time.Millisecond {
				t.Fatalf("%+v", exceeded)
			}
			now = now.Add(exceeded.After)
			continue
		}
		done()
		served++
	}
	if served < 118 || served > 122 { // the allowance for two seconds at once, and ten seconds
		t.Errorf("%d calls in 10 s", served)
	}
}

// TestConcurrent: a call that has ended makes room for the next.
func TestConcurrent(t *testing.T) {
	c, now := only(t, "concurrentCalls: 2"), time.Now()
	first, _ := c.Begin(now)
	if _, err := c.Begin(now); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Begin(now); err == nil || !strings.Contains(err.Error(), "concurrentCalls is 2") {
		t.Errorf("the third call: %v", err)
	}
	first()
	if _, err := c.Begin(now); err != nil {
		t.Errorf("in the place of the first: %v", err)
	}
}

// TestSlowRate: a limit below one call a second lets the first call in.
func TestSlowRate(t *testing.T) {
	c := only(t, "callsPerSecond: 0.01")
	if _, err := c.Begin(time.Now()); err != nil {
		t.Error(err)
	}
}

// TestReload: a cluster keeps what it has used, a new limit holds at once, and a bad file changes nothing.
func TestReload(t *testing.T) {
	path, log := filepath.Join(t.TempDir(), "policy.yaml"), &strings.Builder{}
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("clusters: [{name: a, identities: [CN=a], limits: {concurrentCalls: 1}}]")
	f, err := Open(path, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	end, _ := f.Policy().Of([]string{"CN=a"}).Begin(time.Now())
	f.Look()
	write("clusters: [{name: a, identities: [CN=b], limits: {concurrentCalls: 1}}]")
	f.Look()
	f.Look()
	if f.Policy().Of([]string{"CN=a"}) != nil {
		t.Error("a removed identity is still there")
	}
	b := f.Policy().Of([]string{"CN=b"})
	if _, err := b.Begin(time.Now()); err == nil {
		t.Error("an open call is forgotten")
	}
	end()
	if _, err := b.Begin(time.Now()); err != nil {
		t.Errorf("after its end: %v", err)
	}
	write("clusters: [{name: a, identities: [CN=b], limits: {concurrentCalls: 3}}]")
	f.Look()
	f.Look()
	if _, err := f.Policy().Of([]string{"CN=b"}).Begin(time.Now()); err != nil {
		t.Errorf("under the new limit: %v", err)
	}
	now := f.Policy()
	write("clusters: [{nam")
	f.Look()
	f.Look()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	f.Look()
	f.Look()
	if f.Policy() != now {
		t.Error("a file that cannot be used changes the policy")
	}
	if n := strings.Count(log.String(), "level=WARN"); n != 2 {
		t.Errorf("%d complaints, want one for each reason:\n%s", n, log)
	}
}

// TestHalfWritten: a file that is written in place may end anywhere when it is read. Nothing in it counts before two looks have found the
// same.
func TestHalfWritten(t *testing.T) {
	const whole = "clusters:\n- name: a\n  identities:\n  - CN=a\n  - CN=adapter-of-the-east\n"
	path := filepath.Join(t.TempDir(), "policy.yaml")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("clusters: [{name: a, identities: [CN=a]}]")
	f, err := Open(path, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for end := range len(whole) - 1 {
		write(whole[:end])
		f.Look()
		if p := f.Policy(); p.Of([]string{"CN=a"}) == nil || len(p.byName) != 1 {
			t.Fatalf("after %q the identities are %v", whole[:end], p.byName)
		}
	}
	write(whole)
	f.Look()
	f.Look()
	if f.Policy().Of([]string{"CN=adapter-of-the-east"}) == nil {
		t.Error("the whole file is not in force")
	}
}
