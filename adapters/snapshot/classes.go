package snapshot

import (
	"slices"

	storagev1 "k8s.io/api/storage/v1"
)

// FixedClasses lists the storage classes of the claims that are in the tables and of which isFixed says that they let no volume grow, in order. A nil
// function knows of none. A claim without a class is not asked about: the API server says what becomes of it.
func (t *Tables) FixedClasses(isFixed func(class string) bool) (fixed []string) {
	if isFixed == nil {
		return nil
	}
	asked := map[string]bool{"": true}
	for _, storage := range t.out.ClaimStorages {
		if class := storage.GetStorageClass(); !asked[class] {
			if asked[class] = true; isFixed(class) {
				fixed = append(fixed, class)
			}
		}
	}
	slices.Sort(fixed)
	return fixed
}

// Expands reports whether the API server lets claims of a class grow (1.37.2, plugin/pkg/admission/storage/persistentvolume/resize).
func Expands(class *storagev1.StorageClass) bool {
	return class.AllowVolumeExpansion != nil && *class.AllowVolumeExpansion
}
