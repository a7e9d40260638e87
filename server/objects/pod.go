package objects

import (
	"strings"

	"github.com/setplan/setplan/proto/rawjson"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The identity labels of a pod, which have their own fields in the contract.
const (
	labelPodName  = "statefulset.kubernetes.io/pod-name"
	labelPodIndex = "apps.kubernetes.io/pod-index"
	labelRevision = "controller-revision-hash"
)

// tokenVariable is the environment variable with the token of a drain pod's container.
const tokenVariable = "SETPLAN_DRAIN_TOKEN"

// maxTerminationMessage is how much of a termination message a kubelet keeps, in bytes.
const maxTerminationMessage = 4096

var podPhases = map[string]setplanv1.PodPhase{
	"Pending":   setplanv1.PodPhase_POD_PHASE_PENDING,
	"Running":   setplanv1.PodPhase_POD_PHASE_RUNNING,
	"Succeeded": setplanv1.PodPhase_POD_PHASE_SUCCEEDED,
	"Failed":    setplanv1.PodPhase_POD_PHASE_FAILED,
	"Unknown":   setplanv1.PodPhase_POD_PHASE_UNKNOWN,
}

func (b *builder) pod(v rawjson.Value) *setplanv1.Pod {
	meta, spec, status := b.parts(v)
	m := b.metadata(meta)
	var containers, initContainers, volumes, gates, scheduling rawjson.Value
	b.read(spec, field{"containers", &containers}, field{"initContainers", &initContainers}, field{"volumes", &volumes}, field{"readinessGates", &gates},
		field{"schedulingGates", &scheduling})
	var phase string
	var started millis
	var conditions, statuses, initStatuses rawjson.Value
	seen := &setplanv1.PodContainers{Generation: m.generation}
	b.read(status, field{"phase", &phase}, field{"conditions", &conditions}, field{"startTime", &started}, field{"observedGeneration", &seen.ObservedGeneration},
		field{"containerStatuses", &statuses}, field{"initContainerStatuses", &initStatuses})
	out := &setplanv1.Pod{
		Name:               m.name,
		Uid:                m.uid,
		ResourceVersion:    m.resourceVersion,
		Phase:              podPhases[phase],
		DeletionUnixMs:     int64(m.deleted),
		CreatedUnixMs:      int64(m.created),
		OwnerSetIndex:      b.owners(m.owners),
		AnnotationSetIndex: b.annotations(m.annotations),
	}
	seen.ResizePending, seen.ResizeInProgress = b.podConditions(conditions, out)
	if m.deleted != 0 && m.grace.Is() {
		out.DeletionGraceSeconds = new(b.int(m.grace, 64))
	}
	if !out.Ready {
		out.StartedUnixMs = int64(started)
		out.NodeLost = b.nodeLost(conditions, gates)
	}
	for w := b.items(scheduling); w.Next(); {
		if name := b.text(b.get(w.Value, "name")); len(out.SchedulingGates) < maxGates {
			out.SchedulingGates = append(out.SchedulingGates, name)
		}
	}
	b.podLabels(m.labels, out)
	b.podVolumes(volumes, out)
	b.terminationMessages(containers, statuses, out)
	if b.get(m.annotations, annotationUpdate).Kind() != 0 {
		seen.Containers, seen.InitContainers = b.containers(containers, statuses), b.containers(initContainers, initStatuses)
		out.Containers = seen
	}
	return out
}

// podConditions reads the conditions that count, and returns those of a resize, if they are true.
func (b *builder) podConditions(v rawjson.Value, out *setplanv1.Pod) (pending, inProgress *setplanv1.PodResize) {
	for w := b.items(v); w.Next(); {
		var kind, status, reason, message string
		var changed millis
		var generation int64
		b.read(w.Value, field{"type", &kind}, field{"status", &status}, field{"lastTransitionTime", &changed}, field{"reason", &reason},
			field{"message", &message}, field{"observedGeneration", &generation})
		holds := status == "True"
		resize := func() *setplanv1.PodResize {
			return &setplanv1.PodResize{Reason: reason, Message: cutText(message, maxConditionMessage), SinceUnixMs: int64(changed), ObservedGeneration: generation}
		}
		switch {
		case kind == "Ready":
			out.Ready, out.ReadyChangedUnixMs = holds, int64(changed)
		case kind == "DisruptionTarget":
			out.Disrupted = out.Disrupted || holds
		case kind == "PodResizePending" && holds && pending == nil:
			pending = resize()
		case kind == "PodResizeInProgress" && holds && inProgress == nil:
			inProgress = resize()
		}
	}
	return pending, inProgress
}

// maxGates is how many scheduling gates of a pod are sent.
const maxGates = 16

// nodeLost reports whether it is not the kubelet that says that a pod is not ready. A kubelet gives a reason, also where a readiness gate is not True;
// the node controller gives none.
func (b *builder) nodeLost(conditions, gates rawjson.Value) bool {
	is, reason, open := map[string]string{}, "", true
	for w := conditions.Items(); w.Next(); {
		name := w.Value.Get("type").Text()
		is[name] = w.Value.Get("status").Text()
		if name == "Ready" {
			reason = w.Value.Get("reason").Text()
		}
	}
	for w := b.items(gates); w.Next(); {
		open = open && is[b.text(b.get(w.Value, "conditionType"))] == "True"
	}
	return is["Ready"] == "False" && is["ContainersReady"] == "True" && (open || reason == "")
}

// podLabels takes an identity label out of the label set if its field says the same.
func (b *builder) podLabels(v rawjson.Value, out *setplanv1.Pod) {
	labels := b.strings(v, "")
	if value, has := labels[labelRevision]; has {
		out.RevisionNameIndex = b.revisionName(value)
		delete(labels, labelRevision)
	}
	if labels[labelPodName] == out.Name {
		out.PodNameLabel = true
		delete(labels, labelPodName)
	}
	if _, digits, ok := splitOrdinal(out.Name); ok && labels[labelPodIndex] == digits {
		out.PodIndexLabel = true
		delete(labels, labelPodIndex)
	}
	out.LabelSetIndex = b.labelSet(labels)
}

// podVolumes splits the bound volumes into those with the claim name that the set would choose, and the others.
func (b *builder) podVolumes(v rawjson.Value, out *setplanv1.Pod) {
	var own []string
	for w := b.items(v); w.Next(); {
		var name, claim string
		var source rawjson.Value
		b.read(w.Value, field{"name", &name}, field{"persistentVolumeClaim", &source})
		if !source.Is() {
			continue
		}
		b.read(source, field{"claimName", &claim})
		if rest, ok := strings.CutPrefix(claim, name); ok && rest == "-"+out.Name {
			own = append(own, name)
		} else {
			out.OtherClaims = append(out.OtherClaims, &setplanv1.ClaimBinding{Volume: name, Claim: claim})
		}
	}
	out.VolumeSetIndex = b.volumeSet(own)
}

// terminationMessages are those of the containers that were given a token.
func (b *builder) terminationMessages(containers, statuses rawjson.Value, out *setplanv1.Pod) {
	var said map[string]string // by the name of a container
	for w := b.items(containers); w.Next(); {
		var name string
		var env rawjson.Value
		b.read(w.Value, field{"name", &name}, field{"env", &env})
		hasToken := false
		for w := b.items(env); w.Next(); {
			hasToken = hasToken || b.text(b.get(w.Value, "name")) == tokenVariable
		}
		if !hasToken {
			continue
		}
		if said == nil {
			said = map[string]string{}
			for w := b.items(statuses); w.Next(); {
				if message := b.get(w.Value, "state", "terminated", "message"); message.Is() {
					said[b.text(b.get(w.Value, "name"))] = cutText(b.text(message), maxTerminationMessage)
				}
			}
		}
		out.TerminationMessages = append(out.TerminationMessages, said[name])
	}
}
