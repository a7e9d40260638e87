package claims

import (
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// mountedGrowth is how long a kubelet gets to grow the file system of a mounted volume. Most drivers can do so; for the others the pod has
// to start again (FileSystemResizePending, pkg/volume/util/operationexecutor/node_expander.go).
const mountedGrowth = 2 * time.Minute

// growFileSystem says what a file system waits for that the node has to grow, and notes a pod that is recreated for it: one that has not
// started since the volume grew, if the policy says so. Of one that has, the kubelet is about to do it.
func growFileSystem(v *Claims, slot int, c *model.Claim, waits *model.Condition, out *state.Draft) {
	p := v.Replicas[slot]
	if p == nil || p.Terminating() || waits.ChangedAt.IsZero() {
		out.Block(blockFileSystemMounts(c, v.Set.PodName(v.Ordinal(slot))))
		return
	}
	since, older := waits.ChangedAt, !p.CreatedAt.After(waits.ChangedAt)
	if !older {
		since = p.CreatedAt
	}
	switch at := since.Add(mountedGrowth); {
	case at.After(v.Now):
		out.LookAgainIn(at.Sub(v.Now))
		out.Block(blockFileSystemGrows(c, p.Name, at))
	case older && v.ClaimPolicy.Recreates:
		if v.Growing == nil {
			v.Growing = map[int]bool{}
		}
		v.Growing[slot] = true
		out.Block(blockFileSystemRecreates(c, p.Name))
	default:
		out.Block(blockFileSystemStays(c, p.Name))
	}
}
