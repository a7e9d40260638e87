package wiretest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const (
	contractDoc = "../../server/LIMITS.md"
	aimPerPod   = 300
)

// stated finds the figure in contractDoc. The words must stand on one line:
// "Measured: 165 bytes per pod".
var stated = regexp.MustCompile(`Measured: (\d+) bytes per pod`)

// TestBytesPerPod measures what a set's snapshot grows by with each pod and its
// claim, and holds the docs to the figure.
func TestBytesPerPod(t *testing.T) {
	const pods = 1000
	snapshot := typicalSnapshot(pods)
	total := proto.Size(snapshot)
	claims := total - proto.Size(withoutClaims(snapshot))
	empty := proto.Size(typicalSnapshot(0))
	perPod := (total - empty + pods/2) / pods

	t.Logf("%d bytes per pod with its claim (%d + %d); a snapshot of %d pods has %d bytes",
		perPod, perPod-claims/pods, claims/pods, pods, total)
	if perPod > aimPerPod {
		t.Errorf("a pod costs %d bytes on the wire, and the aim is %d: put what pods share into a table", perPod, aimPerPod)
	}

	doc, err := os.ReadFile(contractDoc)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	found := stated.FindAllSubmatch(doc, -1)
	if len(found) == 0 {
		t.Errorf("server/LIMITS.md does not say %q", fmt.Sprintf("Measured: %d bytes per pod", perPod))
	}
	for _, match := range found {
		if string(match[1]) != strconv.Itoa(perPod) {
			t.Errorf("server/LIMITS.md says %q, and %d were measured", match[0], perPod)
		}
	}
}

func withoutClaims(snapshot *setplanv1.Snapshot) *setplanv1.Snapshot {
	without := proto.CloneOf(snapshot)
	without.Claims = nil
	return without
}

// typicalSnapshot is a set whose pods all run, with one claim each, no retention
// policy, and values as long as a real cluster has them.
func typicalSnapshot(pods int) *setplanv1.Snapshot {
	const (
		now = int64(1_800_000_000_000)
		set = "6d0ba4a8-3a52-4b2e-9d8a-2f0f1c0d9e11"
	)
	snapshot := &setplanv1.Snapshot{
		ObservedAt: &timestamppb.Timestamp{Seconds: now / 1000},
		Set: &setplanv1.StatefulSet{
			ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: "default", Name: "web", Uid: set,
			Replicas: proto.Int32(int32(pods)), ServiceName: "web",
		},
		Tables: &setplanv1.Tables{
			LabelSets:     []*setplanv1.LabelSet{{}, {Labels: map[string]string{"app.kubernetes.io/name": "web"}}},
			RevisionNames: []string{"", "web-7d4c9b8f6d"},
			VolumeSets:    []*setplanv1.VolumeSet{{}, {Volumes: []string{"www"}}},
			OwnerSets: []*setplanv1.OwnerSet{{}, {Owners: []*setplanv1.OwnerReference{{
				ApiVersion: "apps/v1", Kind: "StatefulSet", Name: "web", Uid: set, Controller: true, BlockOwnerDeletion: true,
			}}}},
		},
	}
	for i := range pods {
		name := fmt.Sprintf("web-%d", i)
		created := now - int64(pods-i)*10_000
		snapshot.Pods = append(snapshot.Pods, &setplanv1.Pod{
			Name: name, Uid: uid("0", i), ResourceVersion: strconv.Itoa(48_000_000 + i),
			Phase: setplanv1.PodPhase_POD_PHASE_RUNNING, Ready: true,
			CreatedUnixMs: created, ReadyChangedUnixMs: created + 7_000,
			LabelSetIndex: 1, OwnerSetIndex: 1, RevisionNameIndex: 1, VolumeSetIndex: 1, PodNameLabel: true, PodIndexLabel: true,
		})
		snapshot.Claims = append(snapshot.Claims, &setplanv1.Claim{
			Name: "www-" + name, Uid: uid("1", i), ResourceVersion: strconv.Itoa(47_000_000 + i),
			Phase: setplanv1.ClaimPhase_CLAIM_PHASE_BOUND,
		})
	}
	return snapshot
}

func uid(kind string, i int) string {
	return fmt.Sprintf("%s6d0ba4a-3a52-4b2e-9d8a-%012x", kind, i)
}
