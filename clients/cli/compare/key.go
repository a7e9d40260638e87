package compare

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// key tells writes apart: the same write has the same key, whoever wants it or has done it.
type key struct {
	operation string // as adapters.OperationName has it
	name      string
	detail    string // the revision of a new pod, the uid of a deleted one, what a change comes to
}

const (
	createPod      = "create_pod"
	deletePod      = "delete_pod"
	updatePod      = "update_pod"
	resizePod      = "resize_pod"
	patchClaim     = "patch_claim"
	setClaimOwners = "set_claim_owners"
)

// object is what a write is about, in words.
func (k key) object() string {
	_, kind, _ := strings.Cut(k.operation, "_")
	if k.operation == setClaimOwners {
		kind = "claim"
	}
	return strings.ReplaceAll(kind, "_", " ") + " " + k.name
}

// to is what a write comes to, where its object alone does not say what was done.
func (k key) to() string {
	switch {
	case k.operation == patchClaim && strings.HasPrefix(k.detail, "metadata "): // a digest
		return "labels and annotations"
	case k.operation == patchClaim || k.operation == resizePod:
		return k.detail
	}
	return ""
}

// revisionLabel is on each pod of a set.
const revisionLabel = "controller-revision-hash"

// keysOf returns the keys of an action: one for each thing that it changes of a claim, and none for a status, which is compared otherwise.
func keysOf(action *setplanv1.Action) []key {
	k := key{operation: adapters.OperationName(action), name: action.GetTarget().GetName()}
	switch o := action.GetOperation().(type) {
	case *setplanv1.Action_UpdateStatus:
		return nil
	case *setplanv1.Action_CreatePod:
		k.detail = revisionOf(o.CreatePod.GetManifest())
	case *setplanv1.Action_DeletePod, *setplanv1.Action_EvictPod: // to the pod it is the same
		k.operation, k.detail = deletePod, action.GetPrecondition().GetUid()
	case *setplanv1.Action_UpdatePod:
		k.detail = updatedTo(o.UpdatePod)
	case *setplanv1.Action_ResizePod:
		k.detail = resizedTo(o.ResizePod)
	case *setplanv1.Action_PatchClaim:
		return patchKeys(k.name, o.PatchClaim)
	case *setplanv1.Action_SetClaimOwners:
		k.detail = ownersText(o.SetClaimOwners.GetOwners())
	case *setplanv1.Action_RenumberRevision:
		k.detail = strconv.FormatInt(o.RenumberRevision.GetNumber(), 10)
	}
	return []key{k}
}

func revisionOf(manifest []byte) string {
	var pod struct {
		Metadata struct{ Labels map[string]string }
	}
	_ = json.Unmarshal(manifest, &pod) // one that is no JSON has no revision, and is nobody's pod
	return pod.Metadata.Labels[revisionLabel]
}

// ownersText is a list of owners in any order.
func ownersText(owners []*setplanv1.OwnerReference) string {
	texts := make([]string, len(owners))
	for i, owner := range owners {
		texts[i] = owner.GetUid() + " " + strconv.FormatBool(owner.GetController())
	}
	slices.Sort(texts)
	return strings.Join(texts, ", ")
}

// wishes are the actions of a plan by their keys, without the status.
func wishes(plan *setplanv1.Plan) (wanted map[key]*setplanv1.Action, status bool) {
	wanted = map[key]*setplanv1.Action{}
	for _, stage := range plan.GetStages() {
		for _, step := range stage.GetSteps() {
			for _, action := range step.GetActions() {
				status = status || action.GetUpdateStatus() != nil
				for _, k := range keysOf(action) {
					wanted[k] = action
				}
			}
		}
	}
	return wanted, status
}

func inOrder(a, b key) int {
	return cmp.Or(cmp.Compare(a.operation, b.operation), cmp.Compare(a.name, b.name), cmp.Compare(a.detail, b.detail))
}
