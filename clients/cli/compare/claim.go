package compare

import (
	"google.golang.org/protobuf/proto"
	"k8s.io/apimachinery/pkg/api/resource"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The annotations that a planner has on claims which follow their templates.
const (
	claimRequest  = "setplan.io/claim-request"
	claimChanged  = "setplan.io/claim-changed"
	claimMetadata = "setplan.io/claim-metadata" // the digest of the labels and annotations that a template has given it
)

// patchKeys has a key for each thing that a patch changes: another controller may need several writes.
func patchKeys(claim string, patch *setplanv1.PatchClaim) (keys []key) {
	for _, is := range [...]struct{ what, to string }{
		{"storage", canonical(patch.GetRequest())},
		{"class", patch.GetAttributesClass()},
		{"metadata", patch.GetAnnotations()[claimMetadata]},
	} {
		if is.to != "" {
			keys = append(keys, key{patchClaim, claim, is.what + " " + is.to})
		}
	}
	return keys
}

// canonical spells equal amounts alike. What is no amount stays as it is.
func canonical(amount string) string {
	q, err := resource.ParseQuantity(amount)
	if err != nil {
		return amount
	}
	return q.String()
}

func (d *difference) claim(was, is *setplanv1.Claim) {
	switch {
	case was == nil:
		d.add("create_claim", is, "", func(s *setplanv1.Snapshot) { s.Claims = without(s.Claims, is) })
	case is != nil: // controllers write the owners and what it asks for, and the garbage collector deletes
		d.ownersOf(was, is)
		d.asks(was, is)
	}
}

func (d *difference) ownersOf(was, is *setplanv1.Claim) {
	owners := ownersText(ownersIn(d.now, is.GetOwnerSetIndex()))
	if owners == ownersText(ownersIn(d.old, was.GetOwnerSetIndex())) {
		return
	}
	d.changed(setClaimOwners, is, owners, func(s *setplanv1.Snapshot, c *setplanv1.Claim) {
		c.OwnerSetIndex = moved(&s.Tables.OwnerSets, d.old.GetTables().GetOwnerSets(), was.GetOwnerSetIndex(), &setplanv1.OwnerSet{})
	})
}

// asks finds what a claim asks for now and did not before. A volume without that is as it was, whatever its provider has done since.
func (d *difference) asks(was, is *setplanv1.Claim) {
	before, after, notes := storageIn(d.old, was), storageIn(d.now, is), notesIn(d.old, was.GetAnnotationSetIndex())
	if request := canonical(after.GetRequest()); request != canonical(before.GetRequest()) {
		d.changed(patchClaim, is, "storage "+request, func(s *setplanv1.Snapshot, c *setplanv1.Claim) {
			storage := ownStorage(s, c)
			storage.Request, storage.Capacity, storage.ResizeStatus, storage.Conditions = before.GetRequest(), before.GetCapacity(), before.GetResizeStatus(), before.GetConditions()
			c.AnnotationSetIndex = notesBack(s, c.GetAnnotationSetIndex(), notes, claimRequest, claimChanged)
		})
	}
	if class := after.GetAttributesClass(); class != before.GetAttributesClass() {
		d.changed(patchClaim, is, "class "+class, func(s *setplanv1.Snapshot, c *setplanv1.Claim) {
			storage := ownStorage(s, c)
			storage.AttributesClass, storage.CurrentAttributesClass, storage.ModifyStatus = before.GetAttributesClass(), before.GetCurrentAttributesClass(), before.GetModifyStatus()
			c.AnnotationSetIndex = notesBack(s, c.GetAnnotationSetIndex(), notes, claimChanged)
		})
	}
	if digest := notesIn(d.now, is.GetAnnotationSetIndex())[claimMetadata]; digest != notes[claimMetadata] {
		d.changed(patchClaim, is, "metadata "+digest, func(s *setplanv1.Snapshot, c *setplanv1.Claim) {
			c.AnnotationSetIndex = notesBack(s, c.GetAnnotationSetIndex(), notes, claimMetadata)
		})
	}
}

// changed adds one of several changes of a claim, with what undoes that and leaves the others.
func (d *difference) changed(operation string, is *setplanv1.Claim, to string, back func(*setplanv1.Snapshot, *setplanv1.Claim)) {
	d.add(operation, is, to, func(s *setplanv1.Snapshot) {
		changedIn(s.GetClaims(), is.GetName(), func(c *setplanv1.Claim) { back(s, c) })
	})
}

func storageIn(s *setplanv1.Snapshot, claim *setplanv1.Claim) *setplanv1.ClaimStorage {
	if all := s.GetTables().GetClaimStorages(); int(claim.GetStorageIndex()) < len(all) {
		return all[claim.GetStorageIndex()]
	}
	return nil
}

// ownStorage is what a claim asks for and has, and no longer shares with other claims.
func ownStorage(s *setplanv1.Snapshot, claim *setplanv1.Claim) *setplanv1.ClaimStorage {
	storage := proto.CloneOf(storageIn(s, claim))
	if storage == nil {
		storage = &setplanv1.ClaimStorage{}
	}
	claim.StorageIndex = added(&s.Tables.ClaimStorages, storage, &setplanv1.ClaimStorage{})
	return storage
}
