package kube

import (
	"slices"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// drainsOnlyIn takes the right to delete claims away outside of the namespaces; nil where drains are allowed everywhere.
// The planner then holds what a drain policy protects, and says so. Finalizers stay allowed: a set whose policy is removed
// must be able to go.
func drainsOnlyIn(namespaces []string) func(adapters.Key) []setplanv1.Capability {
	if len(namespaces) == 0 {
		return nil
	}
	return func(key adapters.Key) []setplanv1.Capability {
		if slices.Contains(namespaces, key.Namespace) {
			return nil
		}
		return []setplanv1.Capability{setplanv1.Capability_CAPABILITY_DELETE_CLAIM}
	}
}
