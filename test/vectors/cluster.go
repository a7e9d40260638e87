package vectors

import (
	"bytes"
	"encoding/json"

	files "github.com/setplan/setplan/proto/vectors"
)

type object = map[string]any

// cluster are the objects of a scene, to be changed.
type cluster struct {
	set                             object
	others, pods, claims, revisions []object
}

// in is the object within an object, made where it is not there.
func in(o object, path ...string) object {
	for _, key := range path {
		inner, is := o[key].(object)
		if !is {
			inner = object{}
			o[key] = inner
		}
		o = inner
	}
	return o
}

// copied is a copy of an object with another name and uid.
func copied(o object, name, uid string) object {
	text, err := json.Marshal(o)
	if err != nil {
		panic(err) // of what was JSON
	}
	out, err := parsed(text)
	if err != nil {
		panic(err)
	}
	in(out, "metadata")["name"] = name
	if uid != "" {
		in(out, "metadata")["uid"] = uid
	}
	return out
}

func parsed(text []byte) (object, error) {
	var out object
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err := decoder.Decode(&out)
	return out, err
}

func clusterOf(objects *files.Objects) (*cluster, error) {
	set, err := parsed(objects.Set)
	c := &cluster{set: set}
	for _, list := range []struct {
		from []json.RawMessage
		to   *[]object
	}{{objects.Others, &c.others}, {objects.Pods, &c.pods}, {objects.Claims, &c.claims}, {objects.Revisions, &c.revisions}} {
		for _, text := range list.from {
			o, failed := parsed(text)
			if failed != nil {
				return nil, failed
			}
			*list.to = append(*list.to, o)
		}
	}
	return c, err
}

func (c *cluster) objects() (*files.Objects, error) {
	set, err := json.Marshal(c.set)
	out := &files.Objects{Set: set}
	for _, list := range []struct {
		from []object
		to   *[]json.RawMessage
	}{{c.others, &out.Others}, {c.pods, &out.Pods}, {c.claims, &out.Claims}, {c.revisions, &out.Revisions}} {
		for _, o := range list.from {
			text, failed := json.Marshal(o)
			if failed != nil {
				return nil, failed
			}
			*list.to = append(*list.to, text)
		}
	}
	return out, err
}
