package snapshot

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
)

// TestFixedClasses: the classes of the claims that are there, each once and in order, and none where nobody knows of any.
func TestFixedClasses(t *testing.T) {
	tables := NewTables()
	for _, class := range []string{"slow", "fast", "archive", "", "slow"} {
		claim := &corev1.PersistentVolumeClaim{}
		if claim.Spec.StorageClassName = &class; class == "" {
			claim.Spec.StorageClassName = nil
		}
		claim.Status.AllocatedResourceStatuses = map[corev1.ResourceName]corev1.ClaimResourceStatus{corev1.ResourceStorage: corev1.PersistentVolumeClaimNodeResizePending}
		tables.Claim(Claim(claim))
	}
	for _, test := range []struct {
		name    string
		isFixed func(string) bool
		want    []string
	}{
		{"nobody knows", nil, nil},
		{"one grows", func(class string) bool { return class != "fast" }, []string{"archive", "slow"}},
		{"all grow", func(string) bool { return false }, nil},
	} {
		if got := tables.FixedClasses(test.isFixed); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestExpands: a class that does not say so does not, as for the API server.
func TestExpands(t *testing.T) {
	for says, want := range map[*bool]bool{nil: false, new(false): false, new(true): true} {
		if got := Expands(&storagev1.StorageClass{AllowVolumeExpansion: says}); got != want {
			t.Errorf("%v: %t", says, got)
		}
	}
}

// TestClassOfClaim: the annotation is what the API server goes by, where both are there.
func TestClassOfClaim(t *testing.T) {
	slow := "slow"
	for name, test := range map[string]struct {
		annotations map[string]string
		field       *string
		want        string
	}{
		"neither":        {nil, nil, ""},
		"the field":      {nil, &slow, "slow"},
		"the annotation": {map[string]string{corev1.BetaStorageClassAnnotation: "fast"}, nil, "fast"},
		"both":           {map[string]string{corev1.BetaStorageClassAnnotation: "fast"}, &slow, "fast"},
		"an empty one":   {map[string]string{corev1.BetaStorageClassAnnotation: ""}, &slow, ""},
	} {
		claim := &corev1.PersistentVolumeClaim{}
		claim.Annotations, claim.Spec.StorageClassName = test.annotations, test.field
		if got := storageClass(claim); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
