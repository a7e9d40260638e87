package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
)

// mostDrains is how many ordinals of a Parallel set drain at once unless the policy says otherwise.
const mostDrains = 10

// readDrainPolicy checks the policy. One bad value holds all of it: what it would have protected is not known.
func (d *decision) readDrainPolicy() {
	dr, p := d.drain, d.asked
	dr.alone, dr.most = p.alone, mostDrains
	dr.ask = d.policyBool(p.ask)
	if dr.alone && dr.ask {
		d.invalidPolicy(p.ask, p.ask.source+" is true, and whoever runs the set does not ask.")
	}
	if len(p.template) == 0 {
		return // nothing to drain with, so the other values protect nothing
	}
	d.policyScaleUp(p.scaleUp)
	d.policyMaxParallel(p.maxParallel)
	d.policyProof(p.proof)
	dr.leftovers = d.policyBool(p.leftovers)
	dr.onDelete = d.policyBool(p.onDelete)
	source := p.templateFrom.source
	if p.problem != "" {
		d.invalidPolicy(p.templateFrom, source+" cannot be used: "+short(p.problem)+".")
	} else if err := d.readDrainTemplate(p.template); err != nil {
		d.invalidPolicy(p.templateFrom, fmt.Sprintf("%s cannot be used: %v.", source, err))
	} else {
		d.checkStops(source)
	}
	if dr.alone {
		d.checkAlone()
	}
	d.checkMayDrain()
	d.checkNeighbours()
	if len(p.otherSources) > 0 {
		d.block(Block{Code: BlockInvalidPolicy, Severity: Info, Kind: d.set.Kind, Name: d.set.Name,
			Message: fmt.Sprintf("%s counts; another template stands in %s.", source, strings.Join(p.otherSources, " and ")),
			Remedy:  "Remove the one that is not wanted."})
	}
	dr.on = !dr.held
}

// checkAlone finds retention policies by which the controller that runs the set deletes claims under a drain.
func (d *decision) checkAlone() {
	if d.set.WhenScaled == "Delete" {
		d.invalidPolicy(d.asked.templateFrom, "persistentVolumeClaimRetentionPolicy.whenScaled is Delete, so the set's own controller deletes the claims that are to be drained.")
	}
	if d.set.WhenDeleted == "Delete" && d.drain.onDelete {
		d.invalidPolicy(d.asked.onDelete, d.asked.onDelete.source+" is true and persistentVolumeClaimRetentionPolicy.whenDeleted is Delete, so the claims may go with the set before they are drained.")
	}
}

// checkMayDrain holds a drain that could not be ended: its data would be moved away and its claims stay, and the replica
// would come back to nothing.
func (d *decision) checkMayDrain() {
	if d.s.Capabilities&CanDeleteClaim != 0 {
		return
	}
	d.drain.held = true
	d.attention(BlockInvalidPolicy, "The adapter does not delete claims in this namespace, so a drain could not be ended. Until this is mended nothing is scaled down or drained.",
		"Allow drains in this namespace (--drain-namespace, and the role drain: kubectl apply -n "+d.set.Namespace+" -f deploy/manifests/drain-namespace.yaml), or remove the policy.")
}

// checkNeighbours holds a drain of claims that another set calls its own as well. Marks do not tell whose data is in them: a
// set without a policy marks nothing, and what lies outside its range it wants back when it is scaled up.
func (d *decision) checkNeighbours() {
	if len(d.s.ClaimNeighbours) == 0 {
		return
	}
	d.drain.held = true
	d.work(partClaims, len(d.s.ClaimNeighbours))
	turn := 0
	first := slices.MinFunc(d.s.ClaimNeighbours, func(a, b ClaimNeighbour) int {
		turn++
		d.meter.pause(turn)
		return cmp.Or(strings.Compare(a.Set, b.Set), strings.Compare(a.ClaimTemplate, b.ClaimTemplate))
	})
	d.attention(BlockInvalidPolicy, fmt.Sprintf("Set %s of this namespace calls claims as this one does (%s), so nobody can tell whose data a drain would take.",
		short(first.Set), short(first.ClaimTemplate+"-"+d.set.Name+"-0"))+untilMended,
		"Delete one of the sets, with its claims or after looking after them, or remove the drain policy.")
}

// policyBool counts what is neither true nor false as true: every such value makes the policy protect more, or hold.
func (d *decision) policyBool(v setting) bool {
	switch v.text {
	case "", "false":
		return false
	case "true":
		return true
	}
	d.invalidPolicy(v, fmt.Sprintf("%s is %q, which is not true or false.", v.source, short(v.text)))
	return true
}

func (d *decision) policyScaleUp(v setting) {
	switch v.text {
	case "", "Finish":
	case "Cancel":
		d.drain.cancel = true
	default:
		d.invalidPolicy(v, fmt.Sprintf("%s is %q, which is not Finish or Cancel.", v.source, short(v.text)))
	}
}

func (d *decision) policyProof(v setting) {
	switch v.text {
	case "":
	case "Token":
		d.drain.proof = true
	default:
		d.invalidPolicy(v, fmt.Sprintf("%s is %q, which is not Token.", v.source, short(v.text)))
	}
}

func (d *decision) policyMaxParallel(v setting) {
	if v.text == "" {
		return
	}
	n, err := strconv.ParseInt(v.text, 10, 32)
	if err != nil || n < 1 {
		d.invalidPolicy(v, fmt.Sprintf("%s is %q, which is not a number of at least 1.", v.source, short(v.text)))
		return
	}
	d.drain.most = int(n)
}

// untilMended ends the sentence about a policy that cannot be used.
const untilMended = " Until this is mended nothing is scaled down or drained."

func (d *decision) invalidPolicy(v setting, sentence string) {
	d.drain.held = true
	d.attention(BlockInvalidPolicy, sentence+untilMended, v.remedy())
}

// readDrainTemplate checks a drain pod template as far as nothing may be drained with it, or a replica could be made of
// it by mistake. The rest is the API server's.
func (d *decision) readDrainTemplate(text []byte) error {
	t, err := jsontree.Count(d.meter.counting(partDrain)).Parse(text)
	if err == nil {
		err = checkPodTemplate(t)
	}
	if err != nil {
		return err
	}
	if containers := t.Get("spec").Get("containers"); containers.Kind != jsontree.Array || len(containers.Items()) == 0 {
		return fmt.Errorf("it has no spec.containers")
	}
	switch policy := t.Get("spec").Get("restartPolicy"); {
	case policy.Kind == jsontree.Null:
	case policy.Kind == jsontree.String && (policy.Text == "OnFailure" || policy.Text == "Never"):
	default:
		return fmt.Errorf("spec.restartPolicy is %q, and a drain has to end: it is OnFailure or Never", short(policy.Text))
	}
	if a := t.Get("metadata").Get("annotations"); a.Kind != jsontree.Object && a.Kind != jsontree.Null {
		return fmt.Errorf("metadata.annotations is no object")
	}
	if d.selectsTree(t.Get("metadata").Get("labels")) {
		return fmt.Errorf("its labels match spec.selector, so that the drain pod would be taken for a replica")
	}
	d.drain.template = t
	return nil
}
