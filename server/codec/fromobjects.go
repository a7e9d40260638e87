package codec

import (
	"errors"
	"slices"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/proto/rawjson"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/objects"
)

// decodeObjects turns a request with objects into the engine's snapshot: it makes the request with a snapshot that the caller would have sent, and treats it in no
// other way. Errors name the place in the documents.
func decodeObjects(request *setplanv1.PlanRequest, limits Limits) (*model.Snapshot, error) {
	if request.Snapshot != nil {
		return nil, invalid("objects", "cannot be combined with snapshot")
	}
	made, err := objects.Read(request.GetObjects(), objects.Limits{MaxElements: limits.MaxElements, Stop: limits.Stop})
	if wrong := new(objects.Error); errors.As(err, &wrong) {
		return nil, invalid(wrong.Field, "%s", wrong.Description)
	} else if errors.Is(err, rawjson.ErrStopped) {
		return nil, ErrStopped
	} else if err != nil {
		return nil, err
	}
	asked := &setplanv1.PlanRequest{Snapshot: made.Snapshot, Capabilities: request.GetCapabilities()}
	if len(asked.Capabilities) == 0 {
		asked.Capabilities = Capabilities()
	}
	if err := checkMade(made.Snapshot, limits); err != nil {
		return nil, moved(err, made.Place)
	}
	snapshot, err := decodeSnapshot(asked, limits)
	return snapshot, moved(err, made.Place)
}

// madeAtOnce is how many objects of a snapshot that was made are checked at once.
const madeAtOnce = 64

// checkMade looks at a snapshot as Check looks at one that was sent, so that it is within the same bounds. By the rules of the encoding
// its parts are one message, one after the other.
func checkMade(s *setplanv1.Snapshot, limits Limits) error {
	if err := limits.refusePods(len(s.GetPods())); err != nil {
		return err
	}
	parts := []*setplanv1.Snapshot{{ObservedAt: s.ObservedAt, Coverage: s.Coverage, Set: s.Set, Policy: s.Policy, Tables: s.Tables,
		ClaimNeighbours: s.ClaimNeighbours, FixedStorageClasses: s.FixedStorageClasses}}
	for pods := range slices.Chunk(s.Pods, madeAtOnce) {
		parts = append(parts, &setplanv1.Snapshot{Pods: pods})
	}
	for claims := range slices.Chunk(s.Claims, madeAtOnce) {
		parts = append(parts, &setplanv1.Snapshot{Claims: claims})
	}
	for revisions := range slices.Chunk(s.Revisions, madeAtOnce) {
		parts = append(parts, &setplanv1.Snapshot{Revisions: revisions})
	}
	c := check{limits: limits, waiting: waiting{stop: limits.Stop}}
	c.enter(requestShape.fields[snapshotNumber])
	for _, part := range parts {
		data, err := marshal(part)
		if err == nil {
			err = c.message(data, requestShape.fields[snapshotNumber].message)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
