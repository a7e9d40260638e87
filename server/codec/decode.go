package codec

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Decode turns a request into the engine's snapshot. The snapshot shares the request's strings, maps and bytes, and
// objects that name the same table entry share its value. Only with Limits.Memory does it change the request's snapshot.
//
// The error is a *TooManyPodsError, an *UnsupportedPolicyError or an *InvalidError, checked in this order: size before
// content, and support before spelling. Or it is ErrStopped.
func Decode(request *setplanv1.PlanRequest, limits Limits) (*model.Snapshot, error) {
	if request.GetObjects() != nil {
		return decodeObjects(request, limits)
	}
	return decodeSnapshot(request, limits)
}

func decodeSnapshot(request *setplanv1.PlanRequest, limits Limits) (*model.Snapshot, error) {
	in := request.GetSnapshot()
	if pods := len(in.GetPods()); limits.MaxPods > 0 && pods > limits.MaxPods {
		return nil, &TooManyPodsError{Pods: pods, Limit: limits.MaxPods}
	}
	rules, err := presetOf(in.GetPolicy())
	if err != nil {
		return nil, err
	}

	r := &report{limits: &limits}
	capabilities := decodeCapabilities(r, request.GetCapabilities())
	if in == nil {
		r.add("snapshot", "required, unless objects is set")
		return nil, r.err()
	}
	if limits.refuse(r, in); r.err() != nil {
		return nil, r.err()
	}
	t := decodeTables(r, in.GetTables())
	out := &model.Snapshot{
		ObservedAt: decodeObservedAt(r, in.GetObservedAt()),
		Coverage: model.Coverage{
			Pods:      in.GetCoverage().GetPods(),
			Claims:    in.GetCoverage().GetClaims(),
			Revisions: in.GetCoverage().GetRevisions(),
		},
		Pods:         decodePods(r, t, in.GetPods()),
		Claims:       decodeClaims(r, t, in.GetClaims()),
		Revisions:    decodeRevisions(r, t, in.GetRevisions()),
		Outcomes:     decodeOutcomes(in.GetOutcomes()),
		Policy:       decodePolicy(r, in.GetPolicy()),
		Rules:        rules,
		Capabilities: capabilities,

		ClaimNeighbours: decodeNeighbours(r, in.GetClaimNeighbours()),
		FixedClasses:    in.GetFixedStorageClasses(),
	}
	decodeSet(r, in.GetSet(), &out.Set)
	if err := r.err(); err != nil {
		return nil, err
	}
	if out.Documents, err = decodeDocuments(policy.Documents(&out.Policy, out.Set.Annotations), limits.Stop); err != nil {
		return nil, err
	}
	return out, nil
}

func decodeNeighbours(r *report, in []*setplanv1.ClaimNeighbour) []model.ClaimNeighbour {
	if len(in) == 0 {
		return nil
	}
	out := make([]model.ClaimNeighbour, len(in))
	for i, n := range in {
		if r.over(i) {
			return nil
		}
		out[i] = model.ClaimNeighbour{Set: n.GetSet(), ClaimTemplate: n.GetClaimTemplate()}
	}
	return out
}

func decodeOutcomes(in []*setplanv1.Outcome) []model.Outcome {
	if len(in) == 0 {
		return nil
	}
	out := make([]model.Outcome, len(in))
	for i, o := range in {
		result := model.OutcomeResult(o.GetResult())
		if result < model.OutcomeUnknown || result > model.OutcomeDisruptionBudget {
			result = model.OutcomeUnknown // of a newer adapter; the contract treats it as an error
		}
		out[i] = model.Outcome{ActionID: o.GetActionId(), Result: result, Count: o.GetCount(), Message: o.GetMessage()}
		if tried := o.GetTriedAt(); tried.CheckValid() == nil {
			out[i].TriedAt = tried.AsTime()
		}
	}
	return out
}
