package convert

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kind is a kind of set.
type Kind struct{ schema.GroupVersionKind }

func statefulSet(group, version string) Kind {
	return Kind{schema.GroupVersionKind{Group: group, Version: version, Kind: "StatefulSet"}}
}

// The kinds that sets move between.
var (
	BuiltIn = statefulSet("apps", "v1")
	Own     = statefulSet("apps.setplan.io", "v1beta1")
	Kruise  = statefulSet("apps.kruise.io", "v1beta1")
	PingCAP = statefulSet("apps.pingcap.com", "v1")
)

// APIVersion returns the apiVersion of a manifest.
func (k Kind) APIVersion() string { return k.GroupVersion().String() }

// GVR returns the resource of the kind.
func (k Kind) GVR() schema.GroupVersionResource { return k.GroupVersion().WithResource("statefulsets") }

// argument names a set for kubectl, with its group, because several kinds are called StatefulSet.
func (k Kind) argument(name string) string { return k.GVR().GroupResource().String() + "/" + name }

// file returns the name of the file that keeps a manifest of the kind.
func (k Kind) file(name string) string { return name + "." + k.Group + ".yaml" }

// KindOf returns the kind of an object that can be moved, in any version. Other kinds are an error.
func KindOf(gvk schema.GroupVersionKind) (Kind, error) {
	for _, kind := range []Kind{BuiltIn, Own, Kruise, PingCAP} {
		if gvk.GroupKind() == kind.GroupKind() {
			return Kind{gvk}, nil
		}
	}
	return Kind{}, fmt.Errorf("%s of %s cannot be converted; StatefulSets of apps, %s, %s and %s can", gvk.Kind, gvk.GroupVersion(), Own.Group, Kruise.Group, PingCAP.Group)
}

// Target returns the kind that a set becomes: the named one or, without a name, BuiltIn for a set of Own and Own for any other.
func Target(from Kind, name string) (Kind, error) {
	usual, possible := Own, []Kind{BuiltIn, Own}
	if from.Group == Own.Group {
		usual = BuiltIn
	}
	if name == "" {
		return usual, nil
	}
	at := slices.IndexFunc(possible, func(k Kind) bool { return k.APIVersion() == name })
	switch {
	case at < 0:
		return Kind{}, fmt.Errorf("--to is %q, must be %s or %s", name, BuiltIn.APIVersion(), Own.APIVersion())
	case possible[at].Group == from.Group:
		return Kind{}, fmt.Errorf("the set is of %s already", from.APIVersion())
	}
	return possible[at], nil
}
