package show

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// detail is what an operation says beyond its target. Manifests are long and hold secrets, so wide text shows their checksums: plans
// with different manifests differ in their text.
func detail(style Style, action *setplanv1.Action) string {
	var parts []string
	switch op := action.GetOperation().(type) {
	case *setplanv1.Action_PatchPod:
		labels := op.PatchPod.GetLabels()
		for _, key := range slices.Sorted(maps.Keys(labels)) {
			parts = append(parts, key+"="+labels[key])
		}
		for _, claim := range op.PatchPod.GetClaims() {
			parts = append(parts, claim.GetVolume()+":"+claim.GetClaim())
		}
	case *setplanv1.Action_UpdatePod:
		for _, list := range [][]*setplanv1.ContainerImage{op.UpdatePod.GetInitContainers(), op.UpdatePod.GetContainers()} {
			for _, c := range list {
				parts = append(parts, c.GetName()+"="+c.GetImage())
			}
		}
	case *setplanv1.Action_ResizePod:
		for _, list := range [][]*setplanv1.ContainerResize{op.ResizePod.GetInitContainers(), op.ResizePod.GetContainers()} {
			for _, c := range list {
				parts = append(parts, amounts(c.GetName()+".limits.", c.GetLimits())...)
				parts = append(parts, amounts(c.GetName()+".requests.", c.GetRequests())...)
			}
		}
	case *setplanv1.Action_SetClaimOwners:
		parts = append(parts, "owners:")
		for _, owner := range op.SetClaimOwners.GetOwners() {
			parts = append(parts, owner.GetKind()+"/"+owner.GetName())
		}
	case *setplanv1.Action_RenumberRevision:
		parts = append(parts, fmt.Sprintf("number %d", op.RenumberRevision.GetNumber()))
	case *setplanv1.Action_UpdateStatus:
		if style.Wide {
			parts = append(parts, statusText(op.UpdateStatus.GetStatus()))
		}
	case *setplanv1.Action_CreatePod:
		parts = manifest(style, op.CreatePod.GetManifest())
	case *setplanv1.Action_CreateClaim:
		parts = manifest(style, op.CreateClaim.GetManifest())
	case *setplanv1.Action_CreateRevision:
		parts = manifest(style, op.CreateRevision.GetManifest())
	}
	if len(parts) == 0 {
		return ""
	}
	return " [" + strings.Join(parts, " ") + "]"
}

func amounts(prefix string, of map[string]string) (parts []string) {
	for _, resource := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, prefix+resource+"="+of[resource])
	}
	return parts
}

func manifest(style Style, data []byte) []string {
	if !style.Wide {
		return nil
	}
	return []string{fmt.Sprintf("manifest of %d bytes, sha256 %.8x", len(data), sha256.Sum256(data))}
}

func statusText(s *setplanv1.StatefulSetStatus) string {
	text := fmt.Sprintf("generation %d replicas %d ready %d available %d current %d (%s) updated %d (%s)", s.GetObservedGeneration(),
		s.GetReplicas(), s.GetReadyReplicas(), s.GetAvailableReplicas(), s.GetCurrentReplicas(), s.GetCurrentRevision(),
		s.GetUpdatedReplicas(), s.GetUpdateRevision())
	if s.CollisionCount != nil {
		text += fmt.Sprintf(" collisions %d", s.GetCollisionCount())
	}
	return text
}
