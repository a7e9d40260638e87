package documents

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var pods = Kind{"v1", "Pod"}

func names(t *testing.T, r *Reader, documents ...string) ([]string, error) {
	t.Helper()
	var all []string
	for _, document := range documents {
		err := r.Read([]byte(document), func(o *Object) error {
			all = append(all, fmt.Sprintf("%d %s %s %s/%s %s/%s", o.Document, o.APIVersion, o.Kind.Kind, o.Namespace, o.Name, o.UID, o.ResourceVersion))
			return nil
		})
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

const pod = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0","namespace":"a","uid":"u","resourceVersion":"1"},"spec":{"x":1}}`

// TestObjects: single objects, typed lists whose items say no kind, and kubectl's List. One that is there twice comes once.
func TestObjects(t *testing.T) {
	var r Reader
	got, err := names(t, &r, pod,
		`{"items":[{"metadata":{"name":"web-1"}},{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-2"}}],"kind":"PodList","apiVersion":"v1"}`,
		`{"apiVersion":"v1","kind":"List","items":[`+pod+`,{"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"web-3"}}]}]}`,
		`{"apiVersion":"x/v1","kind":"AllowList","metadata":{"name":"an object"}}`,
		`{"apiVersion":"v1","kind":"PodList","items":null}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"0 v1 Pod a/web-0 u/1", "1 v1 Pod /web-1 /", "1 v1 Pod /web-2 /", "2 v1 Pod /web-3 /", "3 x/v1 AllowList /an object /"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestComplete: a missing list never means that nothing is there.
func TestComplete(t *testing.T) {
	list := func(metadata, items string) string {
		return `{"apiVersion":"v1","kind":"PodList","metadata":` + metadata + `,"items":[` + items + `]}`
	}
	of := func(namespace string) string { return `{"metadata":{"name":"web-0","namespace":"` + namespace + `"}}` }
	for name, test := range map[string]struct {
		documents      []string
		complete, part bool
	}{
		"nothing":                       {nil, false, false},
		"one pod":                       {[]string{pod}, false, false},
		"kubectl's List":                {[]string{`{"apiVersion":"v1","kind":"List","items":[` + pod + `]}`}, false, false},
		"an empty List":                 {[]string{`{"apiVersion":"v1","kind":"List","items":[]}`}, false, false},
		"another kind":                  {[]string{`{"apiVersion":"v1","kind":"NodeList","items":[]}`}, false, false},
		"another version":               {[]string{`{"apiVersion":"v2","kind":"PodList","items":[]}`}, false, false},
		"a list":                        {[]string{list(`{"resourceVersion":"9"}`, of("a"))}, true, false},
		"a list with an empty token":    {[]string{list(`{"continue":""}`, of("a"))}, true, false},
		"an empty list":                 {[]string{list("{}", "")}, true, false},
		"of another namespace":          {[]string{list("{}", of("b"))}, false, false},
		"of several":                    {[]string{list("{}", of("a")+","+of("b"))}, true, false},
		"a page":                        {[]string{list(`{"continue":"x"}`, of("a"))}, false, true},
		"the last page, and an other":   {[]string{list(`{"continue":"x"}`, of("a")), list("{}", "")}, false, true},
		"how many are left":             {[]string{list(`{"remainingItemCount":1}`, of("a"))}, false, true},
		"none is left":                  {[]string{list(`{"remainingItemCount":0,"continue":null}`, of("a"))}, true, false},
		"a strange token":               {[]string{list(`{"continue":7}`, of("a"))}, false, true},
		"it lacks one":                  {[]string{list("{}", of("a")), strings.Replace(pod, "web-0", "web-1", 1)}, false, false},
		"another lacks one":             {[]string{list("{}", of("a")), list("{}", strings.Replace(of("a"), "web-0", "web-1", 1))}, false, false},
		"it is empty, and there is one": {[]string{list("{}", ""), pod}, false, false},
		"one filtered, one whole":       {[]string{list("{}", of("a")), list("{}", of("a")+","+strings.Replace(of("a"), "web-0", "web-1", 1))}, true, false},
		"one elsewhere":                 {[]string{list("{}", of("a")), strings.Replace(pod, `"a"`, `"b"`, 1)}, true, false},
		"in a List":                     {[]string{`{"apiVersion":"v1","kind":"List","items":[` + list("{}", of("a")) + `]}`}, true, false},
	} {
		var r Reader
		if _, err := names(t, &r, test.documents...); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got, part := r.Complete(pods, "a"), r.IsPart(pods); got != test.complete || part != test.part {
			t.Errorf("%s: complete %t, part %t", name, got, part)
		}
	}
}

func TestErrors(t *testing.T) {
	in := func(items string) string { return `{"apiVersion":"v1","kind":"PodList","items":[` + items + `]}` }
	for document, want := range map[string]string{
		``:                               "ends in the middle",
		`{"kind":`:                       "kind: ends in the middle",
		`nonsense`:                       "must be JSON at byte 0",
		`[]`:                             "must be a Kubernetes object, and is an array",
		`"x"`:                            "must be a Kubernetes object, and is a string",
		`{}`:                             "kind: required",
		`{"kind":7}`:                     "kind: must be a string, and is a number",
		`{"kind":null}`:                  "kind: required",
		`{"apiVersion":"v1","items":[]}`: "is a list without a kind; kubectl writes the kind last, so it seems to be cut off",
		`{"kind":"Pod","metadata":7}`:    "metadata: must be an object, and is a number",
		`{"kind":"Pod"}`:                 "metadata.name: required",
		`{"kind":"Pod","metadata":{"name":["x"]}}`:                              "metadata.name: must be a string, and is an array",
		strings.Repeat(`{"kind":"List","items":[`, 3) + strings.Repeat("]}", 3): "items[0].items[0]: is a list in 2 lists",
		`{"kind":"PodList"}`:                                                                "items: required",
		`{"kind":"PodList","items":{}}`:                                                     "items: must be an array, and is an object",
		`{"kind":"List","items":[{"metadata":{"name":"x"}}]}`:                               "items[0].kind: required",
		in(`{"metadata":{"name":"a"}},{"metadata":{}}`):                                     "items[1].metadata.name: required",
		in(`{"metadata":{"name":"a"}},{"metadata":{"name":"b","uid":true}}`):                "items[1].metadata.uid: must be a string, and is a boolean",
		in(`{"metadata":{"name":"a"},"spec":{"template":{"s3cret":tru}}}`):                  "items[0].spec: must be JSON at byte 99",
		in(`{"metadata":{"name":"a","uid":"1"}},{"metadata":{"name":"a","uid":"2"}}`):       `items[1]: shows Pod "a" of namespace "" a second time, in another version; all must be of one moment`,
		in(`{"metadata":{"name":"a"}},{"metadata":{"name":"b"}},{"metadata":{"name":"c"}}`): "items[2]: is one object more than the limit of 2",
		in(`{"metadata":{"name":"a"},"x":"` + strings.Repeat("x", 300) + `"}`):              "items[0]: has 332 bytes; the limit of an object is 300",
	} {
		r := Reader{MaxObjects: 2, MaxBytes: 300}
		if _, err := names(t, &r, document); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %q", document, err, want)
		}
	}
}
