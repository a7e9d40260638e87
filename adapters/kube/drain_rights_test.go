package kube

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/util/cache"

	"github.com/setplan/setplan/adapters"
)

// TestDrainRights: claims may be deleted where the flag and the API server allow it. A no is asked again for a set that waits, a yes is believed for a while,
// and without an answer nothing is drained.
func TestDrainRights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		may, asked, fails := false, 0, error(nil)
		var again []time.Duration
		r := &drainRights{
			may:    func(context.Context, string) (bool, error) { asked++; return may && fails == nil, fails },
			drains: func(key adapters.Key) bool { return key == webKey },
			ask:    func(key adapters.Key, after time.Duration) { again = append(again, after) },
			known:  cache.NewExpiring(), log: slog.New(slog.DiscardHandler),
		}
		plain := adapters.Key{Namespace: "default", Name: "plain"}
		want := func(reason string, key adapters.Key, allowed bool, requests int) {
			t.Helper()
			waiting := len(again)
			if got := len(r.without(key)) == 0; got != allowed {
				t.Errorf("%s: allowed %t, want %t", reason, got, allowed)
			}
			if asked != requests {
				t.Errorf("%s: the API server was asked %d times, want %d", reason, asked, requests)
			}
			if looks := key == webKey && !allowed && len(r.named) == 0; looks != (len(again) > waiting) || looks && again[waiting] != rightAgain {
				t.Errorf("%s: further passes after %v", reason, again[waiting:])
			}
			synctest.Wait()
		}
		want("a set without a policy: nobody is asked", plain, true, 0)
		want("the API server says no", webKey, false, 1)
		want("which is not asked in each pass", webKey, false, 1)
		time.Sleep(rightAgain)
		may = true
		want("the role is bound", webKey, true, 2)
		time.Sleep(rightHolds - time.Second)
		may = false
		want("a yes is believed", webKey, true, 2)
		time.Sleep(time.Second)
		want("not for ever", webKey, false, 3)
		time.Sleep(rightAgain)
		may, fails = true, errors.New("away")
		want("no answer", webKey, false, 4)
		time.Sleep(rightAgain)
		fails = nil
		want("is asked for again soon", webKey, true, 5)
		r.named = []string{"elsewhere"}
		want("not where the flag says", webKey, false, 5)
		want("for no set", plain, false, 5)
		r.named = []string{"default"}
		want("where it does", webKey, true, 5)
	})
}
