package kube

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/setplan/setplan/adapters"
)

// TestLanes follows which sets may begin with five workers.
func TestLanes(t *testing.T) {
	var back []string
	lanes := NewLanes(5, func(key adapters.Key) { back = append(back, key.Name) })
	key := func(namespace, name string) adapters.Key { return adapters.Key{Namespace: namespace, Name: name} }
	for _, s := range []struct {
		do     string // begin, slow: a slow set begins; end, slow-end
		key    adapters.Key
		begins bool
		back   []string
		reason string
	}{
		{"slow", key("a", "s1"), true, nil, ""},
		{"slow", key("a", "s2"), true, nil, ""},
		{"slow", key("b", "s3"), false, nil, "two fifths of the workers are for slow sets, of all namespaces"},
		{"slow", key("a", "s4"), false, nil, ""},
		{"begin", key("a", "h1"), true, nil, "the others are for the rest"},
		{"begin", key("a", "h2"), true, nil, ""},
		{"begin", key("a", "h3"), true, nil, ""},
		{"begin", key("a", "h4"), false, nil, "one namespace has no more than the configured number"},
		{"begin", key("b", "h5"), true, nil, "another namespace still finds a worker"},
		{"begin", key("b", "h6"), false, nil, "one"},
		{"begin", key("c", "h7"), true, nil, ""},
		{"slow", key("a", "s4"), false, nil, "a waiting set waits once"},
		{"end", key("a", "h1"), true, []string{"h4"}, "an ordinary worker is free"},
		{"slow-end", key("a", "s1"), true, []string{"s3", "h6"}, "a worker for slow sets is free: the namespaces take turns"},
		{"slow", key("b", "s3"), false, nil, "all workers are taken, and the spare ones are not for slow sets"},
		{"end", key("c", "h7"), true, []string{"s4", "s3"}, "either may find a worker now"},
		{"end", key("b", "h5"), true, nil, ""},
		{"end", key("a", "h2"), true, nil, ""},
		{"end", key("a", "h3"), true, nil, ""},
		{"begin", key("a", "h8"), true, nil, ""},
		{"slow", key("a", "s5"), true, nil, ""},
		{"slow", key("a", "s6"), false, nil, ""},
		{"slow", key("a", "s7"), false, nil, ""},
		{"slow", key("a", "s8"), false, nil, ""},
		{"end", key("a", "h8"), true, nil, ""},
		{"slow-end", key("a", "s2"), true, []string{"s6"}, ""},
		{"slow-end", key("a", "s5"), true, []string{"s7", "s8"}, "no set is left at work, so none is left waiting"},
	} {
		back = nil
		begins := true
		switch s.do {
		case "begin", "slow":
			_, begins = lanes.begin(s.key, s.do == "slow")
		default:
			lanes.end(lane{key: s.key, slow: s.do == "slow-end", began: time.Now()})
		}
		if begins != s.begins || !slices.Equal(back, s.back) {
			t.Errorf("%s %s: %t, back come %v, want %t, %v: %s", s.do, s.key, begins, back, s.begins, s.back, s.reason)
		}
	}
	if left := fmt.Sprint(lanes.all, lanes.slowOf, lanes.running, lanes.working, lanes.parked[0].known, lanes.parked[1].known); left != "0 0 map[] map[] map[] map[]" {
		t.Errorf("left: %s", left)
	}
}

// TestNoWorkerIsForgotten: a set that is woken for a worker that it may not have, or that is already at work, leaves the worker
// to the next waiting set.
func TestNoWorkerIsForgotten(t *testing.T) {
	var back []string
	lanes := NewLanes(5, func(key adapters.Key) { back = append(back, key.Name) })
	key := func(namespace, name string) adapters.Key { return adapters.Key{Namespace: namespace, Name: name} }
	begin := func(key adapters.Key, slow, want bool) lane {
		t.Helper()
		in, may := lanes.begin(key, slow)
		if may != want {
			t.Fatalf("%s: %t, want %t", key, may, want)
		}
		return in
	}
	come := func(want ...string) {
		t.Helper()
		if !slices.Equal(back, want) {
			t.Errorf("back come %v, want %v", back, want)
		}
		back = nil
	}
	first := begin(key("a", "h1"), false, true)
	second := begin(key("a", "h2"), false, true)
	third := begin(key("a", "h3"), false, true)
	begin(key("a", "h4"), false, true)
	begin(key("b", "s1"), true, true)
	begin(key("b", "s2"), true, false)
	begin(key("b", "s3"), true, false)
	begin(key("a", "h5"), false, false)
	begin(key("a", "h6"), false, false)
	begin(key("a", "h7"), false, false)
	lanes.end(first)
	come("s2")
	begin(key("b", "s2"), true, true)
	lanes.end(second)
	come("h5")
	begin(key("a", "h5"), false, true)
	lanes.end(third)
	come("s3")
	begin(key("b", "s3"), true, false) // two slow sets are at work
	come("h6")
	begin(key("a", "h7"), false, true) // there is news of it
	begin(key("a", "h8"), false, false)
	begin(key("a", "h6"), false, false)
	lanes.end(lane{key: key("a", "h5"), began: time.Now()})
	come("h8") // not h7, which is at work
}
