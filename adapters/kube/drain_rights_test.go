package kube

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/adapters"
)

// TestDrainRights: claims may be deleted where the flag and the API server allow it. A no is asked again, and a yes wakes the
// sets that waited. Without an answer the last one counts.
func TestDrainRights(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	may, asked, fails := false, 0, error(nil)
	var woken []string
	var log bytes.Buffer
	r := &drainRights{
		may:     func(context.Context, string) (bool, error) { asked++; return may, fails },
		sets:    func(string) []adapters.Key { return []adapters.Key{webKey} },
		policy:  func(key adapters.Key) bool { return key == webKey },
		changed: func(key adapters.Key) { woken = append(woken, key.Name) },
		clock:   func() time.Time { return now }, log: slog.New(slog.NewTextHandler(&log, nil)), answers: map[string]*rightAnswer{},
	}
	allowed := func(key adapters.Key) bool { return len(r.without(key)) == 0 }
	want := func(reason string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %v, want %v", reason, got, want)
		}
	}
	plain := adapters.Key{Namespace: "default", Name: "plain"}
	want("a set without a policy", allowed(plain), true)
	want("nobody is asked for it", asked, 0)
	want("the API server says no", allowed(webKey), false)
	want("it is told once, with what helps", strings.Count(log.String(), "kubectl apply -n default -f deploy/manifests/drain-namespace.yaml"), 1)
	want("and is not asked for each pass", allowed(webKey) || asked != 1, false)
	r.look()
	want("still no", allowed(webKey) || len(woken) > 0 || asked != 2, false)
	may = true
	r.look()
	want("the role is bound", allowed(webKey), true)
	want("who has waited is woken", strings.Join(woken, " "), "web")
	now = now.Add(rightHolds - time.Second)
	want("a yes is believed", allowed(webKey) && asked == 3, true)
	now, may = now.Add(time.Second), false
	want("not for ever", allowed(webKey), false)

	r.answers, fails = map[string]*rightAnswer{}, errors.New("away")
	want("no answer", allowed(webKey), true)
	now, fails = now.Add(rightAgain), nil
	want("is asked for again soon", allowed(webKey), false)
	fails = errors.New("away")
	r.look()
	want("and leaves what is known", allowed(webKey), false)

	r.named, r.answers, fails, may = []string{"elsewhere"}, map[string]*rightAnswer{}, nil, true
	want("not where the flag says", allowed(webKey) || allowed(plain), false)
	r.named = []string{"default"}
	want("where it does", allowed(webKey), true)
	r.sets = func(string) []adapters.Key { return nil }
	may = false
	r.answers = map[string]*rightAnswer{}
	allowed(webKey)
	r.look()
	want("a namespace without drains is forgotten", len(r.answers), 0)
	may = true
	allowed(webKey)
	r.look()
	want("also one where they were allowed", len(r.answers), 0)
}
