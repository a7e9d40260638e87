package verify

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/proto/yamljson"
)

// The annotations by which a set changes claims, and those that a change leaves on a claim.
const (
	noteClaimTemplates = "setplan.io/claim-templates"

	noteClaimRequest  = "setplan.io/claim-request"
	noteClaimChanged  = "setplan.io/claim-changed"
	noteClaimMetadata = "setplan.io/claim-metadata"
)

// claimPatch is the patch of a claim template by the set's annotation; nil if there is none, or it cannot be read.
func (v *Verifier) claimPatch(template string) *node { return v.claimPatches().get(template) }

func (v *Verifier) claimPatches() *node {
	text := v.set.GetAnnotations()[noteClaimTemplates]
	if text == "" {
		return nil
	}
	const name = "claim patches"
	if _, known := v.read[name]; !known && !json.Valid([]byte(text)) {
		if converted, err := yamljson.Template([]byte(text), nil); err == nil {
			text = string(converted)
		}
	}
	return v.document(name, []byte(text))
}

// patched is a claim template as the annotation wants it: with its patch, or as it is added.
func (v *Verifier) patched(i int) *node {
	template, patch := v.claimTemplate(i), v.claimPatch(v.claimTemplates()[i])
	if v.isAdded(i) && patch != nil {
		return patch
	}
	if patch == nil || template == nil {
		return template
	}
	if v.patchedTemplates[i] == nil {
		if v.patchedTemplates == nil {
			v.patchedTemplates = map[int]*node{}
		}
		v.patchedTemplates[i] = template.merged(patch)
	}
	return v.patchedTemplates[i]
}

// merged is an object with the members of another one laid over it, at every level.
func (n *node) merged(over *node) *node {
	if n == nil || n.kind != '{' || over.kind != '{' {
		return over
	}
	out := &node{kind: '{', members: make(map[string]*node, len(n.members)+len(over.members))}
	for key, value := range n.members {
		out.members[key] = value
	}
	for key, value := range over.members {
		out.members[key] = out.members[key].merged(value)
	}
	return out
}

// claimChangeFault: a claim asks only for what its template asks for, with its patch.
func claimChangeFault(s *subject) string {
	if controller := controllerOf(s.owners(s.claim.GetOwnerSetIndex())); controller != nil && controller.GetUid() != s.set.GetUid() {
		return "another object controls the claim"
	}
	why := "no claim template has this name"
	for i, template := range s.claimTemplates() {
		if _, ok := ordinalOf(s.name(), template+"-"+s.set.GetName()); ok && (!s.isAdded(i) || s.claimPatch(template) != nil) {
			if why = s.changeDiffers(template, s.patched(i)); why == "" {
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
