package engine

import (
	"time"

	"github.com/setplan/setplan/engine/model"
)

// mountedGrowth is how long a kubelet gets to grow the file system of a mounted volume. Most drivers can do so; for the others the pod has
// to start again (FileSystemResizePending, pkg/volume/util/operationexecutor/node_expander.go).
const mountedGrowth = 2 * time.Minute

// growFileSystem says what a file system waits for that the node has to grow, and notes a pod that is recreated for it: one that has not
// started since the volume grew, if the policy says so. Of one that has, the kubelet is about to do it.
func growFileSystem(v *view, slot int, c *model.Claim, waits *model.Condition, out *draft) {
	p := v.replicas[slot]
	if p == nil || p.Terminating() || waits.ChangedAt.IsZero() {
		out.block(blockFileSystemMounts(c, v.set.PodName(v.ordinal(slot))))
		return
	}
	since, older := waits.ChangedAt, !p.CreatedAt.After(waits.ChangedAt)
	if !older {
		since = p.CreatedAt
	}
	switch at := since.Add(mountedGrowth); {
	case at.After(v.now):
		out.lookAgainIn(at.Sub(v.now))
		out.block(blockFileSystemGrows(c, p.Name, at))
	case older && v.claimPolicy.recreates:
		if v.growing == nil {
			v.growing = map[int]bool{}
		}
		v.growing[slot] = true
		out.block(blockFileSystemRecreates(c, p.Name))
	default:
		out.block(blockFileSystemStays(c, p.Name))
	}
}
