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
		lie{"update_status", "a condition of others", "status", condition(func(c *setplanv1.Condition) { c.Type = "Ready" })},
		lie{"update_status", "a condition twice", "status", status(func(to *setplanv1.StatefulSetStatus) { to.Conditions = append(to.Conditions, to.Conditions[0]) })},
		lie{"update_status", "a long message", "status", condition(func(c *setplanv1.Condition) { c.Message = long })},
		lie{"update_status", "a long reason", "status", condition(func(c *setplanv1.Condition) { c.Reason = long })},
		lie{"update_status", "a reason with a space", "status", condition(func(c *setplanv1.Condition) { c.Reason = "a b" })},
		lie{"update_status", "a condition that is neither", "status", condition(func(c *setplanv1.Condition) { c.Status = long })},
		lie{"update_status", "a time that nobody can write", "status", condition(func(c *setplanv1.Condition) { c.LastTransitionTime = &timestamppb.Timestamp{Seconds: 1 << 60} })},
		lie{"update_status", "a revision that nobody has", "status", status(func(to *setplanv1.StatefulSetStatus) { to.CurrentRevision = new("web-newest") })},
		lie{"update_status", "an update revision that nobody has", "status", status(func(to *setplanv1.StatefulSetStatus) {
			to.CurrentRevision, to.UpdateRevision = new("web-newest"), new("web-newest")
		})},
		lie{"update_status", "a neighbour's revision", "status", func(s *scene) {
			estranged(s, 1, strangers["a neighbour's"])
			s.action.GetUpdateStatus().Status.CurrentRevision = new("web-new")
		}},
		lie{"update_status", "a revision with a long name", "status", status(func(to *setplanv1.StatefulSetStatus) { to.UpdateRevision = new("web-" + strings.Repeat("x", 300)) })},
		lie{"update_status", "a long name of others", "status", status(func(to *setplanv1.StatefulSetStatus) { to.UpdateRevision = new(strings.Repeat("x", 100)) })},
		lie{"create_revision", "under the name of a neighbour's", "made", func(s *scene) {
			s.action.Target.Name = "web-x-newer"
			put("metadata/name", "web-x-newer")(s)
		}},

		lie{"patch_annotations of a pod", "a long question", "notes", annotated(noteDrainRequest, "4-"+strings.Repeat("x", 14))},
		lie{"patch_annotations of a pod", "a question about a number without end", "notes", annotated(noteDrainRequest, strings.Repeat("4", 20)+"-x")},
		lie{"patch_annotations: an attempt", "that is no number", "notes", annotated(noteDrainAttempts, "x")},
		lie{"patch_annotations: a drain pod has begun", "some time", "notes", annotated(noteDrainBegun, "soon")},
		lie{"patch_annotations: an attempt", "with a long number", "notes", annotated(noteDrainAttempts, strings.Repeat("0", 11))},
		lie{"create_pod for a drain", "a claim twice", "drain-claims", put("metadata/annotations/setplan.io~drain-claims", "uid-data-web-6,uid-data-web-6")},
		lie{"create_claim with its patch", "a long digest", "claim", put("metadata/annotations/setplan.io~claim-metadata", long)},
		lie{"set_claim_owners to the set", "again and again", "owners-added", owned(reference("web", "set", true), reference("web", "set", true), reference("web", "set", true))},

		lie{"create_revision", "with spaces", "revision-data", rewritten(func(data string) string { return strings.Replace(data, `{"spec"`, `{ "spec"`, 1) })},
		lie{"create_revision", "with a letter written long", "revision-data", rewritten(func(data string) string { return strings.Replace(data, "main:2", `\u006dain:2`, 1) })},
		lie{"create_revision", "once more", "revision-data", func(s *scene) {
			rewritten(func(data string) string {
				changed(func(s *setplanv1.Snapshot) { s.Revisions[3].Data = []byte(data) })(s)
				return data
			})(s)
		}},
		lie{"create_revision", "twice in a plan", "revision-data", func(s *scene) { s.again = 1 }},
	)
}
