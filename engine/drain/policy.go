package drain

import (
	"strconv"

	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
	"github.com/setplan/setplan/engine/state"
)

// mostDrains is how many ordinals of a Parallel set drain at once unless the policy says otherwise.
const mostDrains = 10

// ReadPolicy reads the policy into the view. Without a policy it looks at each claim for traces of an earlier one.
func ReadPolicy(v *claims.Claims, out *state.Draft) {
	asked := askedDrain(v.Snap)
	if asked == nil && !drainTraces(v) {
		return
	}
	v.Drain.Mark, v.Drain.Asked = v.Set.Name+"/"+v.Set.UID, asked
	if asked != nil {
		r := drainReader{DrainPolicy: &v.Drain, view: v, out: out}
		r.read()
	}
	v.Drain.Emptying = v.Deleting() && v.Drain.On && v.Drain.OnDelete && v.HasDrainFinalizer() && !v.Orphans()
}

// drainReader checks the requested policy.
type drainReader struct {
	*state.DrainPolicy // what is read
	view               *claims.Claims
	out                *state.Draft
}

// read checks the policy. One invalid value holds back everything: what it would have protected is unknown.
func (r *drainReader) read() {
	p := r.Asked
	r.DrainOnly, r.Most = p.DrainOnly, mostDrains
	r.Ask = r.policyBool(p.Ask)
	if r.DrainOnly && r.Ask {
		r.hold(blockNobodyAsks(r.view.Set, p.Ask))
	}
	if len(p.Template) == 0 {
		return // without a template the other values protect nothing
	}
	r.policyScaleUp(p.ScaleUp)
	r.policyMaxParallel(p.MaxParallel)
	r.policyProof(p.Proof)
	r.Leftovers = r.policyBool(p.Leftovers)
	r.OnDelete = r.policyBool(p.OnDelete)
	source := p.TemplateFrom.Source
	if p.Problem != "" {
		r.hold(blockDrainTemplate(r.view.Set, p.TemplateFrom, prose.Short(p.Problem)))
	} else if err := r.readDrainTemplate(p.Template); err != nil {
		r.hold(blockDrainTemplate(r.view.Set, p.TemplateFrom, err.Error()))
	} else {
		r.checkStops(source)
	}
	if r.DrainOnly {
		r.checkDrainOnly()
	}
	r.checkMayDrain()
	r.checkNeighbours()
	if len(p.OtherSources) > 0 {
		r.out.Block(blockSeveralTemplates(r.view.Set, source, p.OtherSources))
	}
	r.On = !r.Held
}

// checkDrainOnly finds retention policies by which the set's own controller would have claims deleted during a drain.
func (r *drainReader) checkDrainOnly() {
	if r.view.Set.WhenScaled == "Delete" {
		r.hold(blockClaimsGoWhenScaled(r.view.Set, r.Asked.TemplateFrom))
	}
	if r.view.Set.WhenDeleted == "Delete" && r.OnDelete {
		r.hold(blockClaimsGoWithSet(r.view.Set, r.Asked.OnDelete))
	}
}

// checkMayDrain holds back a drain that could not finish: its data would be moved and its claims kept, and the replica would come back to
// empty claims.
func (r *drainReader) checkMayDrain() {
	if r.view.Snap.Capabilities&model.CanDeleteClaim != 0 {
		return
	}
	r.hold(blockMayNotDrain(r.view.Set))
}

// checkNeighbours holds back a drain of claims whose names another set has too. Marks do not tell whose data is in them: a set without a
// policy marks nothing, and needs the claims outside its range when it is scaled up.
func (r *drainReader) checkNeighbours() {
	if namesake := r.view.Namesake; namesake != nil {
		r.hold(blockNamesakeDrains(r.view.Set, namesake))
	}
	if len(r.view.Snap.ClaimNeighbours) == 0 {
		return
	}
	r.hold(blockNeighbours(r.view.Set, r.view.FirstNeighbour()))
}

// policyBool counts any value but "true" and "false" as true, the safe side: the policy then protects more, or holds.
func (r *drainReader) policyBool(v state.Setting) bool {
	switch v.Text {
	case "", "false":
		return false
	case "true":
		return true
	}
	r.invalid(v, aTruthValue)
	return true
}

func (r *drainReader) policyScaleUp(v state.Setting) {
	switch v.Text {
	case "", "Finish":
	case "Cancel":
		r.Cancel = true
	default:
		r.invalid(v, aScaleUp)
	}
}

func (r *drainReader) policyProof(v state.Setting) {
	switch v.Text {
	case "":
	case "Token":
		r.Proof = true
	default:
		r.invalid(v, aProof)
	}
}

func (r *drainReader) policyMaxParallel(v state.Setting) {
	if v.Text == "" {
		return
	}
	n, err := strconv.ParseInt(v.Text, 10, 32)
	if err != nil || n < 1 {
		r.invalid(v, claimtemplate.APositiveOne)
		return
	}
	r.Most = int(n)
}

// hold holds back everything that the policy might have protected.
func (r *drainReader) hold(b model.Block) {
	r.Held = true
	r.out.Block(b)
}

func (r *drainReader) invalid(v state.Setting, wanted string) {
	r.hold(blockInvalidSetting(r.view.Set, v, wanted))
}

// readDrainTemplate refuses a template whose pods would drain nothing, or would be mistaken for replicas. The rest is left to the API
// server.
func (r *drainReader) readDrainTemplate(text []byte) error {
	t, err := jsontree.Parse(text)
	if err == nil {
		err = claimtemplate.CheckPodTemplate(t)
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
	if r.view.SelectsTree(t.Get("metadata").Get("labels")) {
		return errLooksLikeReplica
	}
	for _, m := range t.Get("metadata").Get("labels").Members() {
		if len(m.Value.Text) > state.LongestLabel {
			return errLongLabel(m.Key, m.Value.Text)
		}
	}
	r.Template = t
	return nil
}

func drainTraces(v *claims.Claims) bool {
	for i := range v.Snap.Claims {
		if state.DrainSetOfClaim(&v.Snap.Claims[i]) != "" {
			return true
		}
	}
	for i := range v.Snap.Pods {
		if state.HasDrainNotes(&v.Snap.Pods[i]) {
			return true
		}
	}
	return v.HasDrainFinalizer()
}

// checkStops refuses a template that could make a drain pod succeed before it is done.
func (r *drainReader) checkStops(source string) {
	container, field := stopsItself(r.Template.Get("spec"))
	if field == "" {
		return
	}
	r.hold(blockStopsItself(r.view.Set, source, container, field))
}
