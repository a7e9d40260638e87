package codec

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// violations are invalid requests, and Decode's exact texts about them.
var violations = map[string]struct {
	breakIt func(*setplanv1.PlanRequest, *setplanv1.Snapshot)
	want    []string
}{
	"no snapshot": {func(r *setplanv1.PlanRequest, _ *setplanv1.Snapshot) { r.Snapshot = nil },
		[]string{"snapshot: required, unless objects is set"}},
	"no time": {func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) { s.ObservedAt = nil },
		[]string{"snapshot.observed_at: required"}},
	"impossible time": {
		func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) {
			s.ObservedAt = &timestamppb.Timestamp{Seconds: math.MaxInt64}
		},
		[]string{"snapshot.observed_at: outside the years 1 to 9999"}},
	"nothing drains at once": {func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) { s.Policy.Drain.MaxParallel = proto.Int32(0) },
		[]string{"snapshot.policy.drain.max_parallel: must be at least 1, is 0"}},
	"no set": {func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) { s.Set = nil },
		[]string{"snapshot.set: required"}},
	"empty set": {func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) { s.Set = &setplanv1.StatefulSet{} },
		[]string{"snapshot.set.api_version: required", "snapshot.set.kind: required", "snapshot.set.namespace: required",
			"snapshot.set.name: required", "snapshot.set.uid: required", "snapshot.set.pod_template: required"}},
	"negative numbers": {
		func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) {
			s.Set.Replicas, s.Set.OrdinalsStart, s.Set.MinReadySeconds = proto.Int32(-1), -2, -3
		},
		[]string{"snapshot.set.replicas: must not be negative, is -1",
			"snapshot.set.ordinals_start: must not be negative, is -2",
			"snapshot.set.min_ready_seconds: must not be negative, is -3"}},
	"set deleted at an impossible time": {
		func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) { s.Set.DeletionUnixMs = math.MinInt64 },
		[]string{"snapshot.set.deletion_unix_ms: outside the years 1 to 9999"}},
	"max unavailable without a value": {
		func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) {
			s.Set.UpdateStrategy.RollingUpdate.MaxUnavailable.Value = nil
		},
		[]string{"snapshot.set.update_strategy.rolling_update.max_unavailable: exactly one of count and percent is required"}},
	"max unavailable empty": {
		func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) {
			s.Set.UpdateStrategy.RollingUpdate.MaxUnavailable.Value = &setplanv1.IntOrPercent_Percent{}
		},
		[]string{"snapshot.set.update_strategy.rolling_update.max_unavailable.percent: must not be empty"}},
	"pod without identity": {
		func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) { s.Pods[1] = nil },
		[]string{"snapshot.pods[1].name: required", "snapshot.pods[1].uid: required"}},
	"claim without identity": {
		func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) { s.Claims[0] = nil },
		[]string{"snapshot.claims[0].name: required", "snapshot.claims[0].uid: required"}},
	"revision without identity": {
		func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) { s.Revisions[0] = nil },
		[]string{"snapshot.revisions[0].name: required", "snapshot.revisions[0].uid: required"}},
	"two pods of one name": {
		func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) { s.Pods[1].Name = "web-5" },
		[]string{`snapshot.pods[1].name: "web-5" is already the name of snapshot.pods[0]`}},
	"indices outside the tables": {
		func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) {
			s.Pods[0].LabelSetIndex, s.Pods[0].OwnerSetIndex, s.Pods[0].RevisionNameIndex, s.Pods[0].VolumeSetIndex = 2, 3, 4, math.MaxUint32
			s.Claims[0].OwnerSetIndex, s.Revisions[0].OwnerSetIndex = 2, 2
			s.Pods[0].AnnotationSetIndex, s.Claims[0].AnnotationSetIndex = 3, 4
		},
		[]string{"snapshot.pods[0].label_set_index: index 2 is outside the table of 2: entries count from 0",
			"snapshot.pods[0].owner_set_index: index 3 is outside the table of 2: entries count from 0",
			"snapshot.pods[0].revision_name_index: index 4 is outside the table of 2: entries count from 0",
			"snapshot.pods[0].volume_set_index: index 4294967295 is outside the table of 2: entries count from 0",
			"snapshot.pods[0].annotation_set_index: index 3 is outside the table of 3: entries count from 0",
			"snapshot.claims[0].owner_set_index: index 2 is outside the table of 2: entries count from 0",
			"snapshot.claims[0].annotation_set_index: index 4 is outside the table of 3: entries count from 0",
			"snapshot.revisions[0].owner_set_index: index 2 is outside the table of 2: entries count from 0"}},
	"tables of a client that counts otherwise": {
		func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) {
			t := s.Tables
			t.LabelSets, t.OwnerSets, t.RevisionNames, t.VolumeSets = t.LabelSets[1:], t.OwnerSets[1:], t.RevisionNames[1:], t.VolumeSets[1:]
			t.AnnotationSets = t.AnnotationSets[1:]
			s.Pods, s.Claims, s.Revisions = nil, nil, nil
		},
		[]string{`snapshot.tables.label_sets[0]: must be empty: index 0 means none, and index 1 is the second entry`,
			`snapshot.tables.owner_sets[0]: must be empty: index 0 means none, and index 1 is the second entry`,
			`snapshot.tables.revision_names[0]: must be empty: index 0 means none, and index 1 is the second entry`,
			`snapshot.tables.volume_sets[0]: must be empty: index 0 means none, and index 1 is the second entry`,
			`snapshot.tables.annotation_sets[0]: must be empty: index 0 means none, and index 1 is the second entry`}},
	"unknown phases": {
		func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) { s.Pods[0].Phase, s.Claims[0].Phase = 6, -1 },
		[]string{"snapshot.pods[0].phase: unknown value 6", "snapshot.claims[0].phase: unknown value -1"}},
	"impossible times": {
		func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) {
			p := s.Pods[0]
			p.ReadyChangedUnixMs, p.DeletionUnixMs, p.CreatedUnixMs = maxUnixMS+1, math.MaxInt64, math.MinInt64
		},
		[]string{"snapshot.pods[0].ready_changed_unix_ms: outside the years 1 to 9999",
			"snapshot.pods[0].deletion_unix_ms: outside the years 1 to 9999",
			"snapshot.pods[0].created_unix_ms: outside the years 1 to 9999"}},
	"containers without a name, and from an impossible time": {
		func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) {
			of := s.Pods[0].Containers
			of.Containers[1], of.InitContainers[0].Name, of.InitContainers[0].StartedUnixMs = nil, strings.Repeat("x", maxName+1), math.MaxInt64
		},
		[]string{"snapshot.pods[0].containers.containers[1].name: required",
			"snapshot.pods[0].containers.init_containers[0].name: has 254 bytes; the limit is 253",
			"snapshot.pods[0].containers.init_containers[0].started_unix_ms: outside the years 1 to 9999"}},
	"a resize at an impossible time": {
		func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) {
			s.Pods[0].Containers.ResizePending.SinceUnixMs, s.Pods[0].Containers.ResizeInProgress.SinceUnixMs = math.MaxInt64, math.MinInt64
		},
		[]string{"snapshot.pods[0].containers.resize_pending.since_unix_ms: outside the years 1 to 9999",
			"snapshot.pods[0].containers.resize_in_progress.since_unix_ms: outside the years 1 to 9999"}},
	"a container from an impossible time": {
		func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) {
			s.Pods[0].Containers.Containers[0].StartedUnixMs = math.MinInt64
		},
		[]string{"snapshot.pods[0].containers.containers[0].started_unix_ms: outside the years 1 to 9999"}},
	"no capabilities": {
		func(r *setplanv1.PlanRequest, _ *setplanv1.Snapshot) { r.Capabilities = nil },
		[]string{"capabilities: required: list the operations that you can execute; a caller that only reads plans lists every operation that it knows"}},
	"nothing at all": {
		func(r *setplanv1.PlanRequest, _ *setplanv1.Snapshot) { r.Capabilities, r.Snapshot = nil, nil },
		[]string{"capabilities: required: list the operations that you can execute; a caller that only reads plans lists every operation that it knows",
			"snapshot: required, unless objects is set"}},
	"a condition's impossible time": {
		func(_ *setplanv1.PlanRequest, s *setplanv1.Snapshot) {
			s.Set.Status.Conditions = []*setplanv1.Condition{{Type: "A"}, {Type: "B", LastTransitionTime: &timestamppb.Timestamp{Nanos: -1}}}
		},
		[]string{"snapshot.set.status.conditions[1].last_transition_time: outside the years 1 to 9999"}},
	"capability zero": {
		func(r *setplanv1.PlanRequest, _ *setplanv1.Snapshot) { r.Capabilities[1] = 0 },
		[]string{"capabilities[1]: must not be CAPABILITY_UNSPECIFIED"}},
}

func TestViolations(t *testing.T) {
	for name, test := range violations {
		t.Run(name, func(t *testing.T) {
			in := request()
			test.breakIt(in, in.Snapshot)
			_, err := Decode(in, Limits{})
			var invalid *InvalidError
			if !errors.As(err, &invalid) {
				t.Fatalf("err = %v, want an InvalidError", err)
			}
			var got []string
			for _, v := range invalid.Violations {
				got = append(got, v.String())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOddButAdmittedIsNoViolation(t *testing.T) {
	in := request()
	set := in.Snapshot.Set
	set.PodTemplate = []byte("not JSON")
	set.ClaimTemplates = [][]byte{nil}
	set.PodManagementPolicy, set.UpdateStrategy.Type = "Sideways", "Hope"
	set.ClaimRetention.WhenDeleted = "Shred"
	set.Selector = nil
	set.UpdateStrategy.RollingUpdate.Partition = -7
	set.UpdateStrategy.RollingUpdate.MaxUnavailable.Value = &setplanv1.IntOrPercent_Percent{Percent: "many"}
	if _, err := Decode(in, Limits{}); err != nil {
		t.Errorf("%v; that is the engine's business", err)
	}
}

func TestViolationsAreBounded(t *testing.T) {
	in := request()
	long := strings.Repeat("ä", maxName/2)
	in.Snapshot.Pods = nil
	for range 1000 {
		in.Snapshot.Pods = append(in.Snapshot.Pods, &setplanv1.Pod{Name: long, Uid: "u"})
	}
	_, err := Decode(in, Limits{})
	var invalid *InvalidError
	if !errors.As(err, &invalid) {
		t.Fatalf("err = %v, want an InvalidError", err)
	}
	if len(invalid.Violations) != maxViolations || invalid.Omitted != 999-maxViolations {
		t.Errorf("%d violations and %d omitted, want %d and %d", len(invalid.Violations), invalid.Omitted, maxViolations,
			999-maxViolations)
	}
	if n := len(fmt.Sprint(invalid.Violations)); n > 6<<10 {
		t.Errorf("the violations take %d bytes; they must fit a header of 8 KiB", n)
	}
	if got, want := invalid.Error(), " (and 998 more)"; !strings.HasSuffix(got, want) {
		t.Errorf("error %q does not end in %q", got, want)
	}
}

// TestSameNameTwice: a name that occurs twice is found anywhere, whatever the order of the list.
func TestSameNameTwice(t *testing.T) {
	for name, list := range map[string]struct {
		names []string
		want  string
	}{
		"counted":           {[]string{"web-2", "web-9", "web-10", "web-11"}, ""},
		"alphabet":          {[]string{"web-10", "web-2", "web-9"}, ""},
		"neighbours":        {[]string{"web-1", "web-2", "web-2"}, `snapshot.claims[2].name: "web-2" is already the name of snapshot.claims[1]`},
		"first and last":    {[]string{"web-1", "web-2", "web-3", "web-1"}, `snapshot.claims[3].name: "web-1" is already the name of snapshot.claims[0]`},
		"after a step back": {[]string{"web-5", "web-1", "web-7", "web-7"}, `snapshot.claims[3].name: "web-7" is already the name of snapshot.claims[2]`},
		"one without":       {[]string{"web-1", "", "web-1"}, `snapshot.claims[2].name: "web-1" is already the name of snapshot.claims[0]`},
	} {
		claims := make([]*setplanv1.Claim, len(list.names))
		for i, n := range list.names {
			claims[i] = &setplanv1.Claim{Name: n, Uid: "u"}
		}
		r := &report{}
		decodeClaims(r, decodeTables(r, nil), claims, &Memory{})
		got := ""
		for _, v := range r.violations {
			if v.Description != "required" {
				got += v.String()
			}
		}
		if got != list.want {
			t.Errorf("%s: got %q, want %q", name, got, list.want)
		}
	}
}
