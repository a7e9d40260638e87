package inplace

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/state"
)

// TestRecord: what is written is read back, in one form, with the keys in order.
func TestRecord(t *testing.T) {
	r := Record{Revision: "web-5dc", At: time.Unix(1772366400, 0), seen: true, Of: map[string]entry{
		"web":  {ran: ran{ID: "containerd://2", image: "sha256:b"}, good: &ran{ID: "containerd://1", image: "sha256:a"}, open: true},
		"late": {}, // nothing was said of it
	}}
	text := r.Text()
	check(t, "all of it", "text", text, `{"at":1772366400,"containers":{"late":{"id":"","image":""},"web":{"good":{"id":"containerd://1","image":"sha256:a"},`+
		`"id":"containerd://2","image":"sha256:b","open":true}},"revision":"web-5dc","seen":true}`)
	again, ok := ReadRecord(text)
	if !ok || !reflect.DeepEqual(again, r) {
		t.Errorf("%v: %+v", ok, again)
	}
	first := Record{Revision: "web-5dc", At: time.Unix(1772366400, 0), Of: map[string]entry{"web": {ran: ran{ID: "a", image: "b"}}}}
	check(t, "the first one", "text", first.Text(), `{"at":1772366400,"containers":{"web":{"id":"a","image":"b"}},"revision":"web-5dc"}`)
}

// TestRecordOfResources: the same where resources change.
func TestRecordOfResources(t *testing.T) {
	r := Record{Revision: "web-5dc", At: time.Unix(1772366400, 0), Of: map[string]entry{}, Starts: true,
		Resize: podtemplate.Amounts{{Container: "web", Key: 3}: "1Gi", {Container: "web", Key: 0}: "500m", {Container: "proxy", Key: 2}: ""}}
	text := r.Text()
	check(t, "resources", "text", text, `{"at":1772366400,"containers":{},"resize":{"proxy":{"requests":{"cpu":""}},"web":{"limits":{"cpu":"500m"},"requests":{"memory":"1Gi"}}},`+
		`"restarts":true,"revision":"web-5dc"}`)
	again, ok := ReadRecord(text)
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
		if _, ok := ReadRecord(strings.Replace(text, edit[0], edit[1], 1)); ok {
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
		if _, ok := ReadRecord(text); ok != (why == "") {
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
		"at rest":                                   {func(p *model.Pod) { p.Annotations.Values[AnnotationUpdate] = "{}" }, "web-a", false},
		"never marked":                              {func(p *model.Pod) { delete(p.Annotations.Values, AnnotationUpdate) }, "web-a", false},
		"no annotations":                            {func(p *model.Pod) { p.Annotations = nil }, "web-a", false},
		"emptied":                                   {func(p *model.Pod) { p.Annotations.Values[AnnotationUpdate] = "" }, "", true},
	} {
		p := &model.Pod{Revision: "web-a", Annotations: &model.Annotations{Values: map[string]string{AnnotationUpdate: `{"at":1,"containers":{"web":{"id":"a","image":"b"}},"revision":"web-b"}`}},
			PodStatus: model.PodStatus{Containers: &model.PodContainers{Containers: []model.Container{{Name: "web"}}}}}
		row.change(p)
		v := podsOf(&model.Snapshot{})
		if p.Annotations != nil {
			v.NoteFlight(p)
		}
		if v.UnderWay(p) != row.under || v.SpecOf(p) != row.specOf || v.AtRest(p, "web-a") == row.under {
			t.Errorf("%s: under way %v, the spec of %q, at rest %v", reason, v.UnderWay(p), v.SpecOf(p), v.AtRest(p, "web-a"))
		}
	}
}
