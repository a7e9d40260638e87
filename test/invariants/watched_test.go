package invariants

import (
	"fmt"
	"testing"

	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/need"
)

// TestHistory: in the watch of an API server each invariant sees a violation of itself, and only that, and lets the same pass
// where it is allowed.
func TestHistory(t *testing.T) {
	var (
		parallelSet = fields{"podManagementPolicy": "Parallel"}
		twoAtOnce   = fields{"updateStrategy": fields{"type": "RollingUpdate", "rollingUpdate": fields{"maxUnavailable": 2}}}
		forty       = fields{"updateStrategy": fields{"type": "RollingUpdate", "rollingUpdate": fields{"maxUnavailable": "67%"}}}
		behind1     = fields{"updateStrategy": fields{"type": "RollingUpdate", "rollingUpdate": fields{"partition": 1}}}
		behind2     = fields{"updateStrategy": fields{"type": "RollingUpdate", "rollingUpdate": fields{"partition": 2}}}
		fromTwo     = fields{"ordinals": fields{"start": 2}}
		onDelete    = fields{"updateStrategy": fields{"type": "OnDelete"}}
		claims      = fields{"volumeClaimTemplates": []fields{{"metadata": fields{"name": "www"}}}}
		deleteAll   = fields{"volumeClaimTemplates": []fields{{"metadata": fields{"name": "www"}}},
			"persistentVolumeClaimRetentionPolicy": fields{"whenDeleted": "Delete", "whenScaled": "Retain"}}
		terminating = fields{"deletionTimestamp": "2026-01-01T12:00:00Z"}
		oldPodOwns  = fields{"ownerReferences": []fields{{"kind": "Pod", "name": "web-0", "uid": "earlier"}}}
		setOwns     = fields{"ownerReferences": []fields{{"kind": "StatefulSet", "name": "web", "uid": "set", "controller": true}}}
		oldSetOwns  = fields{"ownerReferences": []fields{{"kind": "StatefulSet", "name": "web", "uid": "earlier", "controller": true}}}
		setOwnsToo  = fields{"ownerReferences": []fields{{"kind": "StatefulSet", "name": "web", "uid": "set"}}}
	)
	begin := func() *tale { return &tale{} }
	scaledAway := fields{"volumeClaimTemplates": []fields{{"metadata": fields{"name": "www"}}},
		"persistentVolumeClaimRetentionPolicy": fields{"whenDeleted": "Retain", "whenScaled": "Delete"}}
	podOwns := fields{"ownerReferences": []fields{{"kind": "Pod", "name": "web-1", "uid": "pod-1-a", "controller": true}}}
	// drained is a set with a drain policy.
	drained := fields{"volumeClaimTemplates": []fields{{"metadata": fields{"name": "www"}}},
		"annotations": map[string]string{"setplan.io/drain-pod-template": "{}"}}
	onClaim := func(ordinal int) fields {
		return fields{"spec": fields{"volumes": []fields{{"name": "www", "persistentVolumeClaim": fields{"claimName": fmt.Sprintf("www-web-%d", ordinal)}}}}}
	}
	marked := fields{"annotations": fields{"setplan.io/drain-set": "web/set"}}
	markedGoing := fields{"annotations": fields{"setplan.io/drain-set": "web/set"}, "deletionTimestamp": "2026-01-01T12:00:00Z"}
	drainPod := func(claim string) fields {
		return fields{"annotations": fields{"setplan.io/drain-set": "web/set", "setplan.io/drain-claims": claim}}
	}
	stopped := drainPod("claim-www-web-0")
	stopped["deletionTimestamp"] = "2026-01-01T12:00:00Z"
	in := func(phase string) fields { return fields{"status": fields{"phase": phase}} }
	// rolling is a set of three pods, all ready at a, that shall go to b.
	rolling := func(spec fields) *tale {
		return begin().set(3, "a", spec).revision("a", 1, "one").
			pod(0, "a", false).pod(0, "a", true).pod(1, "a", false).pod(1, "a", true).pod(2, "a", false).pod(2, "a", true).
			revision("b", 2, "two")
	}
	// bad is such a set whose pod 1 has failed and come back at b, where it does not get ready. Now all shall go to c.
	bad := func() *tale {
		return rolling(nil).tell(false, "Pod", "web-1", "pod-1-a", owned, fields{"status": fields{"phase": "Failed"}}).gone(1).
			podNamed("web-1", "bad", "b", false, "").revision("c", 3, "three")
	}
	// badBelow is a set at a of which pod 1 has come back at b while b was current, and now the partition asks for a.
	badBelow := func(wasReady bool) *tale {
		return begin().set(2, "b", behind2).revision("a", 1, "one").revision("b", 2, "two").pod(0, "b", true).
			podNamed("web-1", "bad", "b", wasReady, "").set(2, "a", behind2).podNamed("web-1", "bad", "b", false, "")
	}
	tests := []struct {
		name   string
		tale   *tale
		broken string // the invariant, or none
	}{
		{"same name", begin().set(1, "", nil).pod(0, "a", true).podNamed("web-0", "second", "a", true, ""), law.AtMostOne},
		{"another spelling of an ordinal", begin().set(1, "", nil).pod(0, "a", true).podNamed("web-00", "second", "a", true, ""), law.OnlyItsOwn},
		{"after the end", begin().set(1, "", nil).pod(0, "a", true).gone(0).podNamed("web-0", "second", "a", true, ""), ""},

		{"predecessor not ready", begin().set(2, "", nil).pod(0, "a", false).pod(1, "a", false), law.OrderedReady},
		{"predecessor missing", begin().set(2, "", nil).pod(1, "a", false), law.OrderedReady},
		{"predecessor not available", begin().set(2, "", fields{"minReadySeconds": 5}).pod(0, "a", true).pod(1, "a", false), law.OrderedReady},
		{"predecessor available", begin().set(2, "", fields{"minReadySeconds": 5}).pod(0, "a", true).wait(5).pod(1, "a", false), ""},
		{"start ordinal", begin().set(1, "", fields{"ordinals": fields{"start": 3}}).pod(3, "a", false), ""},
		{"parallel start", begin().set(2, "", parallelSet).pod(1, "a", false).pod(0, "a", false), ""},

		{"lower goes first", rolling(nil).set(1, "a", nil).gone(1), law.OrderedReady},
		{"higher goes first", rolling(nil).set(1, "a", nil).gone(2).gone(1), ""},
		{"range moves up", rolling(nil).set(1, "a", fromTwo).gone(1).gone(0), ""},
		{"range moves up, lower goes first", rolling(nil).set(1, "a", fromTwo).gone(0), law.OrderedReady},
		{"ended goes first", rolling(nil).set(1, "a", nil).
			tell(false, "Pod", "web-1", "pod-1-a", owned, fields{"status": fields{"phase": "Failed"}}).gone(1).gone(2), ""},
		{"parallel scale-down", rolling(parallelSet).set(1, "a", parallelSet).gone(1).gone(2), ""},

		{"newest deleted", rolling(nil).gone(2).pod(2, "b", true).gone(2), law.UpdateWithinBudget},
		{"on delete", rolling(onDelete).gone(2), law.UpdateWithinBudget},
		{"below the partition", rolling(behind1).gone(2).pod(2, "b", true).gone(1).pod(1, "b", true).gone(0), law.UpdateWithinBudget},
		{"from below", rolling(nil).gone(1), law.UpdateWithinBudget},
		{"two at once, from below", rolling(twoAtOnce).gone(1).gone(2), ""},
		{"two at once, the third from below", rolling(twoAtOnce).gone(0), law.UpdateWithinBudget},
		{"ended pods come back", begin().set(2, "a", nil).revision("a", 1, "one").pod(0, "a", true).pod(1, "a", true).
			tell(false, "Pod", "web-0", "pod-0-a", owned, fields{"status": fields{"phase": "Failed"}}).gone(0).podNamed("web-0", "second", "a", true, ""), ""},

		{"second without the first", rolling(nil).gone(2).gone(1), law.UpdateWithinBudget},
		{"second before the first is ready", rolling(nil).gone(2).pod(2, "b", false).gone(1), law.UpdateWithinBudget},
		{"third of a budget of two", rolling(twoAtOnce).gone(2).gone(1).gone(0), law.UpdateWithinBudget},
		{"two of three", rolling(forty).gone(2).gone(1), ""},
		{"after the first", rolling(nil).gone(2).pod(2, "b", true).gone(1).pod(1, "b", true).gone(0).pod(0, "b", true), ""},
		{"broken pod is replaced", rolling(nil).podNamed("web-2", "pod-2-a", "a", false, "").gone(2), ""},

		{"repair", bad().wait(9).gone(1).pod(1, "c", true), ""},
		{"broken pod goes before a higher one", rolling(nil).podNamed("web-1", "pod-1-a", "a", false, "").gone(1), ""},
		{"repair below the partition", badBelow(false).wait(9).gone(1), ""},
		{"repair, too early", badBelow(false).wait(6).gone(1), law.UpdateWithinBudget},
		{"repair of one that was ready", badBelow(true).wait(9).gone(1), law.UpdateWithinBudget},
		{"repair of what comes back as it was", bad().revision("b", 4, "two").wait(9).gone(1), law.UpdateWithinBudget},
		{"new below the partition", begin().set(2, "a", behind1).pod(0, "b", true), law.BelowPartition},
		{"old below the partition", begin().set(2, "a", behind1).pod(0, "a", true).pod(1, "b", true), ""},

		{"no claim", begin().set(1, "", claims).podNamed("web-0", "p", "a", true, "www-web-0").set(0, "", claims), law.ClaimsBeforePods},
		{"terminating claim", begin().set(1, "", claims).claim(0, terminating).podNamed("web-0", "p", "a", true, "www-web-0").set(0, "", claims), law.ClaimsBeforePods},
		{"claim of an earlier pod", begin().set(1, "", claims).claim(0, oldPodOwns).podNamed("web-0", "p", "a", true, "www-web-0").set(0, "", claims), law.ClaimsBeforePods},
		{"claim of an earlier set", begin().set(1, "", claims).claim(0, oldSetOwns).podNamed("web-0", "p", "a", true, "www-web-0").set(0, "", claims), law.ClaimsBeforePods},
		{"claim", begin().set(1, "", claims).claim(0, nil).podNamed("web-0", "p", "a", true, "www-web-0").set(0, "", claims), ""},

		{"deleted without a drain", begin().set(0, "", nil).claim(0, marked).claim(0, markedGoing), law.DataIsDrained},
		{"deleted while the drain runs", begin().set(0, "", nil).claim(0, marked).
			tell(false, "Pod", "web-0", "d", drainPod("claim-www-web-0"), in("Running")).claim(0, markedGoing), law.DataIsDrained},
		{"deleted after the drain of another", begin().set(0, "", nil).claim(0, marked).
			tell(false, "Pod", "web-0", "d", drainPod("other"), in("Succeeded")).claim(0, markedGoing), law.DataIsDrained},
		{"deleted after the drain", begin().set(0, "", nil).claim(0, marked).
			tell(false, "Pod", "web-0", "d", drainPod("claim-www-web-0"), in("Succeeded")).claim(0, markedGoing), ""},
		{"deleted after the drain, whose pod is gone", begin().set(0, "", nil).claim(0, marked).
			tell(false, "Pod", "web-0", "d", drainPod("claim-www-web-0"), in("Succeeded")).gone(0).claim(0, markedGoing), ""},
		{"deleted after somebody has used it again", begin().set(0, "", nil).claim(0, marked).
			tell(false, "Pod", "web-0", "d", drainPod("claim-www-web-0"), in("Succeeded")).gone(0).
			podNamed("web-0", "p", "a", true, "www-web-0").gone(0).claim(0, markedGoing), law.DataIsDrained},
		{"deleted after the drain was stopped", begin().set(0, "", nil).claim(0, marked).
			tell(false, "Pod", "web-0", "d", drainPod("claim-www-web-0"), in("Running")).
			tell(false, "Pod", "web-0", "d", stopped, in("Succeeded")).claim(0, markedGoing), law.DataIsDrained},
		{"never covered", begin().set(0, "", nil).claim(0, nil).claim(0, terminating), ""},

		{"drain pod on a claim that nobody has marked", begin().set(0, "", drained).claim(0, nil).
			tell(false, "Pod", "web-0", "d", drainPod("claim-www-web-0"), onClaim(0)), law.OnlyMarkedIsDrained},
		{"drain pod", begin().set(0, "", drained).claim(0, marked).
			tell(false, "Pod", "web-0", "d", drainPod("claim-www-web-0"), onClaim(0)), ""},
		{"drain of a lower ordinal first", begin().set(0, "", drained).claim(0, marked).claim(1, marked).
			tell(false, "Pod", "web-0", "d", drainPod("claim-www-web-0"), onClaim(0)), law.DrainsInOrder},
		{"a replica goes before a higher ordinal is drained: another controller may have scaled", begin().set(1, "", drained).
			claim(0, marked).pod(0, "a", true).claim(1, marked).set(0, "", drained).gone(0), ""},
		{"drain of the highest ordinal", begin().set(0, "", drained).claim(0, marked).claim(1, marked).
			tell(false, "Pod", "web-1", "d", drainPod("claim-www-web-1"), onClaim(1)), ""},

		{"a wanted claim goes along", begin().set(2, "", claims).claim(0, nil).claim(1, nil).pod(0, "a", true).pod(1, "a", true).claim(1, podOwns).
			set(1, "", claims).gone(1), law.WantedClaimsStay},
		{"a claim goes along as the policy says", begin().set(2, "", scaledAway).claim(0, nil).claim(1, nil).pod(0, "a", true).pod(1, "a", true).claim(1, podOwns).
			set(1, "", scaledAway).gone(1), ""},

		{"data changes", begin().set(0, "", nil).revision("a", 1, "one").revision("a", 1, "two"), law.RevisionsOnlyGrow},
		{"number shrinks", begin().set(0, "", nil).revision("a", 2, "one").revision("a", 1, "one"), law.RevisionsOnlyGrow},
		{"number again", begin().set(0, "", nil).revision("a", 1, "one").revision("b", 1, "two"), law.RevisionsOnlyGrow},
		{"number grows", begin().set(0, "", nil).revision("a", 1, "one").revision("b", 2, "two").revision("a", 3, "one"), ""},

		{"retained claim has an owner", begin().set(1, "", claims).claim(0, setOwns).pod(0, "a", true), law.ClaimsAreAsWanted},
		{"retained", begin().set(1, "", claims).claim(0, nil).pod(0, "a", true), ""},
		{"deleted with the set, no owner", begin().set(1, "", deleteAll).claim(0, nil).pod(0, "a", true), law.ClaimsAreAsWanted},
		{"deleted with the set, not its controller", begin().set(1, "", deleteAll).claim(0, setOwnsToo).pod(0, "a", true), law.ClaimsAreAsWanted},
		{"deleted with the set", begin().set(1, "", deleteAll).claim(0, setOwns).pod(0, "a", true), ""},
		{"left over, and goes with the set", begin().set(0, "", claims).claim(1, setOwns), law.ClaimsAreAsWanted},
		{"left over, and goes with the set as the policy says", begin().set(0, "", deleteAll).claim(1, setOwns), ""},
		{"no pod", begin().set(1, "", claims).claim(0, nil), law.ClaimsAreAsWanted},
	}
	planted := map[string]bool{}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			violations := need.Value(History(test.tale.changes))(t)
			if test.broken == "" && len(violations) > 0 {
				t.Errorf("nothing is wrong in this history, found %v", violations)
			}
			if test.broken != "" && len(violations) == 0 {
				t.Errorf("the violation of %q was not seen", test.broken)
			}
			for _, v := range violations {
				if v.Invariant != test.broken {
					t.Errorf("%v, but only %q is broken here", v, test.broken)
				}
			}
		})
		planted[test.broken] = true
	}
	for _, name := range []string{law.AtMostOne, law.OrderedReady, law.UpdateWithinBudget, law.BelowPartition, law.ClaimsBeforePods,
		law.WantedClaimsStay, law.DataIsDrained, law.DrainsInOrder, law.OnlyMarkedIsDrained, law.RevisionsOnlyGrow, law.OnlyItsOwn, law.ClaimsAreAsWanted} {
		if !planted[name] {
			t.Errorf("no violation of %q is planted", name)
		}
	}
}
