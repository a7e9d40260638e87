package engine

import (
	"strconv"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// mostDrains is how many ordinals of a Parallel set drain at once unless the policy says otherwise.
const mostDrains = 10

// readDrainPolicy reads the policy into the view. Without a policy it looks at each claim for traces of an earlier one.
func readDrainPolicy(v *view, out *draft) {
	asked := askedDrain(v.s)
	if asked == nil && !v.drainTraces() {
		return
	}
	v.drain.mark, v.drain.asked = v.set.Name+"/"+v.set.UID, asked
	if asked != nil {
		r := drainReader{drainPolicy: &v.drain, view: v, out: out}
		r.read()
	}
	v.drain.emptying = v.deleting() && v.drain.on && v.drain.onDelete && v.hasDrainFinalizer() && !v.orphans()
}

// drainReader checks the requested policy.
type drainReader struct {
	*drainPolicy // what is read
	view         *view
	out          *draft
}

// read checks the policy. One invalid value holds back everything: what it would have protected is unknown.
func (r *drainReader) read() {
	p := r.asked
	r.drainOnly, r.most = p.drainOnly, mostDrains
	r.ask = r.policyBool(p.ask)
	if r.drainOnly && r.ask {
		r.hold(blockNobodyAsks(r.view.set, p.ask))
	}
	if len(p.template) == 0 {
		return // without a template the other values protect nothing
	}
	r.policyScaleUp(p.scaleUp)
	r.policyMaxParallel(p.maxParallel)
	r.policyProof(p.proof)
	r.leftovers = r.policyBool(p.leftovers)
	r.onDelete = r.policyBool(p.onDelete)
	source := p.templateFrom.source
	if p.problem != "" {
		r.hold(blockDrainTemplate(r.view.set, p.templateFrom, prose.Short(p.problem)))
	} else if err := r.readDrainTemplate(p.template); err != nil {
		r.hold(blockDrainTemplate(r.view.set, p.templateFrom, err.Error()))
	} else {
		r.checkStops(source)
	}
	if r.drainOnly {
		r.checkDrainOnly()
	}
	r.checkMayDrain()
	r.checkNeighbours()
	if len(p.otherSources) > 0 {
		r.out.block(blockSeveralTemplates(r.view.set, source, p.otherSources))
	}
	r.on = !r.held
}

// checkDrainOnly finds retention policies by which the set's own controller would have claims deleted during a drain.
func (r *drainReader) checkDrainOnly() {
	if r.view.set.WhenScaled == "Delete" {
		r.hold(blockClaimsGoWhenScaled(r.view.set, r.asked.templateFrom))
	}
	if r.view.set.WhenDeleted == "Delete" && r.onDelete {
		r.hold(blockClaimsGoWithSet(r.view.set, r.asked.onDelete))
	}
}

// checkMayDrain holds back a drain that could not finish: its data would be moved and its claims kept, and the replica would come back to
// empty claims.
func (r *drainReader) checkMayDrain() {
	if r.view.s.Capabilities&model.CanDeleteClaim != 0 {
		return
	}
	r.hold(blockMayNotDrain(r.view.set))
}

// checkNeighbours holds back a drain of claims whose names another set has too. Marks do not tell whose data is in them: a set without a
// policy marks nothing, and needs the claims outside its range when it is scaled up.
func (r *drainReader) checkNeighbours() {
	if namesake := r.view.namesake; namesake != nil {
		r.hold(blockNamesakeDrains(r.view.set, namesake))
	}
	if len(r.view.s.ClaimNeighbours) == 0 {
		return
	}
	r.hold(blockNeighbours(r.view.set, r.view.firstNeighbour()))
}

// policyBool counts any value but "true" and "false" as true, the safe side: the policy then protects more, or holds.
func (r *drainReader) policyBool(v setting) bool {
	switch v.text {
	case "", "false":
		return false
	case "true":
		return true
	}
	r.invalid(v, aTruthValue)
	return true
}

func (r *drainReader) policyScaleUp(v setting) {
	switch v.text {
	case "", "Finish":
	case "Cancel":
		r.cancel = true
	default:
		r.invalid(v, aScaleUp)
	}
}

func (r *drainReader) policyProof(v setting) {
	switch v.text {
	case "":
	case "Token":
		r.proof = true
	default:
		r.invalid(v, aProof)
	}
}

func (r *drainReader) policyMaxParallel(v setting) {
	if v.text == "" {
		return
	}
	n, err := strconv.ParseInt(v.text, 10, 32)
	if err != nil || n < 1 {
		r.invalid(v, aPositiveOne)
		return
	}
	r.most = int(n)
}

// hold holds back everything that the policy might have protected.
func (r *drainReader) hold(b model.Block) {
	r.held = true
	r.out.block(b)
}

func (r *drainReader) invalid(v setting, wanted string) {
	r.hold(blockInvalidSetting(r.view.set, v, wanted))
}

// readDrainTemplate checks whether a drain pod template could drain nothing, or be taken for a replica. The rest is left to the API
// server.
func (r *drainReader) readDrainTemplate(text []byte) error {
	t, err := jsontree.Parse(text)
	if err == nil {
		err = checkPodTemplate(t)
	}
	if err != nil {
		return err
	}
	if containers := t.Get("spec").Get("containers"); containers.Kind != jsontree.Array || len(containers.Items()) == 0 {
		return errNoContainers
	}
	switch policy := t.Get("spec").Get("restartPolicy"); {
	case policy.Kind == jsontree.Null:
	case policy.Kind == jsontree.String && (policy.Text == "OnFailure" || policy.Text == "Never"):
	default:
		return errRestartPolicy(policy.Text)
	}
	if a := t.Get("metadata").Get("annotations"); a.Kind != jsontree.Object && a.Kind != jsontree.Null {
		return errAnnotations
	}
	if r.view.selectsTree(t.Get("metadata").Get("labels")) {
		return errLooksLikeReplica
	}
	for _, m := range t.Get("metadata").Get("labels").Members() {
		if len(m.Value.Text) > longestLabel {
			return errLongLabel(m.Key, m.Value.Text)
		}
	}
	r.template = t
	return nil
}

func (v *view) drainTraces() bool {
	for i := range v.s.Claims {
		if drainSetOfClaim(&v.s.Claims[i]) != "" {
			return true
		}
	}
	for i := range v.s.Pods {
		if hasDrainNotes(&v.s.Pods[i]) {
			return true
		}
	}
	return v.hasDrainFinalizer()
}

// orphans reports whether the set is deleted with orphaning, which keeps the data. The garbage collector removes its finalizer when it has
// orphaned the objects, possibly before we look. Then a matching revision or pod without a controller tells; a background or foreground
// deletion never leaves one.
func (v *view) orphans() bool {
	if v.readFinalizers().orphan || v.orphanRevisions() {
		return true
	}
	for i := range v.s.Pods {
		p := &v.s.Pods[i]
		if _, ours := v.ordinalOf(p); ours && controllerOf(p.Owners) == nil && !v.isDrainPod(p) && v.selectsPod(p) {
			return true
		}
	}
	return false
}

// checkStops refuses a template that could make a drain pod succeed before it is done.
func (r *drainReader) checkStops(source string) {
	container, field := stopsItself(r.template.Get("spec"))
	if field == "" {
		return
	}
	r.hold(blockStopsItself(r.view.set, source, container, field))
}
