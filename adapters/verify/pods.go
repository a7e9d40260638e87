package verify

import (
	"fmt"
	"slices"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The checks of new pods: what they are and what they run.

// isDrain reports whether the manifest is a drain pod's: it has the mark and no controller.
func (s *subject) isDrain() bool {
	if s.operation != createPod || !s.draining() || !s.load().get("metadata", "annotations", noteDrainSet).is(s.mark()) {
		return false
	}
	owners := s.load().get("metadata", "ownerReferences")
	return owners == nil || !slices.ContainsFunc(owners.items, func(owner *node) bool {
		controls := owner.get("controller")
		return controls != nil && controls.text == "true"
	})
}

// madeFault: what is made has a name of the set: a replica and a claim that of an ordinal in the range. So no plan fills a cluster with pods and volumes.
func madeFault(s *subject) string {
	switch ordinal, ok := ordinalOf(s.name(), s.set.GetName()); s.operation {
	case createPod:
		if !ok || !s.isDrain() && !s.inRange(ordinal) {
			return "no ordinal of the range has this pod"
		}
	case createClaim:
		if ordinal, _ = s.claimOf(s.name()); !s.inRange(ordinal) {
			return "no ordinal of the range has this claim"
		}
	case createRevision:
		if !s.hashed(s.name()) {
			return "the name is not the set's with a hash"
		}
	}
	return ""
}

// claimsOf lists the existing claims of an ordinal.
func (s *subject) claimsOf(ordinal int64) []*setplanv1.Claim {
	var claims []*setplanv1.Claim
	for _, t := range s.claimTemplates() {
		if claim := s.claims[fmt.Sprintf("%s-%s-%d", t.name, s.set.GetName(), ordinal)]; claim != nil {
			claims = append(claims, claim)
		}
	}
	return claims
}

// drainedClaimsFault: a drain pod lists only claims of its ordinal that it may drain, because its success allows their deletion.
func drainedClaimsFault(s *subject) string {
	may := map[string]bool{}
	ordinal, _ := ordinalOf(s.name(), s.set.GetName())
	switch {
	case !s.mayDrain(ordinal):
		return "the ordinal is in the range, and no drain of it was begun"
	case !s.covers(ordinal):
		return "the ordinal was outside the range before the policy could cover it"
	case s.shared():
		return "another set uses the same claim name"
	}
	for _, template := range s.podTemplates() {
		if claim := s.claims[template+"-"+s.name()]; claim != nil {
			may[claim.GetUid()] = claim.GetDeletionUnixMs() == 0 && (s.markOf(claim) == "" || s.ofSameName(s.markOf(claim)))
		}
	}
	listed, _ := s.load().get("metadata", "annotations").label(noteDrainClaims)
	for uid := range strings.SplitSeq(listed, ",") {
		if !may[uid] {
			return fmt.Sprintf("it says that it drains %s, which is not a claim of its ordinal, or says it twice", quote(uid))
		}
		delete(may, uid)
	}
	return ""
}

func (s *subject) revisionLabel() string {
	name, _ := s.load().get("metadata", "labels").label(labelRevision)
	return name
}

// ownSpec are fields of a pod that are not the template's: its address, and volumes, which have their own check.
var ownSpec = map[string]bool{"hostname": true, "subdomain": true, "volumes": true}

// specFault: the pod runs exactly what the template says: containers, service account, host namespaces, node, all of it. It has its
// own address.
func specFault(s *subject) string {
	spec, template := s.load().get("spec"), s.template().get("spec")
	if s.isDrain() {
		template = s.drainSpec(template)
	}
	switch {
	case template == nil:
		return "there is no template that it could be made of"
	case !spec.get("hostname").is(s.name()) || spec.get("subdomain").string() != s.set.GetServiceName():
		return "its address is not the pod's name and the set's service"
	}
	if key := differing(spec, template, ownSpec); key != "" {
		return fmt.Sprintf("%s of its spec is not what the template says", key)
	}
	return ""
}

// volumesFault: first the claims of the ordinal, in the order of the claim templates that the pod has, then the template's other volumes.
func volumesFault(s *subject) string {
	var wanted []*node
	templates := s.podTemplates()
	for _, template := range templates {
		wanted = append(wanted, nodeOf(map[string]any{"name": template, "persistentVolumeClaim": map[string]string{"claimName": template + "-" + s.name()}}))
	}
	for _, volume := range s.template().get("spec", "volumes").list() {
		if !slices.Contains(templates, volume.get("name").string()) {
			wanted = append(wanted, volume)
		}
	}
	if !slices.EqualFunc(s.load().get("spec", "volumes").list(), wanted, equal) {
		return "the volumes are not the claims of its ordinal and what else the template says"
	}
	return ""
}
