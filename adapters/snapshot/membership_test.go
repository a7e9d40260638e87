package snapshot

import (
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// web is set "web" of namespace "default", with claim templates of these names.
func web(templates ...string) *Set { return setOf("default", "web", templates...) }

func setOf(namespace, name string, templates ...string) *Set {
	spec := `{"volumeClaimTemplates":[{}`
	for _, template := range templates {
		spec += `,{"metadata":{"name":"` + template + `"}}`
	}
	return &Set{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: "set"}, Spec: []byte(spec + `]}`)}
}

// TestMembership: a snapshot has the objects that the rules of snapshot.proto name.
func TestMembership(t *testing.T) {
	meta := func(name string, uid types.UID) metav1.ObjectMeta {
		meta := metav1.ObjectMeta{Namespace: "default", Name: name}
		if uid != "" {
			meta.OwnerReferences = []metav1.OwnerReference{controllerRef(string(uid))}
		}
		return meta
	}
	pod := func(name string, uid types.UID) *corev1.Pod { return &corev1.Pod{ObjectMeta: meta(name, uid)} }
	claim := func(name string) *corev1.PersistentVolumeClaim {
		return &corev1.PersistentVolumeClaim{ObjectMeta: meta(name, "")}
	}
	revision := func(name string, uid types.UID) *appsv1.ControllerRevision {
		return &appsv1.ControllerRevision{ObjectMeta: meta(name, uid)}
	}
	owned := pod("web-x", "")
	owned.OwnerReferences = []metav1.OwnerReference{{UID: "set"}}
	elsewhere := pod("web-0", "set")
	elsewhere.Namespace = "other"
	for reason, row := range map[string]struct {
		object metav1.Object
		want   bool
	}{
		"it controls the pod, whatever its name":             {pod("renamed", "set"), true},
		"a pod with its name may be adopted":                 {pod("web-0", ""), true},
		"a pod with its name is in the way":                  {pod("web-0", "other"), true},
		"digits are digits; the planner judges":              {pod("web-01", ""), true},
		"an owner that is no controller":                     {owned, false},
		"the pod of an earlier set":                          {pod("renamed", "earlier"), false},
		"a pod of set web-a":                                 {pod("web-a-0", ""), false},
		"a pod without an ordinal":                           {pod("web-x", ""), false},
		"a pod of another namespace":                         {elsewhere, false},
		"a claim: template, set, ordinal":                    {claim("data-web-0"), true},
		"a claim of another template":                        {claim("logs-web-0"), false},
		"a claim of set web-a":                               {claim("data-web-a-0"), false},
		"it controls the revision":                           {revision("x", "set"), true},
		"any revision of the namespace that nobody controls": {revision("x", ""), true},
		"a revision takes a name of the set":                 {revision("web-1f", "other"), true},
		"a revision's name begins as the set's do":           {revision("web-a-1f", "other"), true},
		"a revision of another":                              {revision("db-1f", "other"), false},
	} {
		objects := &Objects{Set: web("data")}
		switch object := row.object.(type) {
		case *corev1.Pod:
			objects.Pods = append(objects.Pods, object)
		case *corev1.PersistentVolumeClaim:
			objects.Claims = append(objects.Claims, object)
		case *appsv1.ControllerRevision:
			objects.Revisions = append(objects.Revisions, object)
		}
		got, err := Of(objects, nil, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		if in := len(got.GetPods())+len(got.GetClaims())+len(got.GetRevisions()) == 1; in != row.want {
			t.Errorf("%s: in the snapshot: %t", reason, in)
		}
	}
}

// TestNeighbours: sets whose claims have the same names, by template and name.
func TestNeighbours(t *testing.T) {
	c := setOf("default", "c", "z", "a-b", "a")
	objects := &Objects{Set: c, Others: []*Set{setOf("default", "b-c", "none", "a"), c, setOf("default", "d", "a-b"), setOf("other", "b-c", "a"),
		setOf("default", "a-b-c"), setOf("default", "-c", "a", "z"), {ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "unreadable"}, Spec: []byte(`[]`)}}}
	var got []string
	for _, n := range objects.Neighbours() {
		got = append(got, n.GetClaimTemplate()+" of "+n.GetSet())
	}
	if want := []string{"a-b of b-c"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestOrder: objects are sorted by number and then by name, whatever the order of the lists, and also if the number is too large.
func TestOrder(t *testing.T) {
	want := []string{"web-01", "web-1", "web-2", "web-10", "web-18446744073709551615", "web-99999999999999999999"}
	objects := &Objects{Set: web()}
	for _, name := range want {
		objects.Pods = append([]*corev1.Pod{{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}}, objects.Pods...)
	}
	var got []string
	for _, pod := range objects.pods() {
		got = append(got, pod.Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
