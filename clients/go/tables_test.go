package setplan_test

import (
	"testing"

	"google.golang.org/protobuf/proto"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func TestTables(t *testing.T) {
	owner := &setplanv1.OwnerReference{Kind: "StatefulSet", Name: "web", Uid: "u"}
	tables := &setplan.Tables{}
	for _, index := range []struct {
		of        string
		got, want uint32
	}{
		{"no labels", tables.Labels(nil), 0},
		{"labels", tables.Labels(map[string]string{"app": "web", "tier": "a"}), 1},
		{"the same labels", tables.Labels(map[string]string{"tier": "a", "app": "web"}), 1},
		{"other labels", tables.Labels(map[string]string{"app": "db"}), 2},
		{"no owner", tables.Owners(), 0},
		{"an owner", tables.Owners(owner), 1},
		{"the owner twice", tables.Owners(owner, owner), 2},
		{"no revision", tables.RevisionName(""), 0},
		{"a revision", tables.RevisionName("web-1"), 1},
		{"another", tables.RevisionName("web-2"), 2},
		{"the first again", tables.RevisionName("web-1"), 1},
		{"no volume", tables.Volumes(), 0},
		{"volumes", tables.Volumes("data", "logs"), 1},
		{"no annotation", tables.Annotations(nil), 0},
		{"what no message can carry", tables.Labels(map[string]string{"app": "\xff"}), 3},
		{"and something else like it", tables.Labels(map[string]string{"app": "\xfe"}), 4},
		{"annotations with the content of labels", tables.Annotations(map[string]string{"app": "db"}), 1},
	} {
		if index.got != index.want {
			t.Errorf("%s: index %d instead of %d", index.of, index.got, index.want)
		}
	}
	want := &setplanv1.Tables{
		LabelSets: []*setplanv1.LabelSet{{}, {Labels: map[string]string{"app": "web", "tier": "a"}}, {Labels: map[string]string{"app": "db"}},
			{Labels: map[string]string{"app": "\xff"}}, {Labels: map[string]string{"app": "\xfe"}}},
		OwnerSets:      []*setplanv1.OwnerSet{{}, {Owners: []*setplanv1.OwnerReference{owner}}, {Owners: []*setplanv1.OwnerReference{owner, owner}}},
		RevisionNames:  []string{"", "web-1", "web-2"},
		VolumeSets:     []*setplanv1.VolumeSet{{}, {Volumes: []string{"data", "logs"}}},
		AnnotationSets: []*setplanv1.AnnotationSet{{}, {Annotations: map[string]string{"app": "db"}}},
	}
	if got := tables.Message(); !proto.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}
