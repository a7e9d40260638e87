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

// podParts are the values of a pod that are looked into.
type podParts struct {
	metadata, spec, status rawjson.Value

	containers, initContainers, volumes, gates rawjson.Value // of the spec

	phase, conditions, startTime, observedGeneration rawjson.Value // of the status
	statuses, initStatuses                           rawjson.Value
}

func (b *builder) podParts(v rawjson.Value) (p podParts) {
	for key, member := range b.members(v) {
		switch string(key) {
		case "metadata":
			p.metadata = member
		case "spec":
			p.spec = member
		case "status":
			p.status = member
		}
	}
	for key, member := range b.members(p.spec) {
		switch string(key) {
		case "containers":
			p.containers = member
		case "initContainers":
			p.initContainers = member
		case "volumes":
			p.volumes = member
		case "readinessGates":
			p.gates = member
		}
	}
	for key, member := range b.members(p.status) {
		switch string(key) {
		case "phase":
			p.phase = member
		case "conditions":
			p.conditions = member
		case "startTime":
			p.startTime = member
		case "observedGeneration":
			p.observedGeneration = member
		case "containerStatuses":
			p.statuses = member
		case "initContainerStatuses":
			p.initStatuses = member
		}
	}
	return p
}

func (b *builder) pod(v rawjson.Value) *setplanv1.Pod {
	p := b.podParts(v)
	m := b.metadata(p.metadata)
	out := &setplanv1.Pod{
		Name:               m.name,
		Uid:                m.uid,
		ResourceVersion:    m.resourceVersion,
		Phase:              podPhases[b.text(p.phase)],
		DeletionUnixMs:     m.deleted,
		CreatedUnixMs:      m.created,
		OwnerSetIndex:      b.owners(m.owners),
		AnnotationSetIndex: b.annotations(m.annotations),
	}
	pending, inProgress := b.podConditions(p.conditions, out)
	if !out.Ready {
		out.StartedUnixMs = b.millis(p.startTime)
		out.NodeLost = b.nodeLost(&p)
	}
	b.podLabels(m.labels, out)
	b.podVolumes(p.volumes, out)
	b.terminationMessages(&p, out)
	if b.get(m.annotations, annotationUpdate).Kind() != 0 {
		out.Containers = &setplanv1.PodContainers{
			Generation:         m.generation,
			ObservedGeneration: b.int64(p.observedGeneration),
			Containers:         b.containers(p.containers, p.statuses),
			InitContainers:     b.containers(p.initContainers, p.initStatuses),
			ResizePending:      pending,
			ResizeInProgress:   inProgress,
		}
	}
	return out
}

// podConditions reads the conditions that count, and returns those of a resize, if they are true.
func (b *builder) podConditions(v rawjson.Value, out *setplanv1.Pod) (pending, inProgress *setplanv1.PodResize) {
	for _, item := range b.items(v) {
		var kind, status string
		var changed, reason, message, generation rawjson.Value
		for key, member := range b.members(item) {
			switch string(key) {
			case "type":
				kind = b.text(member)
			case "status":
				status = b.text(member)
			case "lastTransitionTime":
				changed = member
			case "reason":
				reason = member
			case "message":
				message = member
			case "observedGeneration":
				generation = member
			}
		}
		resize := func(known *setplanv1.PodResize) *setplanv1.PodResize {
			if known != nil || status != "True" {
				return known
			}
			return &setplanv1.PodResize{Reason: b.text(reason), Message: cutText(b.text(message), maxConditionMessage), SinceUnixMs: b.millis(changed),
				ObservedGeneration: b.int64(generation)}
		}
		switch kind {
		case "Ready":
			out.Ready, out.ReadyChangedUnixMs = status == "True", b.millis(changed)
		case "DisruptionTarget":
			out.Disrupted = out.Disrupted || status == "True"
		case "PodResizePending":
			pending = resize(pending)
		case "PodResizeInProgress":
			inProgress = resize(inProgress)
		}
	}
	return pending, inProgress
}

// nodeLost reports whether a pod that is not ready would be if its kubelet said so.
func (b *builder) nodeLost(p *podParts) bool {
	is := map[string]string{}
	for _, condition := range p.conditions.Items() {
		is[condition.Get("type").Text()] = condition.Get("status").Text()
	}
	for _, gate := range b.items(p.gates) {
		if is[b.text(b.get(gate, "conditionType"))] != "True" {
			return false
		}
	}
	return is["Ready"] == "False" && is["ContainersReady"] == "True"
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
	for _, item := range b.items(v) {
		var name string
		var source rawjson.Value
		for key, member := range b.members(item) {
			switch string(key) {
			case "name":
				name = b.text(member)
			case "persistentVolumeClaim":
				source = member
			}
		}
		if !source.Is() {
			continue
		}
		claim := b.text(b.get(source, "claimName"))
		if rest, ok := strings.CutPrefix(claim, name); ok && rest == "-"+out.Name {
			own = append(own, name)
		} else {
			out.OtherClaims = append(out.OtherClaims, &setplanv1.ClaimBinding{Volume: name, Claim: claim})
		}
	}
	out.VolumeSetIndex = b.volumeSet(own)
}

// terminationMessages are those of the containers that were given a token.
func (b *builder) terminationMessages(p *podParts, out *setplanv1.Pod) {
	var said map[string]string // by the name of a container
	for _, container := range b.items(p.containers) {
		var name, env rawjson.Value
		for key, member := range b.members(container) {
			switch string(key) {
			case "name":
				name = member
			case "env":
				env = member
			}
		}
		hasToken := false
		for _, variable := range b.items(env) {
			hasToken = hasToken || b.text(b.get(variable, "name")) == tokenVariable
		}
		if !hasToken {
			continue
		}
		if said == nil {
			said = map[string]string{}
			for _, status := range b.items(p.statuses) {
				if message := b.get(status, "state", "terminated", "message"); message.Is() {
					said[b.text(b.get(status, "name"))] = cutText(b.text(message), maxTerminationMessage)
				}
			}
		}
		out.TerminationMessages = append(out.TerminationMessages, said[b.text(name)])
	}
}
