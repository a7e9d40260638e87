package engine

import (
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// TestInvalidDrainPolicy: an invalid value is quoted, and nothing is deleted that the policy might protect.
func TestInvalidDrainPolicy(t *testing.T) {
	asks := func(annotation, value string) func(*world) { return func(w *world) { w.asks(annotation, value) } }
	template := func(text string) func(*world) { return asks(policy.DrainTemplate, text) }
	for reason, row := range map[string]struct {
		change func(*world)
		quotes string
	}{
		"scale-up":                {asks(policy.DrainScaleUp, "finish"), `setplan.io/drain-scale-up is "finish"`},
		"max-parallel in words":   {asks(policy.DrainMaxParallel, "many"), `setplan.io/drain-max-parallel is "many"`},
		"max-parallel of nothing": {asks(policy.DrainMaxParallel, "0"), `setplan.io/drain-max-parallel is "0"`},
		"leftovers":               {asks(policy.DrainLeftovers, "yes"), `setplan.io/drain-leftovers is "yes"`},
		"on-delete":               {asks(policy.DrainOnDelete, "True"), `setplan.io/drain-on-delete is "True"`},
		"ask":                     {asks(policy.DrainAsk, "please"), `setplan.io/drain-ask is "please"`},
		"no JSON":                 {template("{"), "setplan.io/drain-pod-template is invalid"},
		"no YAML either": {func(w *world) {
			w.asks(policy.DrainTemplate, "a: *x").Documents = map[string]model.Document{policy.DrainTemplate: {Problem: "line 1: it uses the alias *x"}}
		}, "setplan.io/drain-pod-template is invalid: line 1: it uses the alias *x."},
		"the annotation is named": {func(w *world) {
			w.asks(policy.DrainTemplate, " \n").asks("statefulsets.kubernetes.io/drainer-pod-template", "{")
		}, "statefulsets.kubernetes.io/drainer-pod-template is invalid"},
		"no object":                           {template(`"text"`), "it must be an object"},
		"no spec":                             {template(`{"foo":1}`), "it has no spec"},
		"no containers":                       {template(`{"spec":{}}`), "it has no spec.containers"},
		"a drain that would never end":        {template(`{"spec":{"restartPolicy":"Always","containers":[{}]}}`), `spec.restartPolicy is "Always"`},
		"a drain pod that would be a replica": {template(`{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{}]}}`), "its labels match spec.selector"},
		"labels of another type":              {template(`{"metadata":{"labels":{"app":1}},"spec":{"containers":[{}]}}`), "metadata.labels[app] must be a string"},
		"a label that no pod can have":        {template(`{"metadata":{"labels":{"a":"` + strings.Repeat("b", 64) + `"}},"spec":{"containers":[{}]}}`), "metadata.labels[a] has 64 characters, and the API server takes at most 63"},
		"a liveness probe":                    {template(`{"spec":{"containers":[{"name":"a"},{"name":"b","livenessProbe":{}}]}}`), "its container b has a livenessProbe"},
		"a startup probe":                     {template(`{"spec":{"containers":[{"startupProbe":{}}]}}`), "its container containers[0] has a startupProbe"},
		"a postStart hook":                    {template(`{"spec":{"containers":[{"name":"a","lifecycle":{"postStart":{},"preStop":{}}}]}}`), "its container a has a lifecycle.postStart"},
		"a sidecar with a probe": {template(`{"spec":{"initContainers":[{"name":"s","restartPolicy":"Always","livenessProbe":{}}],"containers":[{"name":"a"}]}}`),
			"its container s has a livenessProbe"},
		"under OnFailure as well": {template(`{"spec":{"restartPolicy":"OnFailure","containers":[{"name":"a","startupProbe":{}}]}}`), "its container a has a startupProbe"},
		"annotations are a list":  {template(`{"metadata":{"annotations":[]},"spec":{"containers":[{}]}}`), "metadata.annotations must be an object"},
	} {
		for state, world := range map[string]*world{
			"a replica to be taken away": draining(3), "a drain to begin": draining(3).scaledTo(2), "a drain that succeeded": draining(3).scaledTo(2),
		} {
			w := world
			w.Set.Replicas, w.Set.WhenScaled = 2, "Delete"
			if state == "a drain that succeeded" {
				w.drainPod(2, model.PodSucceeded)
			}
			row.change(w)
			p := Decide(&w.Snapshot)
			check(t, reason+", "+state, "actions", actions(p), "")
			if len(p.Blocks) == 0 || p.Blocks[0].Code != model.BlockInvalidPolicy || p.Blocks[0].Severity != model.Attention || !strings.Contains(p.Blocks[0].Message, row.quotes) {
				t.Errorf("%s, %s:\n%swants %s", reason, state, Describe(p), row.quotes)
			}
		}
		w := draining(3).without("web-1")
		row.change(w)
		check(t, reason, "the range goes on", actions(Decide(&w.Snapshot)), "create-pod web-1")
	}
}

// TestClaimNeighbours: while another set has the same claim names, nothing is scaled down or drained, whatever the marks say. The range
// goes on.
func TestClaimNeighbours(t *testing.T) {
	neighbours := []model.ClaimNeighbour{{Set: "c", ClaimTemplate: "www"}, {Set: "b-web", ClaimTemplate: "www"}}
	for reason, w := range map[string]*world{
		"a replica to be taken away": draining(3), "a drain to begin": draining(3).scaledTo(2), "a drain that succeeded": draining(3).scaledTo(2),
	} {
		w.Set.Replicas, w.Set.WhenScaled = 2, "Delete"
		if reason == "a drain that succeeded" {
			w.drainPod(2, model.PodSucceeded)
		}
		w.ClaimNeighbours = neighbours
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), "")
		const why = "Set b-web in this namespace uses the same claim names (www-web-0), so a drain could take its data."
		if len(p.Blocks) == 0 || p.Blocks[0].Code != model.BlockInvalidPolicy || p.Blocks[0].Severity != model.Attention || !strings.HasPrefix(p.Blocks[0].Message, why) {
			t.Errorf("%s:\n%swants %s", reason, Describe(p), why)
		}
	}
	w := draining(3).without("web-1")
	w.ClaimNeighbours = neighbours
	check(t, "the range goes on", "actions", actions(Decide(&w.Snapshot)), "create-pod web-1")
	w = draining(3).scaledTo(2)
	w.Set.Annotations, w.ClaimNeighbours = nil, neighbours
	check(t, "without a policy", "blocks", blocks(Decide(&w.Snapshot)), "")
}

// TestHarmlessDrainTemplate: a template is accepted if it stops no container, or leaves a failed pod.
func TestHarmlessDrainTemplate(t *testing.T) {
	for reason, text := range map[string]string{
		"readiness stops nothing":          `{"spec":{"containers":[{"name":"a","readinessProbe":{}}]}}`,
		"a deadline leaves a failed pod":   `{"spec":{"activeDeadlineSeconds":5,"containers":[{"name":"a"}]}}`,
		"preStop comes after the decision": `{"spec":{"containers":[{"name":"a","lifecycle":{"preStop":{}}}]}}`,
		"fields that are null":             `{"spec":{"initContainers":null,"containers":[{"name":"a","livenessProbe":null,"startupProbe":null,"lifecycle":null}]}}`,
	} {
		w := draining(3).scaledTo(2)
		w.Set.Annotations[policy.DrainTemplate] = text
		check(t, reason, "actions", actions(Decide(&w.Snapshot)), "patch-annotations www-web-2, create-pod web-2")
	}
}

// TestDrainThatCannotEnd: if the adapter deletes no claims no drain begins, and what the policy protects stays.
func TestDrainThatCannotEnd(t *testing.T) {
	for state, w := range map[string]*world{
		"a replica to be taken away": draining(3), "a drain to begin": draining(3).scaledTo(2), "a drain that succeeded": draining(3).scaledTo(2),
	} {
		w.Set.Replicas, w.Set.WhenScaled = 2, "Delete"
		if state == "a drain that succeeded" {
			w.drainPod(2, model.PodSucceeded)
		}
		w.Capabilities = model.AllCapabilities &^ model.CanDeleteClaim
		p := Decide(&w.Snapshot)
		check(t, state, "actions", actions(p), "")
		if len(p.Blocks) == 0 || p.Blocks[0].Code != model.BlockInvalidPolicy || p.Blocks[0].Severity != model.Attention || !strings.Contains(p.Blocks[0].Message, "may not delete claims in this namespace") {
			t.Errorf("%s:\n%s", state, Describe(p))
		}
	}
	w := draining(3).without("web-1")
	w.Capabilities = model.AllCapabilities &^ model.CanDeleteClaim
	check(t, "the range", "goes on", actions(Decide(&w.Snapshot)), "create-pod web-1")
	w = draining(3)
	w.Set.Annotations[policy.DrainTemplate], w.Set.Replicas, w.Capabilities = "", 2, model.AllCapabilities&^model.CanDeleteClaim
	check(t, "no policy", "actions", actions(Decide(&w.Snapshot)),
		"delete-pod web-2, patch-annotations www-web-0, patch-annotations www-web-1, patch-annotations www-web-2")
}

// TestDrainPolicyWithoutTemplate: without a template there is nothing to protect.
func TestDrainPolicyWithoutTemplate(t *testing.T) {
	w := draining(3)
	w.Set.Replicas = 2
	w.Set.Annotations[policy.DrainTemplate], w.Set.Annotations[policy.DrainScaleUp] = "", "odd"
	check(t, "an odd value beside no template", "actions", actions(Decide(&w.Snapshot)),
		"delete-pod web-2, patch-annotations www-web-0, patch-annotations www-web-1, patch-annotations www-web-2")
}

func TestTwoTemplatesThatDiffer(t *testing.T) {
	w := draining(3)
	const other = "statefulsets.kubernetes.io/drainer-pod-template"
	w.asks(other, "{}")
	p := Decide(&w.Snapshot)
	if len(p.Blocks) != 1 || p.Blocks[0].Severity != model.Info || !strings.Contains(p.Blocks[0].Message, other) || !p.Converged {
		t.Error(Describe(p))
	}
}

// TestDrainPolicyRemoved: traces of an earlier policy are removed, and data stays.
func TestDrainPolicyRemoved(t *testing.T) {
	for reason, row := range map[string]struct {
		world         *world
		change        func(*world)
		actions, held string
	}{
		"marks, in the range and outside": {draining(3).scaledTo(2), nil,
			"patch-annotations www-web-0, patch-annotations www-web-1, patch-annotations www-web-2", ""},
		"marks of an earlier set of the name too": {newWorld(1).withClaims(), func(w *world) { noteClaim(w.c("www-web-0"), state.AnnotationDrainSet, "web/earlier") },
			"patch-annotations www-web-0", ""},
		"marks of another set stay": {newWorld(1).withClaims(), func(w *world) { noteClaim(w.c("www-web-0"), state.AnnotationDrainSet, "b-web/other") }, "", ""},
		"a drain pod, also one that succeeded": {newWorld(2).withClaims(), func(w *world) {
			w.scaledTo(1).drainPod(1, model.PodSucceeded)
		}, "delete-pod web-1", ""},
		"a terminating drain pod is awaited": {newWorld(2).withClaims(), func(w *world) {
			w.without("web-1").drainPod(1, model.PodRunning).DeletedAt = noon
		}, "", "DRAINING web-1"},
		"the replica is recreated once the drain pod is gone": {newWorld(2).withClaims(), func(w *world) { w.without("web-1").drainPod(1, model.PodRunning) },
			"delete-pod web-1", ""},
		"questions":                     {newWorld(2), func(w *world) { markAsked(w.p("web-1"), "1-q", "1-q") }, "patch-annotations web-1", ""},
		"the finalizer":                 {newWorld(1), func(w *world) { w.Set.Finalizers = []string{"other", model.FinalizerDrain} }, "set-finalizer web", ""},
		"a set that never had a policy": {newWorld(3).withClaims(), nil, "", ""},
	} {
		w := row.world
		w.Set.Annotations = nil
		if row.change != nil {
			row.change(w)
		}
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
		checkPlan(t, &w.Snapshot, p)
	}
}

// TestDrainAndRetention: the garbage collector must not delete claims that are to be drained.
func TestDrainAndRetention(t *testing.T) {
	podOwner := []model.Owner{{APIVersion: "v1", Kind: model.KindPod, Name: "web-2", UID: "uid-web-2", Controller: true, BlockOwnerDeletion: true}}
	for reason, row := range map[string]struct {
		change  func(*world)
		actions string
	}{
		"whenScaled Delete hands no claim over": {func(w *world) { w.Set.WhenScaled = "Delete" }, "delete-pod web-2"},
		"whenScaled Delete, and the claim already belongs to the pod": {func(w *world) {
			w.Set.WhenScaled = "Delete"
			w.c("www-web-2").Owners = podOwner
		}, "set-claim-owners www-web-2"},
		"a claim is not changed twice in a plan": {func(w *world) {
			w.Set.WhenScaled = "Delete"
			w.c("www-web-2").Owners = podOwner
			noteClaim(w.c("www-web-2"), state.AnnotationDrainSet, "")
		}, "set-claim-owners www-web-2"},
		"whenDeleted Delete is carried out if the set is not drained": {func(w *world) { w.Set.WhenDeleted = "Delete" },
			"set-claim-owners www-web-0, set-claim-owners www-web-1, set-claim-owners www-web-2, delete-pod web-2"},
		"whenDeleted Delete is not carried out if the set is drained": {func(w *world) {
			w.Set.WhenDeleted = "Delete"
			w.emptiedOnDelete()
		}, "delete-pod web-2"},
	} {
		w := draining(3)
		w.Set.Replicas = 2
		row.change(w)
		check(t, reason, "actions", actions(Decide(&w.Snapshot)), row.actions)
	}
}

// TestOddOnDelete: an invalid value may have been meant as "true", so no claim is given to the set, with which it would be deleted.
func TestOddOnDelete(t *testing.T) {
	w := draining(1).asks(policy.DrainOnDelete, "odd")
	w.Set.WhenDeleted = "Delete"
	check(t, "a claim of nobody's", "actions", actions(Decide(&w.Snapshot)), "")
	w.ofSet("www-web-0")
	check(t, "a claim of the set's", "actions", actions(Decide(&w.Snapshot)), "set-claim-owners www-web-0")
}
