//go:build e2e

package e2e

import (
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
)

func startingAt(ordinal int32) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) { set.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: ordinal} }
}

// TestStartOrdinal moves the range up and down: missing pods are created first, lowest first, and then pods outside the range
// are deleted, highest first.
func TestStartOrdinal(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	s.create(webSet("web", 3, startingAt(2)))
	s.settled("web")
	then(born("web-2"), born("web-3"), born("web-4"))
	if index := s.pod("web-3").Labels[appsv1.PodIndexLabel]; index != "3" {
		t.Errorf("web-3 has index %q, want 3", index)
	}
	s.wantClaims("+www-web-2", "+www-web-3", "+www-web-4")
	kept := s.pod("web-4").UID

	s.patch("web", `{"spec":{"ordinals":{"start":4}}}`)
	s.settled("web")
	then(born("web-5"), born("web-6"), gone("web-3"), gone("web-2"))

	s.patch("web", `{"spec":{"ordinals":{"start":3}}}`)
	s.settled("web")
	then(born("web-3"), gone("web-6"))
	if now := s.pod("web-4").UID; now != kept {
		t.Error("web-4 was replaced, although it was always in the range")
	}

	s.patch("web", `{"spec":{"ordinals":null}}`)
	s.settled("web")
	then(born("web-0"), born("web-1"), born("web-2"), gone("web-5"), gone("web-4"), gone("web-3"))
	// Claims stay by default, and web-2 and web-3 use theirs again.
	s.wantClaims("+www-web-2", "+www-web-3", "+www-web-4", "+www-web-5", "+www-web-6", "+www-web-0", "+www-web-1")
	if got := len(s.revisions()); got != 1 {
		t.Errorf("%d revisions, want 1: the start ordinal is no part of the template", got)
	}
}

// wantClaims checks what happened to claims.
func (s *scene) wantClaims(want ...string) {
	s.Helper()
	s.caughtUp(s)
	if got := s.events("PersistentVolumeClaim"); !slices.Equal(got, want) {
		s.Errorf("claims: %v\nwant: %v", got, want)
	}
}

// TestStartOrdinalWithRetention: an ordinal below the range is condemned like one above.
func TestStartOrdinalWithRetention(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	s.create(webSet("web", 2, retention(retain, remove)))
	s.settled("web")
	then(born("web-0"), born("web-1"))
	s.patch("web", `{"spec":{"ordinals":{"start":1}}}`)
	then(born("web-2"), gone("web-0"))
	s.claimsBecome("www-web-1 www-web-2")
	s.ownedBefore("www-web-0", "Pod/web-0*", "web-0")
}

// TestStartOrdinalWithPartition: the partition counts places of the range, not ordinals.
func TestStartOrdinalWithPartition(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	then := s.teller()
	s.create(webSet("web", 3, withoutClaims, startingAt(5), partition(2)))
	s.settled("web")
	then(born("web-5"), born("web-6"), born("web-7"))
	s.image("web", "registry.example/nginx:2")
	s.steady("web", 1)
	then(replaced("web-7"))
	s.deletePod("web-5")
	s.steady("web", 1)
	then(replaced("web-5"))
	for name, want := range map[string]string{"web-5": "nginx:1", "web-6": "nginx:1", "web-7": "nginx:2"} {
		if got := imageOf(s.pod(name)); got != want {
			t.Errorf("%s has image %s, want %s", name, got, want)
		}
	}
}
