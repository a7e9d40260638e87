package conformance

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/need"
)

var snapshotCases = []conformanceCase{
	{"snapshot covers every kind once the caches are filled", "", func(t reporter, b *bench) {
		coverage := b.snapshot().GetCoverage()
		if !coverage.GetPods() || !coverage.GetClaims() || !coverage.GetRevisions() {
			t.Errorf("the coverage is %v", coverage)
		}
	}},
	{"snapshot has the pods that its rule asks for", "", func(t reporter, b *bench) {
		b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.create(b.podJSON("named-otherwise", "data-web-1", b.ownerJSON())) // controlled by the set
		b.create(b.podJSON("web-07", "data-web-1", strangerJSON))           // a member's name, somebody else's
		b.create(b.podJSON("web-x", "data-web-1", strangerJSON))
		b.create(b.podJSON("other-1", "data-web-1", "[]"))
		want(t, "pods", names(b.snapshot().GetPods()), "named-otherwise", "web-07", "web-1")
	}},
	{"snapshot has the claims that its rule asks for", "", func(t reporter, b *bench) {
		for _, name := range []string{"data-web-1", "data-web-99", "logs-web-1", "data-web-x", "data-webby-1"} {
			b.create(b.claimJSON(name, "[]"))
		}
		want(t, "claims", names(b.snapshot().GetClaims()), "data-web-1", "data-web-99")
	}},
	{"snapshot has the revisions that its rule asks for", "", func(t reporter, b *bench) {
		b.create(b.revisionJSON("named-otherwise", b.ownerJSON(), "a"))
		b.create(b.revisionJSON("web-1", strangerJSON, "a"))
		b.create(b.revisionJSON("nobodys", "[]", "a"))
		b.create(b.revisionJSON("other-1", strangerJSON, "a"))
		want(t, "revisions", names(b.snapshot().GetRevisions()), "named-otherwise", "nobodys", "web-1")
	}},
	{"snapshot describes a pod by flags and tables", "", func(t reporter, b *bench) {
		stored := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.create(b.podJSON("web-2", "elsewhere", b.ownerJSON()))
		s := b.snapshot()
		slices.SortFunc(s.Pods, func(a, b *setplanv1.Pod) int { return len(a.OtherClaims) - len(b.OtherClaims) })
		first, second := s.GetPods()[0], s.GetPods()[1]
		if first.GetUid() != string(stored.UID) || first.GetResourceVersion() == "" || first.GetCreatedUnixMs() == 0 {
			t.Errorf("identity: %v", first)
		}
		if !first.GetPodNameLabel() || !first.GetPodIndexLabel() || second.GetPodIndexLabel() {
			t.Errorf("identity labels: %v and %v", first, second)
		}
		tables := s.GetTables()
		if len(tables.GetRevisionNames()[0])+len(tables.GetLabelSets()[0].GetLabels())+len(tables.GetVolumeSets()[0].GetVolumes())+
			len(tables.GetOwnerSets()[0].GetOwners()) != 0 {
			t.Errorf("the first entry of a table is not empty, and index 0 means none: %v", tables)
		}
		if got := tables.GetRevisionNames()[first.GetRevisionNameIndex()]; got != "web-1" {
			t.Errorf("the revision is %q", got)
		}
		if got := tables.GetLabelSets()[first.GetLabelSetIndex()].GetLabels(); !reflect.DeepEqual(got, map[string]string{"app": "web", "tier": "db"}) {
			t.Errorf("the labels beside the identity labels are %v", got)
		}
		if got := tables.GetVolumeSets()[first.GetVolumeSetIndex()].GetVolumes(); !slices.Equal(got, []string{"data"}) {
			t.Errorf("the volumes are %v", got)
		}
		if got := tables.GetOwnerSets()[first.GetOwnerSetIndex()].GetOwners(); len(got) != 1 || !got[0].GetController() {
			t.Errorf("the owners are %v", got)
		}
		if got := second.GetOtherClaims(); len(got) != 1 || got[0].GetVolume() != "data" || got[0].GetClaim() != "elsewhere" {
			t.Errorf("the claim of another name is %v", got)
		}
	}},
	{"snapshot has the set's fields, and its templates as stored", "", func(t reporter, b *bench) {
		set := b.snapshot().GetSet()
		if set.GetUid() != string(b.set.UID) || set.GetGeneration() != b.set.Generation || set.GetReplicas() != 2 ||
			set.GetOrdinalsStart() != 1 || set.GetMinReadySeconds() != 7 || set.GetPodManagementPolicy() != "Parallel" ||
			set.GetRevisionHistoryLimit() != 3 || set.GetServiceName() != "web" ||
			set.GetUpdateStrategy().GetRollingUpdate().GetPartition() != 1 ||
			set.GetClaimRetention().GetWhenDeleted() != "Delete" || set.GetSelector().GetMatchLabels()["app"] != "web" ||
			set.GetAnnotations()["example.com/note"] != "kept" || set.GetApiVersion() == "" || set.GetKind() != kindSet {
			t.Errorf("the set is %v", set)
		}
		var stored struct {
			Spec struct {
				Template             any   `json:"template"`
				VolumeClaimTemplates []any `json:"volumeClaimTemplates"`
			} `json:"spec"`
		}
		unmarshal(t, b.Get(kindSet, "web"), &stored)
		var template, claim any
		unmarshal(t, set.GetPodTemplate(), &template)
		if !reflect.DeepEqual(template, stored.Spec.Template) {
			t.Errorf("the pod template is %s", set.GetPodTemplate())
		}
		if len(set.GetClaimTemplates()) != 1 {
			t.Fatalf("%d claim templates", len(set.GetClaimTemplates()))
		}
		unmarshal(t, set.GetClaimTemplates()[0], &claim)
		if !reflect.DeepEqual(claim, stored.Spec.VolumeClaimTemplates[0]) {
			t.Errorf("the claim template is %s", set.GetClaimTemplates()[0])
		}
	}},
	{"snapshot of a set that does not exist is ErrGone", "", func(_ reporter, b *bench) {
		b.WaitSynced()
		_, err := b.Source().Snapshot(context.Background(), adapters.Key{Namespace: b.key.Namespace, Name: "nobody"})
		b.gone(err)
	}},
}

func names[T interface{ GetName() string }](objects []T) []string {
	var list []string
	for _, object := range objects {
		list = append(list, object.GetName())
	}
	slices.Sort(list)
	return list
}

func want(t reporter, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("the %s are %v instead of %v", what, got, want)
	}
}

func unmarshal(t reporter, data []byte, into any) {
	t.Helper()
	need.NoError(t, json.Unmarshal(data, into))
}
