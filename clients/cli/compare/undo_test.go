package compare

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestMovedBetweenTables: an object that is put back means what it meant in its own snapshot, whatever the tables of the other one hold.
func TestMovedBetweenTables(t *testing.T) {
	own := &setplanv1.OwnerReference{Uid: "s", Controller: true}
	for name, fill := range map[string]func(*setplan.Tables){
		"empty tables": func(*setplan.Tables) {},
		"other entries": func(tables *setplan.Tables) {
			tables.Labels(map[string]string{"a": "b"})
			tables.Owners(&setplanv1.OwnerReference{Uid: "x"})
			tables.RevisionName("web-x")
			tables.Volumes("x")
			tables.Annotations(map[string]string{"setplan.io/x": "y"})
		},
	} {
		var from, to setplan.Tables
		fill(&to)
		labels, notes := map[string]string{"app": "web"}, map[string]string{"setplan.io/recreate": "now"}
		pod := &setplanv1.Pod{Name: "web-1", Uid: "p", LabelSetIndex: from.Labels(labels), OwnerSetIndex: from.Owners(own), RevisionNameIndex: from.RevisionName("web-1a"),
			VolumeSetIndex: from.Volumes("www"), AnnotationSetIndex: from.Annotations(notes)}
		claim := &setplanv1.Claim{Name: "www-web-1", OwnerSetIndex: from.Owners(own), AnnotationSetIndex: from.Annotations(notes), StorageIndex: 1}
		from.Message().ClaimStorages = []*setplanv1.ClaimStorage{{}, {Request: "1Gi"}}
		s := &setplanv1.Snapshot{Tables: to.Message()}

		is := podIn(s, pod, from.Message())
		tables := s.GetTables()
		got := []any{tables.GetLabelSets()[is.GetLabelSetIndex()].GetLabels(), ownersIn(s, is.GetOwnerSetIndex()), revisionIn(s, is),
			tables.GetVolumeSets()[is.GetVolumeSetIndex()].GetVolumes(), tables.GetAnnotationSets()[is.GetAnnotationSetIndex()].GetAnnotations()}
		want := []any{labels, []*setplanv1.OwnerReference{own}, "web-1a", []string{"www"}, notes}
		if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
			t.Errorf("%s: a pod: %s", name, diff)
		}
		c := claimIn(s, claim, from.Message())
		got = []any{ownersIn(s, c.GetOwnerSetIndex()), tables.GetAnnotationSets()[c.GetAnnotationSetIndex()].GetAnnotations(), tables.GetClaimStorages()[c.GetStorageIndex()].GetRequest()}
		if diff := cmp.Diff([]any{[]*setplanv1.OwnerReference{own}, notes, "1Gi"}, got, protocmp.Transform()); diff != "" {
			t.Errorf("%s: a claim: %s", name, diff)
		}
		r := revisionBack(s, &setplanv1.Revision{OwnerSetIndex: from.Owners(own)}, from.Message())
		if owners := ownersIn(s, r.GetOwnerSetIndex()); len(owners) != 1 || owners[0].GetUid() != "s" {
			t.Errorf("%s: a revision: %v", name, owners)
		}
		if first := tables.GetRevisionNames()[0] + ownersText(ownersIn(s, 0)); first != "" {
			t.Errorf("%s: the first entry, which means none, is %q", name, first)
		}
	}
}

// TestLabelAfterImages: a label that follows images is judged by what ran when it was written, and not by what ran when somebody last looked.
func TestLabelAfterImages(t *testing.T) {
	look := func(revision, record, id string) *setplanv1.Snapshot {
		var tables setplan.Tables
		return &setplanv1.Snapshot{Set: &setplanv1.StatefulSet{Uid: "s"}, Pods: []*setplanv1.Pod{{Name: "web-1", Uid: "p", RevisionNameIndex: tables.RevisionName(revision),
			OwnerSetIndex: tables.Owners(&setplanv1.OwnerReference{Uid: "s", Controller: true}), AnnotationSetIndex: tables.Annotations(map[string]string{"setplan.io/in-place-update": record}),
			Containers: &setplanv1.PodContainers{Containers: []*setplanv1.Container{{Name: "web", ContainerId: id}}}}}, Tables: tables.Message()}
	}
	now := look("web-b", "{}", "new")
	writes := between(look("web-a", `{"revision":"web-b"}`, "old"), now, nil)
	if len(writes) != 1 || writes[0].key != (key{"update_pod", "web-1", "web-b"}) {
		t.Fatalf("%+v", writes)
	}
	before := undone(now, writes)
	if pod := before.GetPods()[0]; revisionIn(before, pod) != "web-a" || runsIn(before, pod) != "web-b" || pod.GetContainers().GetContainers()[0].GetContainerId() != "new" {
		t.Errorf("before it the pod was %v", pod)
	}
}
