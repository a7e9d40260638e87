package kube

import (
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// statusWriter is an entry of managedFields for the status.
type statusWriter struct {
	manager, operation, apiVersion string
	at                             string
	fields                         map[string]any // of the status, as in FieldsV1
}

// writersBetween returns who wrote the status of a set after the old version, up to the new one. It needs no clock, only rules that the
// API server follows in managedFields:
//   - an entry gets another time, and gains fields, only when its manager writes;
//   - a field belongs to whoever changed it last: if its value has changed, its owner has written since.
//
// Times are only compared for equality: two writes within one second have the same time. A write that changes nothing makes no version.
// Without an old version every writer of the new one counts.
func writersBetween(old, set *unstructured.Unstructured) []statusWriter {
	var wrote []statusWriter
	var before []statusWriter
	var was map[string]any
	if old != nil {
		before = statusWriters(old)
		was, _ = old.Object["status"].(map[string]any)
	}
	is, _ := set.Object["status"].(map[string]any)
	for _, writer := range statusWriters(set) {
		if last := writer.in(before); last == nil || last.at != writer.at || writer.changed(last, was, is) {
			wrote = append(wrote, writer)
		}
	}
	return wrote
}

// in finds the entry of the same writer.
func (w statusWriter) in(entries []statusWriter) *statusWriter {
	for i, e := range entries {
		if e.manager == w.manager && e.operation == w.operation && e.apiVersion == w.apiVersion {
			return &entries[i]
		}
	}
	return nil
}

// changed reports whether the writer has gained a field, or changed the value of one. Lists and maps do not count: several writers
// may own parts of them.
func (w statusWriter) changed(last *statusWriter, was, is map[string]any) bool {
	for name := range w.fields {
		if _, had := last.fields[name]; !had {
			return true
		}
		if len(name) < 2 {
			continue // "." is the status itself
		}
		value := is[name[2:]] // "f:replicas"
		switch value.(type) {
		case map[string]any, []any:
		default:
			if !reflect.DeepEqual(value, was[name[2:]]) {
				return true
			}
		}
	}
	return false
}

// statusWriters reads who wrote the status. The accessor of unstructured objects would decode all entries, for every version of
// every set.
func statusWriters(set *unstructured.Unstructured) []statusWriter {
	metadata, _ := set.Object["metadata"].(map[string]any)
	entries, _ := metadata["managedFields"].([]any)
	var writers []statusWriter
	for _, entry := range entries {
		fields, _ := entry.(map[string]any)
		if fields["subresource"] != "status" {
			continue
		}
		w := statusWriter{}
		w.manager, _ = fields["manager"].(string)
		w.operation, _ = fields["operation"].(string)
		w.apiVersion, _ = fields["apiVersion"].(string)
		w.at, _ = fields["time"].(string)
		owned, _ := fields["fieldsV1"].(map[string]any)
		w.fields, _ = owned["f:status"].(map[string]any)
		writers = append(writers, w)
	}
	return writers
}
