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
	if err := limits.refusePods(len(in.GetPods())); err != nil {
		return nil, err
	}
	rules, err := presetOf(in.GetPolicy())
	if err != nil {
		return nil, err
	}

	r := &report{consumes: limits.Memory != nil, waiting: waiting{stop: limits.Stop}}
	capabilities := decodeCapabilities(r, request.GetCapabilities())
	if in == nil {
		r.add("snapshot", "required, unless objects is set")
		return nil, r.err()
	}
	if limits.refuse(r, in); r.err() != nil {
		return nil, r.err()
	}
	t, memory := decodeTables(r, in.GetTables()), limits.memory()
	out := &model.Snapshot{
		ObservedAt: decodeObservedAt(r, in.GetObservedAt()),
		Coverage: model.Coverage{
			Pods:      in.GetCoverage().GetPods(),
			Claims:    in.GetCoverage().GetClaims(),
			Revisions: in.GetCoverage().GetRevisions(),
		},
		Pods:         decodePods(r, t, in.GetPods(), memory),
		Claims:       decodeClaims(r, t, in.GetClaims(), memory),
		Revisions:    decodeRevisions(r, t, in.GetRevisions()),
		Outcomes:     listOf(&r.waiting, in.GetOutcomes(), decodeOutcome),
		Policy:       decodePolicy(r, in.GetPolicy()),
		Rules:        rules,
		Capabilities: capabilities,

		ClaimNeighbours: listOf(&r.waiting, in.GetClaimNeighbours(), func(n *setplanv1.ClaimNeighbour) model.ClaimNeighbour {
			return model.ClaimNeighbour{Set: n.GetSet(), ClaimTemplate: n.GetClaimTemplate()}
		}),
		FixedClasses: in.GetFixedStorageClasses(),
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

func decodeOutcome(o *setplanv1.Outcome) model.Outcome {
	out := model.Outcome{ActionID: o.GetActionId(), Result: model.OutcomeResult(o.GetResult()), Count: o.GetCount(), Message: o.GetMessage()}
	if out.Result < model.OutcomeUnknown || out.Result > model.OutcomeNodeCapacity {
		out.Result = model.OutcomeUnknown // of a newer adapter; the contract treats it as an error
	}
	if tried := o.GetTriedAt(); tried.CheckValid() == nil {
		out.TriedAt = tried.AsTime()
	}
	return out
}
