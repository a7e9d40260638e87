package verify

import (
	"encoding/json"
	"strings"

	"google.golang.org/protobuf/types/known/timestamppb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func status(change func(*setplanv1.StatefulSetStatus)) func(*scene) {
	return func(s *scene) { change(s.action.GetUpdateStatus().Status) }
}

func condition(change func(*setplanv1.Condition)) func(*scene) {
	return status(func(to *setplanv1.StatefulSetStatus) { change(to.Conditions[0]) })
}

// rewritten changes the text of the data of a new revision.
func rewritten(change func(string) string) func(*scene) {
	return func(s *scene) {
		text := manifestOf(s.action)
		var m struct {
			Data json.RawMessage `json:"data"`
		}
		_ = json.Unmarshal(*text, &m)
		*text = []byte(strings.Replace(string(*text), string(m.Data), change(string(m.Data)), 1))
	}
}

// Lies about how much is written.
func init() {
	long := strings.Repeat("x", 1025)
	lies = append(lies,
		lie{"update_status", "a condition of others", "conditions", condition(func(c *setplanv1.Condition) { c.Type = "Ready" })},
		lie{"update_status", "a condition twice", "conditions", status(func(to *setplanv1.StatefulSetStatus) { to.Conditions = append(to.Conditions, to.Conditions[0]) })},
		lie{"update_status", "a long message", "conditions", condition(func(c *setplanv1.Condition) { c.Message = long })},
		lie{"update_status", "a long reason", "conditions", condition(func(c *setplanv1.Condition) { c.Reason = long })},
		lie{"update_status", "a reason with a space", "conditions", condition(func(c *setplanv1.Condition) { c.Reason = "a b" })},
		lie{"update_status", "a condition that is neither", "conditions", condition(func(c *setplanv1.Condition) { c.Status = long })},
		lie{"update_status", "a time that nobody can write", "conditions", condition(func(c *setplanv1.Condition) { c.LastTransitionTime = &timestamppb.Timestamp{Seconds: 1 << 60} })},
		lie{"update_status", "pods without end", "counters", status(func(to *setplanv1.StatefulSetStatus) { to.ReadyReplicas = new(int32(1_000_000)) })},
		lie{"update_status", "fewer pods than none", "counters", status(func(to *setplanv1.StatefulSetStatus) { to.CurrentReplicas = new(int32(-9)) })},
		lie{"update_status", "the last collision", "counters", status(func(to *setplanv1.StatefulSetStatus) { to.CollisionCount = new(int32(1<<31 - 1)) })},
		lie{"update_status", "a collision back", "counters", func(s *scene) {
			changed(func(s *setplanv1.Snapshot) { s.Set.Status.CollisionCount = new(int32(2)) })(s)
		}},
		lie{"update_status", "a revision that nobody has", "status-revisions", status(func(to *setplanv1.StatefulSetStatus) { to.CurrentRevision = new("web-newest") })},
		lie{"update_status", "no current revision any more", "status-revisions", status(func(to *setplanv1.StatefulSetStatus) { to.CurrentRevision = new("") })},
		lie{"update_status", "an update revision that nobody has", "status-revisions", status(func(to *setplanv1.StatefulSetStatus) {
			to.CurrentRevision, to.UpdateRevision = new("web-newest"), new("web-newest")
		})},
		lie{"update_status", "a neighbour's revision", "status-revisions", func(s *scene) {
			estranged(s, 1, strangers["a neighbour's"])
			s.action.GetUpdateStatus().Status.CurrentRevision = new("web-new")
		}},
		lie{"update_status", "a revision with a long name", "status-revisions", status(func(to *setplanv1.StatefulSetStatus) { to.UpdateRevision = new("web-" + strings.Repeat("x", 300)) })},
		lie{"update_status", "a long name of others", "status-revisions", status(func(to *setplanv1.StatefulSetStatus) { to.UpdateRevision = new(strings.Repeat("x", 100)) })},
		lie{"create_revision", "under the name of a neighbour's", "revision-name", func(s *scene) {
			s.action.Target.Name = "web-x-newer"
			put("metadata/name", "web-x-newer")(s)
		}},
		lie{"delete_pod", "for the third time", "times", func(s *scene) { s.again = 2 }},

		lie{"patch_annotations of a pod", "a long question", "pod-notes", annotated(noteDrainRequest, "4-"+strings.Repeat("x", 14))},
		lie{"patch_annotations of a pod", "a question about a number without end", "pod-notes", annotated(noteDrainRequest, strings.Repeat("4", 20)+"-x")},
		lie{"patch_annotations: an attempt", "that is no number", "claim-notes", annotated(noteDrainAttempts, "x")},
		lie{"patch_annotations: an attempt", "with a long number", "claim-notes", annotated(noteDrainAttempts, strings.Repeat("0", 11))},
		lie{"patch_annotations: a drain pod has begun", "at another time", "claim-notes", annotated(noteDrainBegun, "2026-03-01T12:00:01Z")},
		lie{"patch_annotations: a drain pod has begun", "another set's", "claim-notes", changed(func(s *setplanv1.Snapshot) { s.Pods[3].AnnotationSetIndex = elsewhere })},
		lie{"create_pod for a drain", "a claim twice", "drain-claims", put("metadata/annotations/setplan.io~drain-claims", "uid-data-web-6,uid-data-web-6")},
		lie{"create_claim with its patch", "a long digest", "claim", put("metadata/annotations/setplan.io~claim-metadata", long)},
		lie{"set_claim_owners to the set", "again and again", "owners-added", owned(reference("web", "set", true), reference("web", "set", true), reference("web", "set", true))},
		lie{"update_pod with images", "with spaces", "pod-record", saying(`{"at"`, `{`+strings.Repeat(" ", 2000)+`"at"`)},
		lie{"update_pod with images", "with a letter written long", "pod-record", saying("c://main", `\u0063://main`)},
		lie{"update_pod that notes", "in another order", "pod-record", saying(`,"seen":true`, `,"seen":true `)},

		lie{"create_revision", "with spaces", "revision-once", rewritten(func(data string) string { return strings.Replace(data, `{"spec"`, `{ "spec"`, 1) })},
		lie{"create_revision", "with a letter written long", "revision-once", rewritten(func(data string) string { return strings.Replace(data, "main:2", `\u006dain:2`, 1) })},
		lie{"create_revision", "once more", "revision-once", func(s *scene) {
			rewritten(func(data string) string {
				changed(func(s *setplanv1.Snapshot) { s.Revisions[3].Data = []byte(data) })(s)
				return data
			})(s)
		}},
		lie{"create_revision", "twice in a plan", "revision-once", func(s *scene) { s.again = 1 }},
		lie{"renumber_revision", "twice in a plan", "revision-once", func(s *scene) { s.again = 1 }},
	)
}
