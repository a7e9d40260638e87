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
		s := &setplanv1.Snapshot{Tables: to.Message()}

		is := podIn(s, pod, from.Message())
		tables := s.GetTables()
		got := []any{tables.GetLabelSets()[is.GetLabelSetIndex()].GetLabels(), ownersIn(s, is.GetOwnerSetIndex()), revisionIn(s, is),
			tables.GetVolumeSets()[is.GetVolumeSetIndex()].GetVolumes(), tables.GetAnnotationSets()[is.GetAnnotationSetIndex()].GetAnnotations()}
		want := []any{labels, []*setplanv1.OwnerReference{own}, "web-1a", []string{"www"}, notes}
		if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
			t.Errorf("%s: a pod: %s", name, diff)
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
	if pod := before.GetPods()[0]; revisionIn(before, pod) != "web-a" || wayOf(before, pod) != "web-b" || pod.GetContainers().GetContainers()[0].GetContainerId() != "new" {
		t.Errorf("before it the pod was %v", pod)
	}
}

// TestClaimUndoneInParts: of several changes of a claim each is taken out alone, and what others have changed stays.
func TestClaimUndoneInParts(t *testing.T) {
	look := func(owner, notes, changed, request, capacity, class string) *setplanv1.Snapshot {
		var tables setplan.Tables
		claim := &setplanv1.Claim{Name: "www-web-0", Uid: "c", StorageIndex: 1, OwnerSetIndex: tables.Owners(&setplanv1.OwnerReference{Uid: owner}),
			AnnotationSetIndex: tables.Annotations(map[string]string{claimMetadata: notes, claimChanged: changed})}
		tables.Message().ClaimStorages = []*setplanv1.ClaimStorage{{}, {Request: request, Capacity: capacity, AttributesClass: class}}
		return &setplanv1.Snapshot{Claims: []*setplanv1.Claim{claim}, Tables: tables.Message()}
	}
	says := func(s *setplanv1.Snapshot) string {
		claim := s.GetClaims()[0]
		notes, storage := notesIn(s, claim.GetAnnotationSetIndex()), storageIn(s, claim)
		return ownersIn(s, claim.GetOwnerSetIndex())[0].GetUid() + " " + notes[claimMetadata] + " " + notes[claimChanged] + " " + storage.GetRequest() + " " + storage.GetCapacity() + " " +
			storage.GetAttributesClass()
	}
	now := look("set", "b", "12:00", "2Gi", "2Gi", "fast")
	writes := between(look("pod", "a", "11:00", "1Gi", "1Gi", "slow"), now, nil)
	for i, want := range []struct {
		key
		left string
	}{
		{key{setClaimOwners, "www-web-0", "set false"}, "pod b 12:00 2Gi 2Gi fast"},
		{key{patchClaim, "www-web-0", "storage 2Gi"}, "set b 11:00 1Gi 1Gi fast"},
		{key{patchClaim, "www-web-0", "class fast"}, "set b 11:00 2Gi 2Gi slow"},
		{key{patchClaim, "www-web-0", "metadata b"}, "set a 12:00 2Gi 2Gi fast"},
	} {
		if got := says(undone(now, writes[i:i+1])); len(writes) != 4 || writes[i].key != want.key || got != want.left {
			t.Errorf("without %+v: %s, want %+v", writes[i].key, got, want)
		}
	}
	if got := says(undone(now, writes)); got != "pod a 11:00 1Gi 1Gi slow" || says(now) != "set b 12:00 2Gi 2Gi fast" {
		t.Errorf("without any of it: %s; now: %s", got, says(now))
	}
}

// TestWaysOfAPod: which writes a pod has had by what it was on its way to, and what it was before each.
func TestWaysOfAPod(t *testing.T) {
	look := func(label, way, cpu string) *setplanv1.Snapshot {
		var tables setplan.Tables
		note := `{"revision":"` + way + `"}`
		return &setplanv1.Snapshot{Set: &setplanv1.StatefulSet{Uid: "s"}, Pods: []*setplanv1.Pod{{Name: "web-1", Uid: "p", RevisionNameIndex: tables.RevisionName(label),
			OwnerSetIndex: tables.Owners(&setplanv1.OwnerReference{Uid: "s", Controller: true}), AnnotationSetIndex: tables.Annotations(map[string]string{"setplan.io/in-place-update": note}),
			Containers: &setplanv1.PodContainers{Containers: []*setplanv1.Container{{Name: "web", Resources: &setplanv1.ContainerResources{Requests: map[string]string{"cpu": cpu}}}}}}},
			Tables: tables.Message()}
	}
	says := func(s *setplanv1.Snapshot) string {
		pod := s.GetPods()[0]
		return revisionIn(s, pod) + ">" + wayOf(s, pod) + " " + pod.GetContainers().GetContainers()[0].GetResources().GetRequests()["cpu"]
	}
	for _, test := range []struct {
		why      string
		was, now *setplanv1.Snapshot
		want     []string // each write with what there is without it and all after it
	}{
		{"it starts", look("a", "", "1"), look("a", "b", "1"), []string{"update_pod b: a> 1"}},
		{"it starts and is resized", look("a", "", "1"), look("a", "b", "2"), []string{"update_pod b: a> 1", "resize_pod web requests.cpu 2: a>b 1"}},
		{"it is resized", look("a", "b", "1"), look("a", "b", "2"), []string{"resize_pod web requests.cpu 2: a>b 1"}},
		{"it is resized and arrives", look("a", "b", "1"), look("b", "", "2"), []string{"resize_pod web requests.cpu 2: a>b 1", "update_pod b: a>b 2"}},
		{"all of it", look("a", "", "1"), look("b", "", "2"), []string{"update_pod b: a> 1"}},
		{"it arrives and starts again", look("a", "b", "1"), look("b", "c", "1"), []string{"update_pod b: a>b 1", "update_pod c: b> 1"}},
		{"it is sent elsewhere", look("a", "b", "1"), look("a", "c", "1"), []string{"update_pod c: a>b 1"}},
		{"it is sent elsewhere and arrives", look("a", "b", "1"), look("c", "", "1"), []string{"update_pod c: a>b 1"}},
		{"it is sent back", look("a", "b", "1"), look("a", "a", "1"), []string{"update_pod a: a>b 1"}},
		{"it has come back", look("a", "a", "1"), look("a", "", "1"), []string{"update_pod : a>a 1"}},
		{"an autoscaler resizes it", look("a", "", "1"), look("a", "", "2"), nil},
	} {
		writes := between(test.was, test.now, nil)
		var got []string
		for i, w := range writes {
			got = append(got, w.operation+" "+w.detail+": "+says(undone(test.now, writes[i:])))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.why, diff)
		}
	}
}
