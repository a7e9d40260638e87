package engine

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// TestRecord: what is written is read back, in one form, with the keys in order.
func TestRecord(t *testing.T) {
	r := inplace.Record{Revision: "web-5dc", At: time.Unix(1772366400, 0), Seen: true, Of: map[string]inplace.Entry{
		"web":  {Ran: inplace.Ran{ID: "containerd://2", Image: "sha256:b"}, Good: &inplace.Ran{ID: "containerd://1", Image: "sha256:a"}, Open: true},
		"late": {}, // nothing was said of it
	}}
	text := r.Text()
	check(t, "all of it", "text", text, `{"at":1772366400,"containers":{"late":{"id":"","image":""},"web":{"good":{"id":"containerd://1","image":"sha256:a"},`+
		`"id":"containerd://2","image":"sha256:b","open":true}},"revision":"web-5dc","seen":true}`)
	again, ok := inplace.ReadRecord(text)
	if !ok || !reflect.DeepEqual(again, r) {
		t.Errorf("%v: %+v", ok, again)
	}
	first := inplace.Record{Revision: "web-5dc", At: time.Unix(1772366400, 0), Of: map[string]inplace.Entry{"web": {Ran: inplace.Ran{ID: "a", Image: "b"}}}}
	check(t, "the first one", "text", first.Text(), `{"at":1772366400,"containers":{"web":{"id":"a","image":"b"}},"revision":"web-5dc"}`)
}

// TestRecordOfResources: the same where resources change.
func TestRecordOfResources(t *testing.T) {
	r := inplace.Record{Revision: "web-5dc", At: time.Unix(1772366400, 0), Of: map[string]inplace.Entry{}, Starts: true,
		Resize: podtemplate.Amounts{{Container: "web", Key: 3}: "1Gi", {Container: "web", Key: 0}: "500m", {Container: "proxy", Key: 2}: ""}}
	text := r.Text()
	check(t, "resources", "text", text, `{"at":1772366400,"containers":{},"resize":{"proxy":{"requests":{"cpu":""}},"web":{"limits":{"cpu":"500m"},"requests":{"memory":"1Gi"}}},`+
		`"restarts":true,"revision":"web-5dc"}`)
	again, ok := inplace.ReadRecord(text)
	if !ok || !reflect.DeepEqual(again, r) {
		t.Errorf("%v: %+v", ok, again)
	}
	for reason, edit := range map[string][2]string{
		"a list that nobody knows":       {`"limits"`, `"most"`},
		"a resource that nobody knows":   {`"memory"`, `"disk"`},
		"an amount that is not a string": {`"500m"`, `500`},
		"a list that is none":            {`{"cpu":"500m"}`, `"x"`},
		"a container that is none":       {`{"requests":{"cpu":""}}`, `7`},
		"resize is a text":               {`{"proxy":{"requests":{"cpu":""}},"web":{"limits":{"cpu":"500m"},"requests":{"memory":"1Gi"}}}`, `"x"`},
	} {
		if strings.Count(text, edit[0]) != 1 {
			t.Fatalf("%s: %q", reason, edit[0])
		}
		if _, ok := inplace.ReadRecord(strings.Replace(text, edit[0], edit[1], 1)); ok {
			t.Errorf("%s is read", reason)
		}
	}
}

// TestRecordsThatSayNothing: nobody guesses what a text means that no plan of this release writes.
func TestRecordsThatSayNothing(t *testing.T) {
	const good = `{"at":1,"containers":{"web":{"id":"a","image":"b"}},"revision":"r"}`
	for text, why := range map[string]string{
		"": "empty", "x": "no JSON", "null": "null", "[]": "a list", `"r"`: "a text", "{} ": "not the text of a pod at rest", `{"at":1}`: "no revision",
		`{"containers":{},"revision":""}`: "an empty revision", `{"revision":"r"}`: "no containers", `{"containers":[],"revision":"r"}`: "containers as a list",
		strings.Replace(good, `"at"`, `"later":1,"at"`, 1):                                             "a key of a later release",
		strings.Replace(good, `"id"`, `"later":1,"id"`, 1):                                             "a key of a later release in an entry",
		strings.Replace(good, `"id":"a","image":"b"`, "", 1):                                           "an entry without ids",
		strings.Replace(good, `"a"`, `1`, 1):                                                           "an id that is not a string",
		strings.Replace(good, `"web":{"id":"a","image":"b"}`, "", 1):                                   "no container: no plan changes no image",
		strings.Replace(good, `,`, `, `, 1):                                                            "spaces",
		strings.Replace(good, `"id":"a"`, `"id":"a","id":"a"`, 1):                                      "a key that is there twice",
		strings.Replace(good, `{"id":"a","image":"b"}`, `"x"`, 1):                                      "an entry that is a text",
		strings.Replace(good, `"image":"b"`, `"good":"x","image":"b"`, 1):                              "what was good is a text",
		strings.Replace(good, `"image":"b"`, `"good":{"later":1},"image":"b"`, 1):                      "a key of a later release in what was good",
		strings.Replace(good, `"image":"b"`, `"good":{"id":"c","image":"d"},"image":"b","later":1`, 1): "a key of a later release beside what was good",
		good + "x": "something after it",
		strings.Replace(good, `"a"`, `"`+strings.Repeat("a", state.MostAnnotations)+`"`, 1): "longer than an API server stores",
		good:                                    "",
		strings.Replace(good, `"at":1,`, "", 1): "no time",
		strings.Replace(good, `"at":1`, `"at":-1e99`, 1):         "a time that is none",
		strings.Replace(good, `"at":1`, `"at":9999999999999`, 1): "a time that no clock shows",
	} {
		if _, ok := inplace.ReadRecord(text); ok != (why == "") {
			t.Errorf("%.80s (%s): read %v", text, why, ok)
		}
	}
}

// TestRecordOfAnother: a record is of the pod that bears it; a copy on another pod says nothing.
func TestRecordOfAnother(t *testing.T) {
	for reason, row := range map[string]struct {
		change func(p *model.Pod)
		specOf string
		under  bool
	}{
		"its own":                        {func(p *model.Pod) {}, "web-b", true},
		"of a pod with other containers": {func(p *model.Pod) { p.Containers.Containers[0].Name = "db" }, "", true},
		"of a pod with two containers of that name": {func(p *model.Pod) { p.Containers.Init = p.Containers.Containers }, "", true},
		"the adapter shows no containers":           {func(p *model.Pod) { p.Containers = nil }, "web-b", true},
		"at rest":                                   {func(p *model.Pod) { p.Annotations.Values[inplace.AnnotationUpdate] = "{}" }, "web-a", false},
		"never marked":                              {func(p *model.Pod) { delete(p.Annotations.Values, inplace.AnnotationUpdate) }, "web-a", false},
		"no annotations":                            {func(p *model.Pod) { p.Annotations = nil }, "web-a", false},
		"emptied":                                   {func(p *model.Pod) { p.Annotations.Values[inplace.AnnotationUpdate] = "" }, "", true},
	} {
		p := &model.Pod{Revision: "web-a", Annotations: &model.Annotations{Values: map[string]string{inplace.AnnotationUpdate: `{"at":1,"containers":{"web":{"id":"a","image":"b"}},"revision":"web-b"}`}},
			PodStatus: model.PodStatus{Containers: &model.PodContainers{Containers: []model.Container{{Name: "web"}}}}}
		row.change(p)
		v := newView(&model.Snapshot{})
		if p.Annotations != nil {
			v.NoteFlight(p)
		}
		if v.UnderWay(p) != row.under || v.SpecOf(p) != row.specOf || v.AtRest(p, "web-a") == row.under {
			t.Errorf("%s: under way %v, the spec of %q, at rest %v", reason, v.UnderWay(p), v.SpecOf(p), v.AtRest(p, "web-a"))
		}
	}
}

// TestRecordThatWasCopied: a record of another pod holds back nothing, and no pod goes because of it. A block quotes it.
func TestRecordThatWasCopied(t *testing.T) {
	copied := func(uid string, at time.Time, revision string) string {
		r := inplace.Record{UID: uid, Revision: revision, At: at, Of: map[string]inplace.Entry{"web": {Ran: inplace.Ran{ID: "web-9", Image: "sha256:x"}}}}
		return r.Text()
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
		"no uid":                                     {copied("", noon, secondImage), "web:2", "note web-2@1", ""},
		"no uid, older than the pod":                 {copied("", noon.Add(-100*time.Hour), secondImage), "web:1", "start web-2@1", quoted},
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
