package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

// TestClaimOfFixedClass: what the block says of claims whose storage class lets no volume grow, and that other attributes and labels do
// not wait for it.
func TestClaimOfFixedClass(t *testing.T) {
	w := disks(3).asks(policy.ClaimTemplates, `{"www":{"metadata":{"labels":{"tier":"gold"}},"spec":{"volumeAttributesClassName":"gold","resources":{"requests":{"storage":"20Gi"}}}}}`)
	w.FixedClasses = []string{"fast"}
	plan := Decide(&w.Snapshot)
	writes := 0
	for _, a := range allActions(plan) {
		op, patches := a.Op.(model.PatchClaim)
		if !patches {
			continue
		}
		writes++
		if op.Request != "" {
			t.Errorf("%s asks for %s", a.Name, op.Request)
		}
		for _, note := range op.Annotations {
			if note.Key == claimtemplate.AnnotationClaimRequest {
				t.Errorf("%s notes that %s was asked for", a.Name, note.Value)
			}
		}
	}
	if writes != 3 {
		t.Errorf("%d claims change", writes)
	}
	for _, b := range plan.Blocks {
		if b.Severity == model.Attention {
			check(t, "fixed", "message", b.Message, "The template requests more storage, but storage class fast does not let volumes grow. The claim stays as it is. The same applies to 2 more claims.")
			check(t, "fixed", "remedy", b.Remedy, letGrow+"fast -p '{\"allowVolumeExpansion\":true}'`")
			return
		}
	}
	t.Error("nothing is said")
}

const letGrow = "If the driver cannot grow volumes, set the old size again. If it can, allow it: `kubectl -n default patch storageclass "

// TestClaimsOfFixedClasses: each class is named, with the command that is for it.
func TestClaimsOfFixedClasses(t *testing.T) {
	w := disks(3).asks(policy.ClaimTemplates, asksFor("20Gi"))
	w.FixedClasses = []string{"fast", "slow"}
	w.c("www-web-2").Storage = &model.ClaimStorage{Request: "10Gi", Capacity: "10Gi", Class: "slow"}
	var remedies []string
	for _, b := range Decide(&w.settled().Snapshot).Blocks {
		if b.Severity == model.Attention {
			remedies = append(remedies, b.Name+": "+strings.TrimPrefix(b.Remedy, letGrow)[:4])
		}
	}
	check(t, "two classes", "blocks", fmt.Sprint(remedies), "[www-web-1: fast www-web-2: slow]")
}

// TestClassOfClaimsThatCannotGrow: one claim tries the class of attributes, and then as many as the limit says follow.
func TestClassOfClaimsThatCannotGrow(t *testing.T) {
	w := disks(6).asks(policy.ClaimTemplates, `{"www":{"spec":{"volumeAttributesClassName":"gold","resources":{"requests":{"storage":"20Gi"}}}}}`)
	w.FixedClasses = []string{"fast"}
	var lives []string
	for range 4 {
		lives = append(lives, strings.Join(w.patched(Decide(&w.Snapshot), true), " "))
		w.ObservedAt = w.ObservedAt.Add(2 * time.Minute)
	}
	check(t, "a class of attributes", "plans", fmt.Sprint(lives), fmt.Sprint([]string{"www-web-5=", "www-web-4= www-web-3= www-web-2=", "www-web-1= www-web-0=", ""}))
}

// TestFailedBeforeItsClassWasFixed: a claim that failed to grow, and now cannot, holds back no claim of another class.
func TestFailedBeforeItsClassWasFixed(t *testing.T) {
	w := disks(3).asks(policy.ClaimTemplates, asksFor("20Gi"))
	w.c("www-web-2").Storage = &model.ClaimStorage{Request: "15Gi", Capacity: "10Gi", Class: "slow", ResizeStatus: "ControllerResizeInfeasible"}
	w.c("www-web-2").Annotations = &model.Annotations{Values: map[string]string{claimtemplate.AnnotationClaimRequest: "15Gi", claimtemplate.AnnotationClaimChanged: "2026-03-01T11:00:00Z"}}
	w.FixedClasses = []string{"slow"}
	plan := Decide(&w.settled().Snapshot)
	check(t, "another class", "plan", strings.Join(w.patched(plan, false), " "), "www-web-1=20Gi")
	check(t, "another class", "blocks", sortedBlocks(plan), "CLAIM_CHANGE_WAITS www-web-0, CLAIM_CHANGE_WAITS www-web-2")
}

// TestLabelsOfOthersClaims: whether a claim of somebody else has the labels of a template nobody knows, so nothing is said; a patch is another matter.
func TestLabelsOfOthersClaims(t *testing.T) {
	const foreign = "CLAIM_FOREIGN_CONTROLLER www-web-0"
	for patch, want := range map[string]string{"": foreign, `{"www":{"metadata":{"labels":{"tier":"gold"}}}}`: "CLAIM_CHANGE_WAITS www-web-0, " + foreign} {
		w := disks(1).asks(policy.ClaimPolicy, "InPlace")
		if w.Set.ClaimTemplates[0] = []byte(strings.Replace(tenGi, `"name"`, `"labels":{"tier":"gold"},"name"`, 1)); patch != "" {
			w.asks(policy.ClaimTemplates, patch)
		}
		w.Claims[0].Owners = []model.Owner{{APIVersion: "v1", Kind: "Other", Name: "x", UID: "other", Controller: true}}
		check(t, "patch "+patch, "blocks", sortedBlocks(Decide(&w.settled().Snapshot)), want)
	}
}
