package objects

import (
	"slices"

	"github.com/setplan/setplan/proto/rawjson"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// betaClass is older than spec.storageClassName, and goes before it.
const betaClass = "volume.beta.kubernetes.io/storage-class"

var claimPhases = map[string]setplanv1.ClaimPhase{
	"Pending": setplanv1.ClaimPhase_CLAIM_PHASE_PENDING,
	"Bound":   setplanv1.ClaimPhase_CLAIM_PHASE_BOUND,
	"Lost":    setplanv1.ClaimPhase_CLAIM_PHASE_LOST,
}

func (b *builder) claim(v rawjson.Value) *setplanv1.Claim {
	meta, spec, status := b.parts(v)
	m := b.metadata(meta)
	storage := &setplanv1.ClaimStorage{}
	var phase string
	var resources, capacity, resize, modify, conditions rawjson.Value
	b.read(spec, field{"resources", &resources}, field{"storageClassName", &storage.StorageClass},
		field{"volumeAttributesClassName", &storage.AttributesClass})
	b.read(status, field{"phase", &phase}, field{"capacity", &capacity}, field{"allocatedResourceStatuses", &resize},
		field{"currentVolumeAttributesClassName", &storage.CurrentAttributesClass}, field{"modifyVolumeStatus", &modify}, field{"conditions", &conditions})
	b.read(m.annotations, field{betaClass, &storage.StorageClass})
	b.read(resize, field{"storage", &storage.ResizeStatus})
	b.read(modify, field{"status", &storage.ModifyStatus})
	storage.Request = b.amount(b.get(resources, "requests", "storage"))
	storage.Capacity = b.amount(b.get(capacity, "storage"))
	// One of them changes with each pod that comes or goes, since Kubernetes 1.37, and says nothing that a plan follows.
	storage.Conditions = slices.DeleteFunc(b.conditions(conditions), func(c *setplanv1.Condition) bool { return c.GetType() == "Unused" })
	return &setplanv1.Claim{
		Name:               m.name,
		Uid:                m.uid,
		ResourceVersion:    m.resourceVersion,
		Phase:              claimPhases[phase],
		DeletionUnixMs:     int64(m.deleted),
		OwnerSetIndex:      b.owners(m.owners),
		AnnotationSetIndex: b.annotations(m.annotations),
		StorageIndex:       b.claimStorage(storage),
	}
}

func (b *builder) revision(v rawjson.Value) *setplanv1.Revision {
	var meta, data rawjson.Value
	out := &setplanv1.Revision{}
	b.read(v, field{"metadata", &meta}, field{"revision", &out.Number}, field{"data", &data})
	m := b.metadata(meta)
	out.Name, out.Uid, out.ResourceVersion, out.CreatedUnixMs = m.name, m.uid, m.resourceVersion, int64(m.created)
	out.OwnerSetIndex, out.Labels = b.owners(m.owners), b.strings(m.labels, "")
	if data.Is() {
		out.Data = data.Raw()
	}
	return out
}
