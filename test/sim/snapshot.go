package sim

import (
	"context"
	"fmt"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Snapshot implements adapters.Source.
func (a *Adapter) Snapshot(_ context.Context, key adapters.Key) (*setplanv1.Snapshot, error) {
	shown, versions := a.cache()
	objects := objectsOf(shown, key.Name)
	if objects.Set == nil {
		return nil, adapters.ErrGone
	}
	out, err := snapshot.Of(objects, &setplanv1.Coverage{
		Pods: !a.hidden[KindPod], Claims: !a.hidden[KindClaim], Revisions: !a.hidden[KindRevision],
		PodsVersion:      version(versions[KindPod]),
		ClaimsVersion:    version(versions[KindClaim]),
		RevisionsVersion: version(versions[KindRevision]),
	}, a.Now())
	if err != nil {
		return nil, fmt.Errorf("set %s: %w", key, err)
	}
	a.view = View{State: shown.copy(), At: a.Now()}
	return out, nil
}

// objectsOf is everything that a state has, seen from a set, which is nil if there is none.
func objectsOf(state State, set string) *snapshot.Objects {
	objects := &snapshot.Objects{Set: state.Set(set)}
	for _, name := range state.Names(KindPod) {
		objects.Pods = append(objects.Pods, state.Pod(name))
	}
	for _, name := range state.Names(KindClaim) {
		objects.Claims = append(objects.Claims, state.Claim(name))
	}
	objects.IsFixed = func(class string) bool { return class == fixedClass }
	for _, name := range state.Names(KindRevision) {
		objects.Revisions = append(objects.Revisions, state.Revision(name))
	}
	for _, name := range state.Names(KindSet) {
		objects.Others = append(objects.Others, state.Set(name))
	}
	return objects
}

func version(v int64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatInt(v, 10)
}

// ControlledBy reports whether a set is the controller of an object.
func ControlledBy(object Object, set *Set) bool {
	owner := metav1.GetControllerOf(object)
	return owner != nil && owner.UID == set.UID
}
