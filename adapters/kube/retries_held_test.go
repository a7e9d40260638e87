package kube

import (
	"errors"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/setplan/setplan/adapters"
)

var quotaUsedUp = apierrors.NewForbidden(schema.GroupResource{Resource: "pods"}, "x", errors.New("quota"))

// TestHeldIsNoSuccess: a pass that met a closed gate does not show whether the set still fails.
func TestHeldIsNoSuccess(t *testing.T) {
	now := time.Now()
	r, key := NewRetries(func() time.Time { return now }), adapters.Key{Namespace: "a", Name: "web"}
	r.ended(key, quotaUsedUp, now)
	r.Held(key, adapters.ReasonGate, nil)
	r.ended(key, nil, now)
	if !r.slow(key) {
		t.Error("a closed gate counts as success")
	}
	if r.ended(key, nil, now); r.slow(key) {
		t.Error("a successful pass does not count as success")
	}
}

// TestHeldInTheMiddle: a pass that fails because another controller begins to write does not count for the next pass.
func TestHeldInTheMiddle(t *testing.T) {
	now := time.Unix(1000, 0)
	r := NewRetries(func() time.Time { return now })
	r.ended(webKey, errors.New("no"), now)
	r.Held(webKey, adapters.ReasonForeignWriter, nil)
	r.ended(webKey, adapters.ErrPlanDropped, now)
	if r.ended(webKey, nil, now); len(r.sets) != 0 {
		t.Errorf("after a success it remembers %+v", r.sets[webKey])
	}
}
