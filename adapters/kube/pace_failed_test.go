package kube

import (
	"testing"
	"time"

	"github.com/setplan/setplan/adapters"
)

// TestFailedPassWaits: a pass that has failed and has written its status is no reason for the next; what others do is.
func TestFailedPassWaits(t *testing.T) {
	for _, kind := range []string{kindPod, "StatefulSet"} {
		ours := true
		pace := NewPace()
		pace.queue = func(adapters.Key) {}
		pace.echo = func(adapters.Key, ...adapters.Write) bool { return ours }
		if !pace.begin(webKey) {
			t.Fatal("the first pass may not begin")
		}
		pace.failed(webKey)
		pace.ask(webKey, time.Hour)
		pace.end(webKey)
		pace.changed(webKey, Change{Write: adapters.Write{Kind: kind, Name: "x"}})
		if pace.begin(webKey) {
			t.Errorf("a %s that came back begins a pass before its time", kind)
		}
		if until := time.Until(pace.sets[webKey].rings); until < 59*time.Minute {
			t.Errorf("a %s that came back begins one in %s", kind, until)
		}
		ours = false
		pace.changed(webKey, Change{Write: adapters.Write{Kind: kind, Name: "x"}})
		if !pace.begin(webKey) {
			t.Errorf("news about a %s has to wait", kind)
		}
	}
}
