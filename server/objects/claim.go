package objects

import (
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
	var meta, spec, status rawjson.Value
	for key, member := range b.members(v) {
		switch string(key) {
		case "metadata":
			meta = member
		case "spec":
			spec = member
		case "status":
			status = member
		}
	}
	m := b.metadata(meta)
	out := &setplanv1.Claim{
		Name:               m.name,
		Uid:                m.uid,
		ResourceVersion:    m.resourceVersion,
		DeletionUnixMs:     m.deleted,
		OwnerSetIndex:      b.owners(m.owners),
		AnnotationSetIndex: b.annotations(m.annotations),
	}
	storage := &setplanv1.ClaimStorage{}
	for key, member := range b.members(spec) {
		switch string(key) {
		case "resources":
			storage.Request = b.amount(b.get(member, "requests", "storage"))
		case "storageClassName":
			storage.StorageClass = b.text(member)
		case "volumeAttributesClassName":
			storage.AttributesClass = b.text(member)
		}
	}
	if older := b.get(m.annotations, betaClass); older.Kind() != 0 {
		storage.StorageClass = b.text(older)
	}
	for key, member := range b.members(status) {
		switch string(key) {
		case "phase":
			out.Phase = claimPhases[b.text(member)]
		case "capacity":
			storage.Capacity = b.amount(b.get(member, "storage"))
		case "allocatedResourceStatuses":
			storage.ResizeStatus = b.text(b.get(member, "storage"))
		case "currentVolumeAttributesClassName":
			storage.CurrentAttributesClass = b.text(member)
		case "modifyVolumeStatus":
			storage.ModifyStatus = b.text(b.get(member, "status"))
		case "conditions":
			storage.Conditions = b.conditions(member)
		}
	}
	out.StorageIndex = b.claimStorage(storage)
	return out
}

func (b *builder) revision(v rawjson.Value) *setplanv1.Revision {
	var meta, number, data rawjson.Value
	for key, member := range b.members(v) {
		switch string(key) {
		case "metadata":
			meta = member
		case "revision":
			number = member
		case "data":
			data = member
		}
	}
	m := b.metadata(meta)
	out := &setplanv1.Revision{
		Name:            m.name,
		Uid:             m.uid,
		ResourceVersion: m.resourceVersion,
		Number:          b.int64(number),
		OwnerSetIndex:   b.owners(m.owners),
		Labels:          b.strings(m.labels, ""),
		CreatedUnixMs:   m.created,
	}
	if data.Is() {
		out.Data = data.Raw()
	}
	return out
}
