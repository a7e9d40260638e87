package forecast

import (
	"fmt"
	"time"

	"github.com/setplan/setplan/engine/forecast"
	"github.com/setplan/setplan/engine/model"
)

// setGone is the verdict where the set itself is gone.
const setGone = "SET_GONE"

// told is a forecast as an outcome.
func told(s *model.Snapshot, takes forecast.Hosts) *outcome {
	o := &outcome{}
	steps, result := forecast.Run(nil, s, forecast.Options{Hosts: takes})
	for step := range steps {
		o.readStep(s, &step)
	}
	r := result()
	o.readEvents(s, r.Events)
	pairs := restarts{outcome: o}
	for _, restart := range r.Restarts {
		pairs.list = append(pairs.list, newRestart(&restart))
	}
	for _, pod := range r.Removed {
		pairs.list = append(pairs.list, restart{pod: pod.Pod, from: pod.Revision})
	}
	for _, pod := range r.Added {
		pairs.made(pod.Pod, pod.Revision)
	}
	pairs.end()
	for _, pod := range r.ContainerRestarts {
		o.containerRestarts = append(o.containerRestarts, pod.Pod)
	}
	for _, pod := range r.DrainPods {
		o.drainPods = append(o.drainPods, pod.Pod)
	}
	for _, claim := range r.Claims.Made {
		o.claimsMade = append(o.claimsMade, claim.Claim)
	}
	for _, claim := range r.Claims.Deleted {
		o.claimsGone = append(o.claimsGone, claim.Claim)
	}
	for _, lost := range r.Irreversible {
		o.irreversible = append(o.irreversible, lost.Name)
	}
	o.peak = r.Peak.Unavailable
	if o.verdict = r.Verdict.String(); r.SetGone {
		o.verdict = setGone
	}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		o.blocks = append(o.blocks, blockText(int32(b.Code), b.Kind, b.Name, b.Remedy))
	}
	return o
}

func newRestart(r *forecast.Restart) restart {
	return restart{pod: r.Pod, from: r.From, to: r.To, again: !r.MadeAt.IsZero()}
}

// blockText is a block in short.
func blockText(code int32, kind, name, remedy string) string {
	return fmt.Sprintf("%s of %s %s (%s)", model.BlockCode(code), kind, name, remedy)
}

func (o *outcome) readEvents(s *model.Snapshot, events []forecast.Event) {
	for _, e := range events {
		if e.Kind == forecast.Collected {
			o.tell(e.At.Sub(s.ObservedAt), true, "delete", e.Subject, e.Name)
		}
	}
}

func (o *outcome) readStep(s *model.Snapshot, step *forecast.Step) {
	o.readEvents(s, step.Events)
	for i := range step.Actions {
		verb := ""
		switch op := step.Actions[i].Op.(type) {
		case model.CreatePod, model.CreateClaim:
			verb = "make"
		case model.DeletePod, model.EvictPod, model.DeleteClaim, model.DeleteRevision:
			verb = "delete"
		case model.UpdatePod:
			if verb = "update"; len(op.Containers) > 0 {
				verb = "restart"
			}
		case model.ResizePod:
			verb = "resize"
		default:
			continue
		}
		o.tell(step.At.Sub(s.ObservedAt), false, verb, step.Actions[i].Kind, step.Actions[i].Name)
	}
}

func (o *outcome) tell(at time.Duration, collected bool, verb, kind, name string) {
	kinds := map[string]string{model.KindPod: "pod", model.KindClaim: "claim", model.KindRevision: "revision"}
	o.writes = append(o.writes, write{at, collected, verb + " " + kinds[kind] + " " + name})
}
