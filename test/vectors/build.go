package vectors

import (
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	files "github.com/setplan/setplan/proto/vectors"
)

// build makes the snapshot of objects. What objects do not say is as in another snapshot.
func build(objects *files.Objects, like *setplanv1.Snapshot) (*setplanv1.Snapshot, error) {
	all := &snapshot.Objects{Set: &snapshot.Set{}}
	if err := json.Unmarshal(objects.Set, all.Set); err != nil {
		return nil, fmt.Errorf("read the set: %w", err)
	}
	var err error
	if all.Others, err = each[snapshot.Set](objects.Others); err != nil {
		return nil, err
	}
	if all.Pods, err = each[corev1.Pod](objects.Pods); err != nil {
		return nil, err
	}
	if all.Claims, err = each[corev1.PersistentVolumeClaim](objects.Claims); err != nil {
		return nil, err
	}
	if all.Revisions, err = each[appsv1.ControllerRevision](objects.Revisions); err != nil {
		return nil, err
	}
	out, err := snapshot.Of(all, like.GetCoverage(), like.GetObservedAt().AsTime())
	if err != nil {
		return nil, err
	}
	out.Outcomes, out.Policy = like.GetOutcomes(), like.GetPolicy()
	out.FixedStorageClasses = like.GetFixedStorageClasses()
	return out, nil
}

func each[T any](texts []json.RawMessage) ([]*T, error) {
	var all []*T
	for _, text := range texts {
		object := new(T)
		if err := json.Unmarshal(text, object); err != nil {
			return nil, fmt.Errorf("read an object: %w", err)
		}
		all = append(all, object)
	}
	return all, nil
}
