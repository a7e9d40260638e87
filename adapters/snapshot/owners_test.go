package snapshot

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"google.golang.org/protobuf/testing/protocmp"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestOwnersAreNotForged: an owner's name and uid may have any character, so no separator is safe. Their text must neither
// become another owner nor hide one.
func TestOwnersAreNotForged(t *testing.T) {
	yes := true
	for reason, references := range map[string][]metav1.OwnerReference{
		"none": nil,
		"a name that reads as a second owner": {{APIVersion: "v1", Kind: "Pod", UID: "real",
			Name: "x\x00real\x00\x00\x00apps/v1\x00StatefulSet\x00web\x00set-uid\x001\x001\x00v1\x00Pod\x00y"}},
		"a uid with lengths":     {{APIVersion: "v1", Kind: "Pod", Name: "3:web", UID: types.UID("7:apps/v1")}},
		"a name of nothing else": {{APIVersion: "v1", Kind: "Pod", Name: "\x00", UID: "\x00"}, {APIVersion: "v1", Kind: "Pod", Name: "p", UID: "u"}},
		"flags":                  {{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", UID: "u", Controller: &yes, BlockOwnerDeletion: &yes}},
	} {
		want := &setplanv1.OwnerSet{}
		for _, r := range references {
			want.Owners = append(want.Owners, &setplanv1.OwnerReference{ApiVersion: r.APIVersion, Kind: r.Kind, Name: r.Name, Uid: string(r.UID),
				Controller: r.Controller != nil, BlockOwnerDeletion: r.BlockOwnerDeletion != nil})
		}
		if diff := cmp.Diff(want, ownerSet(ownersText(references)), protocmp.Transform()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", reason, diff)
		}
	}
}

// TestOwnersOfOthers: whoever may write pods can give one an owner whose name is not valid text. Such a name gets U+FFFD as in
// JSON: a snapshot that could not be sent would stop the set.
func TestOwnersOfOthers(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-7", Namespace: "default", OwnerReferences: []metav1.OwnerReference{
		{APIVersion: "v1\xff", Kind: "K\xff", Name: "n\xff", UID: "u\xff"}}}}
	set := &Set{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"},
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", UID: "uid"}, Spec: json.RawMessage(`{}`)}
	made, err := Of(&Objects{Set: set, Pods: []*corev1.Pod{pod}}, nil, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := proto.Marshal(made); err != nil {
		t.Error(err)
	}
	if owner := made.Tables.OwnerSets[1].Owners[0]; owner.Name != "n\uFFFD" || owner.Uid != "u\uFFFD" {
		t.Errorf("the owner is %v", owner)
	}
}
