package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	files "github.com/setplan/setplan/proto/vectors"
)

// plainPod is a template with more fields of its container.
func plainPod(more string) string {
	return `{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"nginx","image":"nginx:v1"` + more + `}]}}`
}

// oddTemplate is a pod template whose JSON is easily read wrong.
type oddTemplate struct{ name, about, text string }

// inBytesOnly are those that a decoder of objects may read in more than one way, that no JSON file can hold, or that indented JSON
// would be too long for.
var inBytesOnly = []string{"duplicate-keys", "duplicate-keys-escaped", "deep", "too-deep", "not-utf8"}

var oddTemplates = []oddTemplate{
	{"escapes", "Escapes that mean an ordinary character, and those that have to stay escapes.",
		plainPod(`,"args":["\u0041\/\b\f\n\r\t\"\\","\u003ca href=\"x?a=1\u0026b=2\"\u003e","\ud83d\ude00","\u2028\u2029\u007f\u0001"]`)},
	{"no-escapes", "The same text as in escapes where JSON does not ask for an escape: one revision, of the same name.",
		plainPod(`,"args":["A/\b\f\n\r\t\"\\","<a href=\"x?a=1&b=2\">","😀","` + "\u2028\u2029\u007f" + `\u0001"]`)},
	{"nul", "A NUL, which JSON can hold.", plainPod(`,"args":["a\u0000b"]`)},
	{"lone-surrogate", "Half of a surrogate pair stands for no character.", plainPod(`,"args":["\ud800","\udc00x","\ud800\ud800"]`)},
	{"big-integers", "Integers that fit no double. The request has each digit; in a revision they are as Kubernetes writes them, which rounds.",
		plainPod(`,"tomorrow":[9007199254740993,9223372036854775807,-9223372036854775808,9223372036854775808,123456789012345678901234567890]`)},
	{"numbers", "Numbers in all forms that JSON has; in a revision each has one form.",
		plainPod(`,"tomorrow":[0,-0,1.0,1.10,0.1,1e3,1E3,1e+3,1e-7,1.5e300,1e21,100000000000000000000]`)},
	{"number-beyond-double", "A number that no double comes near.", plainPod(`,"tomorrow":1e400`)},
	{"unknown-fields", "Fields that no release of Kubernetes has, and values that mean nothing: all of them are part of the revision.",
		plainPod(`,"fieldOfTomorrow":{"on":true,"off":false,"none":null,"list":[],"object":{},"text":"","deep":[[{"a":[{}]}]]}`)},
	{"key-order", "Keys in another order are the same template: the revision is that of key-order-sorted.",
		`{"spec":{"containers":[{"name":"nginx","image":"nginx:v1","B":1,"a":2,"Ä":3,"aa":4}]},"metadata":{"labels":{"app":"web"}}}`},
	{"key-order-sorted", "The keys of key-order by their bytes.",
		`{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"B":1,"a":2,"aa":4,"image":"nginx:v1","name":"nginx","Ä":3}]}}`},
	{"blanks", "Blanks between tokens mean nothing.",
		strings.NewReplacer(`{`, "{\n\t", `:`, " : ", `,`, " ,\r\n").Replace(`{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"nginx","image":"nginx"}]}}`) + "\n"},
	{"duplicate-keys", "A key that is there twice.", plainPod(`,"image":"nginx:v2","env":[{"name":"a","name":"b"}]`)},
	{"duplicate-keys-escaped", "The same key twice, once with an escape.", plainPod(`,"\u0069mage":"nginx:v2"`)},
	{"odd-keys", "Keys that are empty, or hold what has to be escaped.", plainPod(`,"":1,"a\"b":2,"a\u0000":3,"<&>":4,"😀":5,"\ue000":6`)},
	{"deep", "Arrays in arrays, 150 deep.", plainPod(`,"deep":` + strings.Repeat("[", 150) + strings.Repeat("]", 150))},
	{"too-deep", "Arrays in arrays, deeper than a planner follows.", plainPod(`,"deep":` + strings.Repeat("[", 250) + strings.Repeat("]", 250))},
	{"nulls", "Null where a type has a value of its own: what old API servers wrote for a time that is not set.",
		`{"metadata":{"creationTimestamp":null,"labels":{"app":"web"},"annotations":null},"spec":{"containers":[{"name":"nginx","image":"nginx:v1","resources":null}],"volumes":null}}`},
	{"labels-not-text", "A label that is a number.", `{"metadata":{"labels":{"app":1}},"spec":{"containers":[]}}`},
	{"labels-do-not-match", "Labels that the selector does not select.", `{"metadata":{"labels":{"app":"other"}},"spec":{"containers":[]}}`},
	{"empty-object", "A template without anything in it.", `{}`},
	{"null", "Null.", `null`},
	{"array", "An array.", `[]`},
	{"text", "A text.", `"{}"`},
	{"cut-off", "JSON that ends in the middle.", plainPod("")[:40]},
	{"text-after", "Text after the end of the JSON.", plainPod("") + " {}"},
	{"comma-at-the-end", "A comma before a bracket.", `{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[],}}`},
	{"single-quotes", "What a JavaScript program may print.", `{metadata:{labels:{app:'web'}}}`},
	{"not-a-number", "NaN, which JSON does not have.", plainPod(`,"tomorrow":NaN`)},
	{"byte-order-mark", "A byte order mark before the JSON.", "\ufeff" + plainPod("")},
	{"not-utf8", "Bytes that are no UTF-8 within a text. The template is bytes, so the request can carry them.", plainPod(`,"args":["` + "\xff\xfe" + `"]`)},
}

// withOddJSON are templates and revisions whose bytes count, one by one.
func withOddJSON() ([]*draft, error) {
	var all []*draft
	for _, odd := range oddTemplates {
		d, err := scene("fresh")
		if err != nil {
			return nil, err
		}
		change := func(r *setplanv1.PlanRequest) { r.Snapshot.Set.PodTemplate = []byte(odd.text) }
		changed := d.changed("json/template-"+odd.name, odd.about, change)
		if slices.Contains(inBytesOnly, odd.name) {
			all = append(all, changed)
			continue
		}
		if changed.Objects, err = d.servedWith([]byte(odd.text), changed.request.GetSnapshot()); err != nil {
			return nil, fmt.Errorf("%s: %w", odd.name, err)
		}
		all = append(all, changed)
	}
	more, err := withOddRevisions()
	return append(all, more...), err
}

// servedWith are the draft's objects with another template, or nil where an adapter that reads them would not send these bytes,
// or others that mean the same: a JSON decoder may drop a key that is there twice, and no API server sends one.
func (d *draft) servedWith(template []byte, want *setplanv1.Snapshot) (*files.Objects, error) {
	if !json.Valid(template) {
		return nil, nil
	}
	var set, spec map[string]json.RawMessage
	if err := json.Unmarshal(d.Objects.Set, &set); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(set["spec"], &spec); err != nil {
		return nil, err
	}
	spec["template"] = template
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(spec); err != nil {
		return nil, err
	}
	set["spec"] = bytes.Clone(text.Bytes())
	text.Reset()
	if err := encoder.Encode(set); err != nil {
		return nil, err
	}
	objects := *d.Objects
	objects.Set = bytes.TrimSpace(text.Bytes())
	snapshot, err := build(&objects, want)
	if err != nil {
		return nil, nil // it cannot be read, or not in Go
	}
	if same, err := alike(snapshot, want); err != nil || !same {
		return nil, err
	}
	return &objects, nil
}

// oddRevisions are other ways to write the data of the set's revision, and what is none.
var oddRevisions = []struct {
	name, about string
	change      func(data string) string
}{
	{"blanks", "The stored revision has other bytes that mean the same as the template: no revision is made.",
		func(data string) string { return strings.ReplaceAll(data, ",", " ,\n ") }},
	{"escapes", "The same, with escapes where none is needed.",
		func(data string) string { return strings.ReplaceAll(data, "nginx", `\u006eginx`) }},
	{"no-json", "A stored revision that is no JSON.", func(data string) string { return data[:len(data)/2] }},
	{"null", "A stored revision without data.", func(string) string { return "null" }},
	{"number-spelled", "Another text of the same number means the same: no revision is made.",
		func(data string) string { return strings.ReplaceAll(data, `Seconds":30`, `Seconds":30.0`) }},
	{"number", "Another number is another template: a revision is made.",
		func(data string) string { return strings.ReplaceAll(data, `Seconds":30`, `Seconds":31`) }},
}

func withOddRevisions() ([]*draft, error) {
	var all []*draft
	for _, odd := range oddRevisions {
		d, err := scene("steady")
		if err != nil {
			return nil, err
		}
		all = append(all, d.changed("json/revision-"+odd.name, odd.about, func(r *setplanv1.PlanRequest) {
			r.Snapshot.Set.Generation++ // else the template is what it was, and nothing is compared
			for _, revision := range r.Snapshot.Revisions {
				revision.Data = []byte(odd.change(string(revision.Data)))
			}
		}))
	}
	return all, nil
}
