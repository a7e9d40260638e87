package engine

import "testing"

// TestClaimOfFixedClass: what the block says of claims whose storage class lets no volume grow, and that other attributes and labels do
// not wait for it.
func TestClaimOfFixedClass(t *testing.T) {
	w := disks(3).asks(annotationClaimTemplates, `{"www":{"metadata":{"labels":{"tier":"gold"}},"spec":{"volumeAttributesClassName":"gold","resources":{"requests":{"storage":"20Gi"}}}}}`)
	w.FixedClasses = []string{"fast"}
	plan := Decide(&w.Snapshot)
	writes := 0
	for _, a := range allActions(plan) {
		op, patches := a.Op.(PatchClaim)
		if !patches {
			continue
		}
		writes++
		if op.Request != "" {
			t.Errorf("%s asks for %s", a.Name, op.Request)
		}
		for _, note := range op.Annotations {
			if note.Key == annotationClaimRequest {
				t.Errorf("%s notes that %s was asked for", a.Name, note.Value)
			}
		}
	}
	if writes != 3 {
		t.Errorf("%d claims change", writes)
	}
	for _, b := range plan.Blocks {
		if b.Severity == Attention {
			check(t, "fixed", "message", b.Message, "The claim is to grow, and its storage class fast lets no volume grow, or does not exist. It stays as it is. The same applies to 2 more claims.")
			check(t, "fixed", "remedy", b.Remedy, `If the driver can do it, let the class: kubectl patch storageclass fast -p '{"allowVolumeExpansion":true}'. If not, take the size back.`)
			return
		}
	}
	t.Error("nothing is said")
}
