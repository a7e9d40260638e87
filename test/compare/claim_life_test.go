package compare

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestClaimsThatFollow: what an adapter of ours makes claims ask for is wanted by ours, too, however seldom somebody looks.
func TestClaimsThatFollow(t *testing.T) {
	for _, every := range []int{1, 2, 3, 7} {
		l := newLife(t, every)
		l.byOurs()
		l.claimsFollow()
		l.run(42)
		if report := l.set.Report(); report.Differs || report.Undecided > 0 || report.Both["patch_claim"] != 9 {
			t.Errorf("looking every %d seconds:\n%s", every, l.says())
		}
	}
}

// TestClaimsThatDoNotFollow: what nobody makes a claim ask for is told, also if a user does some of it later; and so is what ours would not ask for.
func TestClaimsThatDoNotFollow(t *testing.T) {
	l := newLife(t, 1)
	l.claimsFollow()
	l.run(20)
	l.grows("www-web-2", "2Gi")
	l.run(3)
	l.grows("www-web-2", "3Gi")
	l.run(20)
	want := `default/web: DIFFERS
  both: create claim 3, create pod 3, create revision 1, patch claim 1
  done, but not planned
    2026-01-01T00:00:44Z patch claim www-web-2 (storage 3Gi) by an unknown client. The planner waits: CLAIM_CHANGE_WAITS www-web-1: The claim differs from its template and waits: claim www-web-2 is changed first. The same applies to 1 more claim.
  planned, but not done in time
    2026-01-01T00:00:21Z patch claim www-web-0 (labels and annotations). The claim lacks labels or annotations of its template.
    2026-01-01T00:00:21Z patch claim www-web-1 (labels and annotations). The claim lacks labels or annotations of its template.
    2026-01-01T00:00:21Z patch claim www-web-2 (class fast). The claim requests 1Gi, and its template requests 2048Mi.
    2026-01-01T00:00:21Z patch claim www-web-2 (storage 2Gi) (done after 20s). The claim requests 1Gi, and its template requests 2048Mi.
  statuses that the planner would have written differently: 1
`
	if diff := cmp.Diff(want, l.says()); diff != "" {
		t.Error(diff)
	}
}
