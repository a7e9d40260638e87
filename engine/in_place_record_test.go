package engine

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/policy"
)

// TestRecordThatWasCopied: a record of another pod holds back nothing, and no pod goes because of it. A block quotes it.
func TestRecordThatWasCopied(t *testing.T) {
	copied := func(uid string, at time.Time, revision string) string {
		return recordText(uid, revision, at, "web-9", "sha256:x")
	}
	const quoted = "UPDATE_NOT_IN_PLACE web-2"
	for name, row := range map[string]struct {
		text           string
		image          string // of the pod
		writes, blocks string
	}{
		"its own":        {copied("web-2-uid", noon, secondImage), "web:2", "note web-2@1", ""},
		"of another uid": {copied("web-1-uid", noon, secondImage), "web:1", "start web-2@1", quoted},
		"of another uid, the images are not known": {copied("web-1-uid", noon, secondImage), "web:3", "delete-pod web-2@1", ""},
		"no uid":                     {copied("", noon, secondImage), "web:2", "note web-2@1", ""},
		"no uid, older than the pod": {copied("", noon.Add(-100*time.Hour), secondImage), "web:1", "start web-2@1", quoted},
		"no uid, older than the pod that has them":   {copied("", noon.Add(-100*time.Hour), secondImage), "web:2", "delete-pod web-2@1", ""},
		"no uid, and the images of the label":        {copied("", noon, secondImage), "web:1", "start web-2@1", quoted},
		"no uid, of a revision that is gone":         {copied("", noon, "web-gone"), "web:1", "start web-2@1", quoted},
		"of another uid, of a revision that is gone": {copied("web-1-uid", noon, "web-gone"), "web:1", "start web-2@1", quoted},
	} {
		w := imaged(3).marked("web:1", "web-0", "web-1", "web-2")
		p := w.p("web-2")
		p.CreatedAt = noon.Add(-48 * time.Hour)
		p.Containers.Containers[0].Image = row.image
		w.answers(inplace.AnnotationUpdate, strings.ReplaceAll(row.text, "web-2-uid", p.UID), "web-2")
		plan := Decide(&w.settled().Snapshot)
		check(t, name, "writes", writes(plan), row.writes)
		var blocks []string
		for _, b := range plan.Blocks {
			if b.Name == "web-2" {
				blocks = append(blocks, b.Code.String()+" "+b.Name)
			}
		}
		check(t, name, "blocks", strings.Join(blocks, ", "), row.blocks)
	}
}

// TestTemplateWithARecord: who writes a template from what kubectl shows of a pod copies the record. Its pods are at rest.
func TestTemplateWithARecord(t *testing.T) {
	for _, way := range []string{"", "InPlaceIfPossible", "InPlaceOnly"} {
		for _, text := range []string{"?", `{"at":1,"containers":{"web":{"id":"a","image":"b"}},"revision":"web-gone"}`, inplace.NothingUnderWay,
			`{"at":1,"containers":{"web":{"id":"web-1","image":"sha256:x"}},"revision":"` + firstImage + `"}`} {
			w := newWorld(3).parallel().asks(policy.InPlace, way)
			w.template(strings.Replace(template, `"metadata":{`, `"metadata":{"annotations":{"setplan.io/in-place-update":`+strconv.Quote(text)+`},`, 1)).revision(2, string(w.Set.PodTemplate))
			w.atNewest("web-0", "web-1", "web-2").marked("web:1", "web-0", "web-1", "web-2")
			for _, p := range []string{"web-0", "web-1", "web-2"} {
				w.answers(inplace.AnnotationUpdate, text, p)
			}
			plan := Decide(&w.settled().Snapshot)
			check(t, way+" "+text, "writes", writes(plan), "")
		}
	}
}
