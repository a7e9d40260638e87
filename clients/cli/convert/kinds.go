package convert

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kind is a kind of sets.
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

// APIVersion is what a manifest says.
func (k Kind) APIVersion() string { return k.GroupVersion().String() }

// GVR is the resource in the API.
func (k Kind) GVR() schema.GroupVersionResource { return k.GroupVersion().WithResource("statefulsets") }

// argument is how kubectl is told of a set of the kind, whatever other kinds are called StatefulSet too.
func (k Kind) argument(name string) string { return k.GVR().GroupResource().String() + "/" + name }

// file is where a manifest of the kind is kept.
func (k Kind) file(name string) string { return name + "." + k.Group + ".yaml" }

// KindOf is the kind of an object that is moved; of Kruise's and PingCAP's any version counts.
func KindOf(gvk schema.GroupVersionKind) (Kind, error) {
	for _, kind := range []Kind{BuiltIn, Own, Kruise, PingCAP} {
		if gvk.GroupKind() == kind.GroupKind() {
			return Kind{gvk}, nil
		}
	}
	return Kind{}, fmt.Errorf("%s of %s cannot be converted; StatefulSets of apps, %s, %s and %s can", gvk.Kind, gvk.GroupVersion(), Own.Group, Kruise.Group, PingCAP.Group)
}

// Target is the kind that a set becomes: the named one, or else the usual one.
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
