package kube

import (
	"errors"
	"fmt"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/setplan/setplan/adapters"
)

var quotaUsedUp = apierrors.NewForbidden(schema.GroupResource{Resource: "pods"}, "x", errors.New("quota"))

// TestBudgetHasNoLongDebt: sets that come under a new name each time, and are gone when it is their turn, do not take the
// budget for hours to come.
func TestBudgetHasNoLongDebt(t *testing.T) {
	now := time.Now()
	r := NewRetries(func() time.Time { return now })
	for second := range 600 {
		for i := range 20 {
			key := adapters.Key{Namespace: "busy", Name: fmt.Sprint(second, "-", i)}
			r.ended(key, quotaUsedUp, now, now)
			r.wait(key)
			r.Forgotten(key)
		}
		now = now.Add(time.Second)
	}
	neighbour := adapters.Key{Namespace: "good", Name: "db"}
	r.ended(neighbour, quotaUsedUp, now, now)
	if wait := r.wait(neighbour); wait > 2*longestTurn {
		t.Errorf("a neighbour waits %s", wait)
	}
	if len(r.sets) != 1 || len(r.turns) != 0 {
		t.Errorf("%d sets are remembered, and turns of %v", len(r.sets), r.turns)
	}
}

// TestTurnsOfANamespace: a thousand sets of one namespace that fail leave a set of another its turn within seconds.
func TestTurnsOfANamespace(t *testing.T) {
	now := time.Now()
	r := NewRetries(func() time.Time { return now })
	for i := range 1000 {
		key := adapters.Key{Namespace: "busy", Name: fmt.Sprint(i)}
		r.ended(key, quotaUsedUp, now, now)
		r.wait(key)
	}
	neighbour := adapters.Key{Namespace: "good", Name: "db"}
	r.ended(neighbour, quotaUsedUp, now, now)
	if wait := r.wait(neighbour); wait > 10*time.Second {
		t.Errorf("a neighbour waits %s", wait)
	}
	now = now.Add(longestTurn)
	for i := range 1000 {
		r.wait(adapters.Key{Namespace: "busy", Name: fmt.Sprint(i)})
	}
	if r.turns["busy"] == 0 || r.turns["busy"] > turnsAtOnce {
		t.Errorf("%d turns are taken", r.turns["busy"])
	}
}

// TestHeldIsNoSuccess: a pass that met a closed gate says nothing of whether the set still fails.
func TestHeldIsNoSuccess(t *testing.T) {
	now := time.Now()
	r, key := NewRetries(func() time.Time { return now }), adapters.Key{Namespace: "a", Name: "web"}
	r.ended(key, quotaUsedUp, now, now)
	r.Held(key, adapters.ReasonGate, nil)
	r.ended(key, nil, now, now)
	if !r.slow(key) {
		t.Error("a closed gate has made it healthy")
	}
	if r.ended(key, nil, now, now); r.slow(key) {
		t.Error("a pass that went well has not")
	}
}
