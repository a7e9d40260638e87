package invariants

import (
	"encoding/json"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// tale is an artificial history. Each call adds one change, a second after the last.
type tale struct{ changes []Change }

var began = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func (h *tale) now() time.Time { return began.Add(time.Duration(len(h.changes)) * time.Second) }

type fields = map[string]any

func (h *tale) tell(deleted bool, kind, name, uid string, metadata fields, rest fields) *tale {
	object := fields{"kind": kind, "metadata": fields{"name": name, "uid": uid}}
	for k, v := range metadata {
		object["metadata"].(fields)[k] = v
	}
	for k, v := range rest {
		object[k] = v
	}
	// Through JSON, so that numbers have the types that the API gives them.
	body, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	var decoded unstructured.Unstructured
	if err := json.Unmarshal(body, &decoded.Object); err != nil {
		panic(err)
	}
	h.changes = append(h.changes, Change{Version: int64(len(h.changes) + 1), Deleted: deleted, Object: &decoded, At: h.now()})
	return h
}

// set adds a state of the set web with a current revision, some fields of its spec, and annotations.
func (h *tale) set(replicas int, current string, spec fields) *tale {
	all := fields{"replicas": replicas, "updateStrategy": fields{"type": "RollingUpdate", "rollingUpdate": fields{"partition": 0}}}
	metadata := fields{}
	for k, v := range spec {
		if k == "annotations" {
			metadata[k] = v
			continue
		}
		all[k] = v
	}
	return h.tell(false, "StatefulSet", "web", "set", metadata, fields{"spec": all, "status": fields{"currentRevision": current}})
}

var owned = fields{"ownerReferences": []fields{{"kind": "StatefulSet", "name": "web", "uid": "set", "controller": true}}}

// pod adds a state of web-ordinal at a revision, with its claim; ready means since now.
func (h *tale) pod(ordinal int, revision string, ready bool) *tale {
	return h.podNamed(fmt.Sprintf("web-%d", ordinal), fmt.Sprintf("pod-%d-%s", ordinal, revision), revision, ready, fmt.Sprintf("www-web-%d", ordinal))
}

func (h *tale) podNamed(name, uid, revision string, ready bool, claim string) *tale {
	metadata := fields{"labels": fields{"controller-revision-hash": revision}, "creationTimestamp": h.now().Format(time.RFC3339)}
	for k, v := range owned {
		metadata[k] = v
	}
	status := fields{"phase": "Pending"}
	if ready {
		status = fields{"phase": "Running", "conditions": []fields{
			{"type": "Ready", "status": "True", "lastTransitionTime": h.now().Format(time.RFC3339)}}}
	}
	spec := fields{}
	if claim != "" {
		spec["volumes"] = []fields{{"name": "www", "persistentVolumeClaim": fields{"claimName": claim}}}
	}
	return h.tell(false, "Pod", name, uid, metadata, fields{"spec": spec, "status": status})
}

// gone adds the removal of a pod.
func (h *tale) gone(ordinal int) *tale {
	name := fmt.Sprintf("web-%d", ordinal)
	for i := len(h.changes) - 1; i >= 0; i-- {
		if c := h.changes[i]; c.Object.GetKind() == "Pod" && c.Object.GetName() == name {
			h.changes = append(h.changes, Change{Version: int64(len(h.changes) + 1), Deleted: true, Object: c.Object, At: h.now()})
			return h
		}
	}
	panic("no pod " + name)
}

func (h *tale) claim(ordinal int, metadata fields) *tale {
	name := fmt.Sprintf("www-web-%d", ordinal)
	return h.tell(false, "PersistentVolumeClaim", name, "claim-"+name, metadata, nil)
}

func (h *tale) revision(name string, number int, data string) *tale {
	return h.tell(false, "ControllerRevision", name, "revision-"+name, owned, fields{"revision": number, "data": fields{"spec": data}})
}

// wait lets seconds pass, by states of an object that no rule concerns.
func (h *tale) wait(seconds int) *tale {
	for range seconds {
		h.tell(false, "PersistentVolumeClaim", "other", "other", nil, nil)
	}
	return h
}
