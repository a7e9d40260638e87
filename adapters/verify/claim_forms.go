package verify

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The checks of what a claim asks for. These annotations a change leaves on it.
const (
	noteClaimRequest  = "setplan.io/claim-request"
	noteClaimChanged  = "setplan.io/claim-changed"
	noteClaimMetadata = "setplan.io/claim-metadata"
)

// claimManifestFault: a claim is its template's, with its name, the selector's labels, and the mark of a drain policy.
func claimManifestFault(s *subject) string {
	why := "no claim template has this name"
	for _, t := range s.claimTemplates() {
		if _, ok := ordinalOf(s.name(), t.name+"-"+s.set.GetName()); ok {
			for _, form := range t.forms {
				if why = s.claimDiffers(form); why == "" {
					return ""
				}
			}
		}
	}
	return why
}

func (s *subject) claimDiffers(template *node) string {
	m := s.load()
	if key := differing(m, template, map[string]bool{"apiVersion": true, "kind": true, "metadata": true}); key != "" {
		return fmt.Sprintf("%s is not what the claim template says", key)
	}
	metadata, of := m.get("metadata"), template.get("metadata")
	if key := differing(metadata, of, map[string]bool{"name": true, "namespace": true, "labels": true, "annotations": true, "creationTimestamp": true}); key != "" {
		return fmt.Sprintf("metadata %s is not what the claim template says", key)
	}
	if why := added("label", metadata.get("labels"), of.get("labels"), s.set.GetSelector().GetMatchLabels()); why != "" {
		return why
	}
	annotations := metadata.get("annotations")
	notes := map[string]string{noteDrainSet: s.mark(), noteClaimRequest: requestOf(template), noteClaimMetadata: anything}
	maps.DeleteFunc(notes, func(key, _ string) bool { return annotations.get(key) == nil || key == noteDrainSet && !s.draining() })
	if digest := annotations.get(noteClaimMetadata); digest != nil && !aDigest.MatchString(digest.text) {
		return "the digest of its labels and annotations has another form"
	}
	return added("annotation", annotations, of.get("annotations"), notes)
}

// claimChangeFault: a claim asks only for what its template asks for, with its patch.
func claimChangeFault(s *subject) string {
	if controller := controllerOf(s.owners(s.claim.GetOwnerSetIndex())); controller != nil && controller.GetUid() != s.set.GetUid() {
		return "another object controls the claim"
	}
	why := "no claim template has this name"
	for _, t := range s.claimTemplates() {
		if _, ok := ordinalOf(s.name(), t.name+"-"+s.set.GetName()); ok && t.asked != nil {
			if why = s.changeDiffers(t.name, t.asked); why == "" {
				return ""
			}
		}
	}
	return why
}

func (s *subject) changeDiffers(name string, template *node) string {
	if slices.ContainsFunc(s.snapshot.GetClaimNeighbours(), func(n *setplanv1.ClaimNeighbour) bool { return n.GetClaimTemplate() == name }) {
		return "another set uses the same claim name"
	}
	change, wanted, metadata := s.action.GetPatchClaim(), requestOf(template), template.get("metadata")
	switch {
	case change.GetRequest() != "" && wanted != change.GetRequest():
		return "the request is not what the claim template asks for"
	case change.GetAttributesClass() != "" && !template.get("spec", "volumeAttributesClassName").is(change.GetAttributesClass()):
		return "the class is not what the claim template asks for"
	}
	for key, value := range change.GetLabels() {
		if _, selects := s.set.GetSelector().GetMatchLabels()[key]; selects || !metadata.get("labels", key).is(value) {
			return fmt.Sprintf("the label %s is not what the claim template says, or the selector's", quote(key))
		}
	}
	for key, value := range change.GetAnnotations() {
		switch {
		case key == noteClaimChanged && aTime.MatchString(value) || key == noteClaimMetadata && aDigest.MatchString(value) || key == noteClaimRequest && wanted == value:
		case strings.HasPrefix(key, "setplan.io/") || !metadata.get("annotations", key).is(value):
			return fmt.Sprintf("the annotation %s is not what the claim template says", quote(key))
		}
	}
	return ""
}

// requestOf is how much storage a template asks for, as it is written there.
func requestOf(template *node) string {
	wanted := template.get("spec", "resources", "requests", "storage")
	if wanted == nil {
		return ""
	}
	return wanted.text
}
