package why

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/clients/cli/shell"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// protection is the finalizer that keeps a claim until no pod uses it.
const protection = "kubernetes.io/pvc-protection"

// pendingClaim returns the claim of a pod that has no volume and that the scheduler is about: the one that it names, or one that does not wait for
// the pod, or else the first. Nil: every claim that is there has its volume.
func (c *Case) pendingClaim(pod *corev1.Pod, said string) (found *corev1.PersistentVolumeClaim) {
	named := namedClaim.FindStringSubmatch(said)
	for i := range pod.Spec.Volumes {
		source := pod.Spec.Volumes[i].PersistentVolumeClaim
		if source == nil {
			continue
		}
		claim := c.World.Claim(c.key(source.ClaimName))
		switch {
		case claim == nil || claim.Status.Phase == corev1.ClaimBound:
		case named != nil && named[1] == claim.Name:
			return claim
		case found == nil || c.waitsForPod(found) && !c.waitsForPod(claim):
			found = claim
		}
	}
	return found
}

// namedClaim finds the claim that the scheduler names.
var namedClaim = regexp.MustCompile(`(?i)persistentvolumeclaim "([^"]+)"`)

// otherClaim: the scheduler names a claim that is not one of those without a volume.
func (c *Case) otherClaim(r *Reason, pod *corev1.Pod, name, said string) {
	if c.World.Claim(c.key(name)) != nil || !strings.Contains(said, "not found") {
		c.unschedulable(r, pod, said)
		return
	}
	r.Severity, r.Cause = Attention, fmt.Sprintf("The claim %s does not exist, and the pod uses it.", name)
	c.mendTemplate(r, pod, "Create the claim; the scheduler then tries again by itself. Or name another claim in the set's template.", c.kubectl("get pvc"), c.edit())
}

// aboutClaims matches what the scheduler says where a claim keeps a pod off every node.
var aboutClaims = regexp.MustCompile(`(?i)unbound immediate persistentvolumeclaims|persistentvolumeclaim "|binding volumes|storageclass`)

// waitsForPod reports whether a claim gets its volume only once its pod has a node: its class says so, or an event of the claim.
func (c *Case) waitsForPod(claim *corev1.PersistentVolumeClaim) bool {
	if claim.Spec.StorageClassName != nil {
		for _, class := range c.World.StorageClasses.Items {
			if class.Name == *claim.Spec.StorageClassName {
				return class.VolumeBindingMode != nil && *class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer
			}
		}
	}
	return slices.ContainsFunc(c.World.EventsOf("PersistentVolumeClaim", claim), func(event corev1.Event) bool {
		return event.Reason == "WaitForFirstConsumer" || event.Reason == "WaitForPodScheduled"
	})
}

// claimFollows says that a claim without a volume is no cause.
func (c *Case) claimFollows(r *Reason, claim *corev1.PersistentVolumeClaim) {
	if claim != nil && c.waitsForPod(claim) {
		r.Cause += fmt.Sprintf(" Its claim %s has no volume yet because its class waits for the pod's node.", claim.Name)
	}
}

// unbound says why a claim has no volume, by its events and its class.
func (c *Case) unbound(r *Reason, claim *corev1.PersistentVolumeClaim) {
	r.Cause = "Its claim " + claim.Name + " has no volume"
	c.sawEvents(r, "PersistentVolumeClaim", claim)
	class := claim.Spec.StorageClassName
	provisioning := c.warning("PersistentVolumeClaim", claim, "ProvisioningFailed")
	missing := false
	if class != nil {
		exists, known := c.World.Classes[*class]
		missing = known && !exists ||
			!known && provisioning != nil && strings.Contains(provisioning.Message, fmt.Sprintf("storageclass.storage.k8s.io %q not found", *class))
	}
	describe := c.kubectl("describe pvc %s", claim.Name)
	switch {
	case class == nil || *class == "":
		r.Severity, r.Cause = Attention, r.Cause+", and it names no storage class that could provide one."
		r.helps("Create a volume that fits, or a default storage class; the size, access mode and class of a claim template cannot be changed in a set.",
			"kubectl get persistentvolumes,storageclasses")
	case missing:
		r.Severity, r.Cause = Attention, r.Cause+fmt.Sprintf(", because the storage class %s does not exist.", *class)
		r.helps(fmt.Sprintf("Create the storage class %s: copy one that works, under this name. The class of a claim template cannot be changed in a set.", *class),
			"kubectl get storageclasses", "kubectl create -f STORAGECLASS.yaml")
	case provisioning != nil:
		r.Severity, r.Cause = Attention, r.Cause+fmt.Sprintf(", because the provisioner of storage class %s fails.", *class)
		r.helps("The message comes from the provisioner: check its quota, its credentials, and room in its zone.", describe)
	default:
		r.Cause += fmt.Sprintf(" yet. Its storage class is %s, and no event tells of a failure.", *class)
		r.helps("If this lasts, check the claim's events and the class's provisioner.", describe, shell.Command("kubectl get storageclass %s -o yaml", *class))
	}
}

// sawUse notes since when no pod uses a claim, where the API server says so: from Kubernetes 1.37 on.
func (c *Case) sawUse(r *Reason, claim *corev1.PersistentVolumeClaim) {
	for _, condition := range claim.Status.Conditions {
		if at := condition.LastTransitionTime; condition.Type == "Unused" && condition.Status == corev1.ConditionTrue && !at.IsZero() {
			r.saw("claim %s: no pod has used it %s, %s", claim.Name, c.since(at.Time), c.ago(at.Time))
		}
	}
}

// claimThatStays says what holds a claim that is or will be deleted.
func (c *Case) claimThatStays(r *Reason, name string) {
	claim := c.World.Claim(c.key(name))
	if claim == nil {
		return
	}
	users := c.usersOf(claim)
	c.sawUse(r, claim)
	for _, owner := range claim.OwnerReferences {
		r.saw("claim %s: owned by %s %s with uid %s", name, owner.Kind, owner.Name, owner.UID)
	}
	if r.Severity == "attention" && claim.Spec.VolumeName != "" { // data is about to be lost, and whoever ends pods hastens it
		var commands []string
		going := []*corev1.PersistentVolumeClaim{claim}
		if strings.Contains(r.Message, " more claim") {
			going = append(going, c.goingBeside(claim)...)
		}
		for _, goes := range going {
			commands = append(commands, shell.Command("kubectl patch pv %s --type=merge -p %s", goes.Spec.VolumeName, `{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}`))
		}
		help := "To keep the data whatever becomes of the claim, let its volume stay."
		if n := len(commands); n > 1 {
			help = "To keep the data whatever becomes of the claims, let their volumes stay."
			if n > maxCommands {
				help += fmt.Sprintf(" The commands are for the first %d of %d claims.", maxCommands, n)
			}
		}
		if r.Code == "CLAIM_TERMINATING" && len(users) > 0 {
			help, commands = help+" Then delete the pod that holds the claim.", append(commands, c.kubectl("delete pod %s", shell.Words(users)))
		}
		r.helps(help, commands[:min(len(commands), maxCommands)]...)
		return
	}
	if claim.DeletionTimestamp == nil {
		return
	}
	r.saw("claim %s: deleted at %s, finalizers %s", name, at(claim.DeletionTimestamp.Time), strings.Join(claim.Finalizers, ", "))
	if len(users) > 0 && slices.Contains(claim.Finalizers, protection) {
		r.Cause = "It is deleted once no pod uses it: " + strings.Join(users, ", ") + "."
		r.helps("Wait until those pods have ended.")
		return
	}
	c.finalizers(r, "pvc", claim)
}

// maxCommands bounds the commands for one reason.
const maxCommands = 10

// goingBeside lists the other claims with a volume that go with the set or its pods, by name.
func (c *Case) goingBeside(claim *corev1.PersistentVolumeClaim) (list []*corev1.PersistentVolumeClaim) {
	set := c.Snapshot.GetSet()
	for _, member := range c.Snapshot.GetClaims() {
		other := c.World.Claim(c.key(member.GetName()))
		if other == nil || other.Name == claim.Name || other.Spec.VolumeName == "" {
			continue
		}
		if slices.ContainsFunc(other.OwnerReferences, func(o metav1.OwnerReference) bool {
			return string(o.UID) == set.GetUid() || slices.ContainsFunc(c.Snapshot.GetPods(), func(p *setplanv1.Pod) bool { return string(o.UID) == p.GetUid() })
		}) {
			list = append(list, other)
		}
	}
	slices.SortFunc(list, func(a, b *corev1.PersistentVolumeClaim) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// usersOf lists the pods that use a claim and have not ended.
func (c *Case) usersOf(claim *corev1.PersistentVolumeClaim) []string {
	var names []string
	for _, pod := range c.World.Pods.Items {
		ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
		uses := slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool {
			return v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName == claim.Name
		})
		if uses && !ended && pod.Namespace == claim.Namespace {
			names = append(names, pod.Name)
		}
	}
	return names
}

// finalizers is the remedy for a deleted object that stays. The command removes one finalizer, and fails if the list has changed
// meanwhile.
func (c *Case) finalizers(r *Reason, kind string, object metav1.Object) {
	others := slices.DeleteFunc(slices.Clone(object.GetFinalizers()), func(name string) bool { return name == protection })
	for i, finalizer := range object.GetFinalizers() {
		if finalizer == protection {
			continue // the cluster's own; it goes by itself
		}
		r.Severity, r.Cause = Attention, fmt.Sprintf("The finalizer %s keeps it.", finalizer)
		if len(others) > 1 {
			r.Cause = "The finalizers " + strings.Join(others, ", ") + " keep it."
		}
		path := fmt.Sprintf("/metadata/finalizers/%d", i)
		r.helps("The controller that added the finalizer removes it when done. If that controller is gone for good, remove the finalizer by hand.",
			c.kubectl("patch %s %s --type=json -p %s", kind, object.GetName(), removal(path, path, finalizer)))
		return
	}
}

// foreignClaim names the other owners. One that controls the claim holds back the retention policy; of the others, all take the claim with them once the
// last one is gone.
func (c *Case) foreignClaim(r *Reason, name string) {
	claim := c.World.Claim(c.key(name))
	if claim == nil {
		return
	}
	others := c.otherOwners(claim)
	if len(others) == 0 {
		return
	}
	var names, patches []string
	for _, i := range others {
		owner, role := claim.OwnerReferences[i], "owns"
		if isController(owner) {
			role = "controls"
		}
		if names = append(names, owner.Kind+" "+owner.Name); len(names) > maxCauses {
			continue
		}
		r.saw("claim %s: %s %s %s %s it, uid %s", name, owner.APIVersion, owner.Kind, owner.Name, role, owner.UID)
		path := fmt.Sprintf("/metadata/ownerReferences/%d", i)
		patches = append(patches, c.kubectl("patch pvc %s --type=json -p %s", name, removal(path, path+"/uid", string(owner.UID))))
	}
	c.sawUse(r, claim)
	owner := claim.OwnerReferences[others[0]]
	switch {
	case isController(owner):
		r.Cause = names[0] + " controls the claim."
	case len(others) == 1:
		r.Cause = names[0] + " owns the claim."
	default:
		slices.Reverse(patches) // the place of each is as it was read
		r.Cause = few(names) + " own the claim. It is deleted once all of them are gone."
		r.helps("If the claim belongs to the set, remove all of these references once their owners leave the claim alone.", patches...)
		return
	}
	r.helps("If the claim belongs to the set, remove this reference once its owner leaves the claim alone.", patches[0])
}

// otherOwners are the places of the owners that are neither the set nor its pods: the one that controls the claim alone, or else all.
func (c *Case) otherOwners(claim *corev1.PersistentVolumeClaim) (places []int) {
	for i, o := range claim.OwnerReferences {
		ours := string(o.UID) == c.Snapshot.GetSet().GetUid() || o.Kind == "Pod" && slices.ContainsFunc(c.Snapshot.GetPods(), func(p *setplanv1.Pod) bool { return p.GetName() == o.Name })
		switch {
		case ours:
		case isController(o):
			return []int{i}
		default:
			places = append(places, i)
		}
	}
	return places
}

func isController(o metav1.OwnerReference) bool { return o.Controller != nil && *o.Controller }

// removal returns a patch that removes what is at a path, provided that testPath still has the value.
func removal(path, testPath, value string) string {
	return fmt.Sprintf(`[{"op":"test","path":%s,"value":%s},{"op":"remove","path":%s}]`, quote(testPath), quote(value), quote(path))
}
