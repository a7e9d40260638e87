package plan

import "github.com/setplan/setplan/engine/model"

// What a part of an operation takes; of owners there may be very many, here and as a message.
const (
	sizeOfPart  = 64
	sizeOfOwner = 192
)

// sizeOf is roughly the size of an action in a message and in memory.
func sizeOf(a *model.Action) int {
	return sizeOfPart + len(a.ID) + len(a.Name) + len(a.UID) + len(a.ResourceVersion) + len(a.Cause.Message) + sizeOfOperation(a.Op)
}

// sizeOfOperation counts what may be long.
func sizeOfOperation(op model.Operation) (size int) {
	switch op := op.(type) {
	case model.CreatePod:
		return len(op.Manifest)
	case model.CreateClaim:
		return len(op.Manifest)
	case model.CreateRevision:
		return len(op.Manifest)
	case model.PatchClaim:
		return sizeOfEntries(op.Labels, op.Annotations)
	case model.UpdatePod:
		for _, list := range [...][]string{op.RemoveLabels, op.RemoveAnnotations} {
			for _, key := range list {
				size += sizeOfPart + len(key)
			}
		}
		for _, list := range [...][]model.ContainerImage{op.Containers, op.InitContainers} {
			for _, c := range list {
				size += sizeOfPart + len(c.Name) + len(c.Image)
			}
		}
		return size + sizeOfEntries(op.Labels, op.Annotations)
	case model.ResizePod:
		for _, list := range [...][]model.ContainerResize{op.Containers, op.InitContainers} {
			for i := range list {
				size += sizeOfPart + len(list[i].Name)
				for _, key := range model.Resizable {
					if value := *key.Of(&list[i].Resources); value != "" {
						size += sizeOfPart + len(value)
					}
				}
			}
		}
	case model.SetClaimOwners:
		for i := range op.Owners {
			o := &op.Owners[i]
			size += sizeOfOwner + len(o.APIVersion) + len(o.Kind) + len(o.Name) + len(o.UID)
		}
	case model.PatchPod:
		for _, c := range op.Claims {
			size += sizeOfPart + len(c.Volume) + len(c.Claim)
		}
	}
	return size
}

func sizeOfEntries(lists ...[]model.KeyValue) (size int) {
	for _, list := range lists {
		for _, entry := range list {
			size += sizeOfPart + len(entry.Key) + len(entry.Value)
		}
	}
	return size
}
