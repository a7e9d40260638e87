package verify

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/proto/yamljson"
)

// The annotations by which a set changes claims, and those that a change leaves on a claim.
const (
	noteClaimTemplates = "setplan.io/claim-templates"
	noteClaimPolicy    = "setplan.io/claim-update-policy"

	noteClaimRequest  = "setplan.io/claim-request"
	noteClaimChanged  = "setplan.io/claim-changed"
	noteClaimMetadata = "setplan.io/claim-metadata"
)

// What a change leaves on a claim has these forms, so that a planner can fill no annotation with anything else.
var (
	aTime   = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$`)
	aDigest = regexp.MustCompile(`^[0-9a-z]{1,13}$`)
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

// claimChangeFault: what a claim asks for becomes what its template asks for, by a set that lets its claims follow.
func claimChangeFault(s *subject) string {
	change := s.action.GetPatchClaim()
	ordinal, _ := s.claimOf(s.name())
	switch {
	case !s.claimsFollow():
		return "the set does not ask that claims follow their templates"
	case s.deleting() || !s.inRange(ordinal):
		return "no ordinal of the range has this claim"
	case s.claim.GetDeletionUnixMs() != 0:
		return "the claim is being deleted"
	}
	if controller := controllerOf(s.owners(s.claim.GetOwnerSetIndex())); controller != nil && controller.GetUid() != s.set.GetUid() {
		return "another object controls the claim"
	}
	why := "no claim template has this name"
	for i, template := range s.claimTemplates() {
		if _, ok := ordinalOf(s.name(), template+"-"+s.set.GetName()); ok && (!s.isAdded(i) || s.claimPatch(template) != nil) {
			if why = s.changeDiffers(change, template, s.patched(i)); why == "" {
				return ""
			}
		}
	}
	return why
}

// claimsFollow reports whether the policy says so, or there is none and the annotation is there. Planners of earlier releases let claims of all templates
// follow then, and not only of those that it names.
func (v *Verifier) claimsFollow() bool {
	policy := v.set.GetAnnotations()[noteClaimPolicy]
	if field := v.document("own fields", v.set.GetOwnFields()).get("claimUpdatePolicy").string(); field != "" {
		policy = field
	}
	if policy == "" {
		return v.set.GetAnnotations()[noteClaimTemplates] != ""
	}
	return strings.HasPrefix(policy, "InPlace")
}

func (s *subject) changeDiffers(change *setplanv1.PatchClaim, name string, template *node) string {
	for _, n := range s.snapshot.GetClaimNeighbours() {
		if n.GetClaimTemplate() == name {
			return "another set uses the same claim name"
		}
	}
	wanted := requestOf(template)
	switch {
	case change.GetRequest() != "" && (wanted != change.GetRequest()):
		return "the request is not what the claim template asks for"
	case change.GetAttributesClass() != "" && !template.get("spec", "volumeAttributesClassName").is(change.GetAttributesClass()):
		return "the class is not what the claim template asks for"
	}
	metadata, selected := template.get("metadata"), s.set.GetSelector().GetMatchLabels()
	for key, value := range change.GetLabels() {
		if _, selects := selected[key]; selects {
			return fmt.Sprintf("the label %s is the selector's", quote(key))
		}
		if !metadata.get("labels", key).is(value) {
			return fmt.Sprintf("the label %s is not what the claim template says", quote(key))
		}
	}
	for key, value := range change.GetAnnotations() {
		switch {
		case key == noteClaimChanged && aTime.MatchString(value) && change.GetRequest()+change.GetAttributesClass() != "":
		case key == noteClaimMetadata && aDigest.MatchString(value):
		case key == noteClaimRequest && wanted != "" && wanted == value && (change.GetRequest() != "" || s.askedFor(wanted)):
		case strings.HasPrefix(key, "setplan.io/") || !metadata.get("annotations", key).is(value):
			return fmt.Sprintf("the annotation %s is not what the claim template says", quote(key))
		}
	}
	return ""
}

// askedFor reports whether the claim asks for so much already, or a plan has noted that it did. Otherwise the note without the request would tell the
// next planner that somebody has taken the request back, and the claim would never grow.
func (s *subject) askedFor(wanted string) bool {
	storage := at(s.snapshot.GetTables().GetClaimStorages(), s.claim.GetStorageIndex())
	return bytesOf(storage.GetRequest()) >= bytesOf(wanted) || s.note(s.claim.GetAnnotationSetIndex(), noteClaimRequest) == wanted
}

// bytesOf reads a quantity of storage; 0 where it is none.
func bytesOf(text string) float64 {
	digits := strings.TrimRight(text, "kKMGTPEi")
	n, _ := strconv.ParseFloat(digits, 64)
	unit, binary := strings.CutSuffix(text[len(digits):], "i")
	base := 1000.0
	if binary {
		base = 1024
	}
	return n * math.Pow(base, float64(max(0, strings.Index(" KMGTPE", strings.ToUpper(unit)))))
}

// requestOf is how much storage a template asks for, as it is written there.
func requestOf(template *node) string {
	wanted := template.get("spec", "resources", "requests", "storage")
	if wanted == nil {
		return ""
	}
	return wanted.text
}
