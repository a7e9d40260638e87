// Package documents reads what an API server, or kubectl, has printed as JSON: objects, typed lists such as a PodList, and kubectl's List. It tells which objects are
// there, refuses two versions of one, and knows which kinds are listed completely. What is in an object is its reader's business.
package documents

import (
	"errors"
	"fmt"
	"strings"

	"github.com/setplan/setplan/proto/rawjson"
)

// Object is an object of a document. An item of a typed list has the kind of the list, which need not be in JSON.
type Object struct {
	Kind
	Namespace, Name      string
	UID, ResourceVersion string
	JSON                 rawjson.Value
	Document             int // which of the documents it is in
}

// Kind is the kind of an object, with its API version.
type Kind struct{ APIVersion, Kind string }

// Reader reads documents. The zero Reader has no limits.
type Reader struct {
	// Pace asks whether to stop; nil never.
	Pace *rawjson.Pace
	// MaxObjects bounds the objects of all documents, and MaxBytes each of them; 0 is no bound.
	MaxObjects, MaxBytes int

	count    int // of documents
	objects  int
	versions map[identity]version
	counts   map[identity]int // of objects, by kind and namespace
	lists    map[Kind]*lists
}

type identity struct {
	Kind
	namespace, name string
}

type version struct{ uid, resourceVersion string }

// lists are the typed lists of a kind.
type lists struct {
	parts bool           // one of them goes on elsewhere
	last  bool           // one of them does not
	empty bool           // one of them has no items
	items map[string]int // the most that one of them has, by namespace
}

// Error says what is wrong with a document.
type Error struct {
	Document int            // which
	Way      []rawjson.Step // to the value
	What     string         // such as "required"
}

func (e *Error) Error() string {
	path := e.Path()
	if path == "" {
		return e.What
	}
	return path + ": " + e.What
}

// Path is where it is in the document, such as "items[17].metadata.name"; empty for all of it.
func (e *Error) Path() string { return rawjson.Path(e.Way, known) }

// known are the keys that this package looks into.
func known(key string) bool {
	switch key {
	case "items", "apiVersion", "kind", "metadata", "name", "namespace", "uid", "resourceVersion", "continue", "spec", "status", "data":
		return true
	}
	return false
}

// Read reads one document, and calls each with its objects, one after another. An object that is there twice, in the same version, comes once. The error is an
// *Error, rawjson.ErrStopped, or what each returned. The document must not change as long as its objects are in use, and they are looked into within
// rawjson.Stopping.
func (r *Reader) Read(document []byte, each func(*Object) error) error {
	index := r.count
	r.count++
	root, err := rawjson.Read(document, r.Pace)
	if wrong := new(rawjson.Error); errors.As(err, &wrong) {
		what := wrong.What
		if wrong.At < len(document) {
			what = fmt.Sprintf("%s at byte %d", what, wrong.At)
		}
		return &Error{index, wrong.Way, what}
	}
	if err != nil {
		return err
	}
	return rawjson.Stopping(func() error {
		d := reading{r, index, each}
		_, err := d.read(root, Kind{}, 0)
		return err
	})
}

// reading is a document that is read.
type reading struct {
	*Reader
	index int
	each  func(*Object) error
}

func (d *reading) wrong(at rawjson.Value, what string, args ...any) error {
	return &Error{d.index, at.Way(), fmt.Sprintf(what, args...)}
}

// missing is what is wrong where a key is not there.
func (d *reading) missing(in rawjson.Value, keys ...string) error {
	way := in.Way()
	for _, key := range keys {
		way = append(way, rawjson.Step{Key: key})
	}
	return &Error{d.index, way, "required"}
}

// maxLists is how many lists may lie in each other: kubectl's, and a typed one in it.
const maxLists = 2

// read reads an object, or a list with its objects. inherited is the kind of an item that does not say it, and depth is how many lists the value lies in. The object's
// namespace is returned.
func (d *reading) read(value rawjson.Value, inherited Kind, depth int) (namespace string, err error) {
	if value.Kind() != '{' {
		return "", d.wrong(value, "must be a Kubernetes object, and is %s", aKind(value))
	}
	var version, kind, metadata, items rawjson.Value
	for w := value.Members(); w.Next(); {
		switch string(w.Key()) {
		case "apiVersion":
			version = w.Value
		case "kind":
			kind = w.Value
		case "metadata":
			metadata = w.Value
		case "items":
			items = w.Value
		}
	}
	of := Kind{}
	if err = d.texts([]rawjson.Value{kind, version}, []*string{&of.Kind, &of.APIVersion}); of.Kind == "" {
		of = inherited
	}
	switch {
	case err != nil:
		return "", err
	case of.Kind == "" && items.Kind() == '[':
		return "", d.wrong(value, "is a list without a kind; kubectl writes the kind last, so it seems to be cut off")
	case of.Kind == "":
		return "", d.missing(value, "kind")
	case metadata.Is() && metadata.Kind() != '{':
		return "", d.wrong(metadata, "must be an object, and is %s", aKind(metadata))
	}
	if single, isList := strings.CutSuffix(of.Kind, "List"); isList && (items.Kind() != 0 || !metadata.Get("name").Is()) {
		if depth == maxLists {
			return "", d.wrong(value, "is a list in %d lists", depth)
		}
		return "", d.list(value, items, metadata, Kind{of.APIVersion, single}, depth+1)
	}
	return d.object(value, metadata, of)
}

// list reads the items of a list. kubectl's has no kind of its own.
func (d *reading) list(value, items, metadata rawjson.Value, of Kind, depth int) error {
	switch {
	case items.Kind() == 0:
		return d.missing(value, "items")
	case items.Is() && items.Kind() != '[':
		return d.wrong(items, "must be an array, and is %s", aKind(items))
	}
	if of.Kind == "" {
		of = Kind{} // its items say it
	}
	l := d.lists[of]
	if l == nil {
		l = &lists{items: map[string]int{}}
		if d.lists == nil {
			d.lists = map[Kind]*lists{}
		}
		d.lists[of] = l
	}
	has := map[string]int{}
	for w := items.Items(); w.Next(); {
		namespace, err := d.read(w.Value, of, depth)
		if err != nil {
			return err
		}
		has[namespace]++
	}
	for namespace, n := range has {
		l.items[namespace] = max(l.items[namespace], n)
	}
	next, rest := metadata.Get("continue"), metadata.Get("remainingItemCount")
	l.empty = l.empty || len(has) == 0
	part := next.Is() && string(next.Raw()) != `""` || rest.Is() && string(rest.Raw()) != "0"
	l.parts, l.last = l.parts || part, l.last || !part
	return nil
}

func (d *reading) object(value, metadata rawjson.Value, of Kind) (namespace string, err error) {
	var name, ns, uid, revision rawjson.Value
	for w := metadata.Members(); w.Next(); {
		switch string(w.Key()) {
		case "name":
			name = w.Value
		case "namespace":
			ns = w.Value
		case "uid":
			uid = w.Value
		case "resourceVersion":
			revision = w.Value
		}
	}
	o := &Object{Kind: of, JSON: value, Document: d.index}
	err = d.texts([]rawjson.Value{name, ns, uid, revision}, []*string{&o.Name, &o.Namespace, &o.UID, &o.ResourceVersion})
	switch {
	case err != nil:
		return "", err
	case o.Name == "":
		return "", d.missing(value, "metadata", "name")
	case d.MaxBytes > 0 && len(value.Raw()) > d.MaxBytes:
		return "", d.wrong(value, "has %d bytes; the limit of an object is %d", len(value.Raw()), d.MaxBytes)
	}
	d.Pace.Spend(64) // beside the reading
	if d.objects++; d.MaxObjects > 0 && d.objects > d.MaxObjects {
		return "", d.wrong(value, "is one object more than the limit of %d", d.MaxObjects)
	}
	id, is := identity{of, o.Namespace, o.Name}, version{o.UID, o.ResourceVersion}
	was, twice := d.versions[id]
	switch {
	case twice && was != is:
		return "", d.wrong(value, "shows %.64s %.64q of namespace %.64q a second time, in another version; all must be of one moment", of.Kind, o.Name, o.Namespace)
	case twice:
		return o.Namespace, nil
	case d.versions == nil:
		d.versions, d.counts = map[identity]version{}, map[identity]int{}
	}
	d.counts[identity{Kind: of, namespace: o.Namespace}]++
	d.versions[id] = is
	return o.Namespace, d.each(o)
}

// texts reads values that are strings if they are there.
func (d *reading) texts(values []rawjson.Value, into []*string) error {
	for i, value := range values {
		if value.Is() && value.Kind() != '"' {
			return d.wrong(value, "must be a string, and is %s", aKind(value))
		}
		*into[i] = value.Text()
	}
	return nil
}

// aKind says what a value is.
func aKind(v rawjson.Value) string {
	switch v.Kind() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// Objects is how many there were.
func (r *Reader) Objects() int { return r.objects }

// Complete reports whether the documents have all objects of a kind in a namespace, by what a typed list says of itself: it is no part, it has no items, or one of the
// namespace, and it lacks none that the documents show elsewhere. Single objects, and kubectl's List, say nothing.
func (r *Reader) Complete(kind Kind, namespace string) bool {
	l := r.lists[kind]
	return l != nil && !l.parts && (l.empty || l.items[namespace] > 0) && l.items[namespace] >= r.counts[identity{Kind: kind, namespace: namespace}]
}

// IsPart reports whether a list of a kind goes on elsewhere: it has metadata.continue, or a remainingItemCount.
func (r *Reader) IsPart(kind Kind) bool { return r.lists[kind] != nil && r.lists[kind].parts }

// IsCut reports whether each list of a kind goes on elsewhere, so that the end is missing whoever says that it is complete.
func (r *Reader) IsCut(kind Kind) bool { return r.IsPart(kind) && !r.lists[kind].last }
