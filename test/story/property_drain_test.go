package story_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/setplan/setplan/test/story"
)

// TestRandomDrains is TestRandomStories for sets with a drain policy, which users edit, too, and whose drain pods also come to harm.
// Some sets are deleted on the way, and must be gone in the end.
func TestRandomDrains(t *testing.T) {
	for _, behavior := range []string{"SETPLAN", "KUBERNETES_1_36"} {
		for _, policy := range []string{"OrderedReady", "Parallel"} {
			t.Run(behavior+"/"+policy, func(t *testing.T) {
				t.Parallel()
				rapid.Check(t, func(t *rapid.T) { randomDrain(t, behavior, policy) })
			})
		}
	}
}

func randomDrain(t *rapid.T, behavior, policy string) {
	s := &teller{T: t, runner: story.NewRunner()}
	s.tell("behavior " + behavior)
	s.tell(fmt.Sprintf("set name=web replicas=%d policy=%s %s", rapid.IntRange(1, 4).Draw(t, "replicas"), policy,
		s.pick("claims", "claims=www retention=Retain/Retain", "claims=www retention=Delete/Delete", "claims=www,logs retention=Retain/Delete")))
	if rapid.Bool().Draw(t, "from the start") {
		s.tell(s.drainPolicy())
	}
	deleted := false
	for range rapid.IntRange(8, 30).Draw(t, "length") {
		line := s.line()
		if rapid.IntRange(0, 3).Draw(t, "about the drain") == 0 {
			line = s.drainLine()
		}
		deleted = deleted || strings.HasPrefix(line, "delete web")
		s.tell(line)
	}
	s.endDrain(behavior, deleted)
}

func (s *teller) drainPolicy() string {
	return "drain web image=" + s.pick("image", "completes", "completes", "completes", "fails", "v1", "bad") +
		s.pick("scale-up", "", "", " scaleUp=Cancel", " scaleUp=odd") + s.pick("most", "", " maxParallel=1", " maxParallel=2") +
		s.pick("leftovers", "", "", " leftovers=true") + s.pick("on-delete", "", " onDelete=true") + s.pick("ask", "", "", "", " ask=true")
}

func (s *teller) drainLine() string {
	pod := "pod web-" + s.pick("ordinal", "0", "1", "2", "3")
	switch s.pick("drain command", "policy", "off", "scale", "scale", "scale", "pod", "pod", "answer", "claim", "fault", "delete") {
	case "policy":
		return s.drainPolicy()
	case "off":
		return "drain web off"
	case "scale":
		return "edit web replicas=" + s.pick("replicas", "0", "1", "2", "4")
	case "pod":
		return pod + " " + s.pick("drain harm", "succeed", "fail", "evict", "delete", "remove", "relabel labels=app=web")
	case "answer":
		return pod + " answer"
	case "claim":
		return "claim " + s.pick("template", "www", "logs") + "-web-" + s.pick("claim", "0", "1", "2", "3") + " " +
			s.pick("claim harm", "delete", "remove", "create", "annotate setplan.io/drain-set=", "annotate setplan.io/drain-set=b-web/uid-0")
	case "fault":
		return "fault " + s.pick("operation", "patch_annotations", "delete_claim", "set_finalizer", "create_pod", "delete_pod") + " " +
			s.pick("fault", "500", "409", "lost") + " x" + s.pick("times", "1", "2")
	default:
		return s.pick("delete", "thaw", "thaw", "delete web background", "delete web foreground", "delete web orphan")
	}
}

// endDrain ends all harm and gives the set a working policy. Then it must come to rest, or be gone.
func (s *teller) endDrain(behavior string, deleted bool) {
	for _, line := range []string{"fault none", "fault none as=b", "thaw", "thaw as=b", "clock +400s", "drain web image=completes onDelete=true"} {
		s.tell(line)
	}
	for ordinal := range 7 {
		s.tell(fmt.Sprintf("pod web-%d relabel labels=app=web", ordinal))
	}
	out := s.tell("settle as=b")
	for ordinal := range 5 { // drain pods of an earlier template, which never end by themselves
		s.tell(fmt.Sprintf("pod web-%d remove", ordinal))
	}
	out += s.tell("settle")
	last := out[strings.LastIndex(strings.TrimSpace(out), "\n")+1:]
	// A person must decide: a claim of the ordinal is gone, or somebody else's. See also TestRandomStories.
	atRest := strings.Contains(last, "DRAIN_CLAIM_MISSING") || strings.Contains(last, "CLAIM_STALE") ||
		strings.Contains(last, "IDENTITY_MISMATCH") || strings.Contains(last, "SCALE_DOWN_WAITS_FOR_POD")
	if deleted {
		atRest = atRest || strings.Contains(last, "at rest")
	} else {
		atRest = atRest || strings.Contains(last, "as it should be")
	}
	if !atRest && behavior == "SETPLAN" {
		s.Fatalf("%s\n\nnot as it should be:\n%s", strings.Join(s.lines, "\n"), out)
	}
}
