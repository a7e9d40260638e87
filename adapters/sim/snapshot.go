package sim

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"google.golang.org/protobuf/types/known/timestamppb"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Snapshot implements adapters.Source.
func (a *Adapter) Snapshot(_ context.Context, key adapters.Key) (*setplanv1.Snapshot, error) {
	shown, versions := a.cache()
	set := shown.Set(key.Name)
	if set == nil {
		return nil, adapters.ErrGone
	}
	message, spec, err := setMessage(set)
	if err != nil {
		return nil, fmt.Errorf("set %s: %w", key, err)
	}
	a.view = View{State: shown.copy(), At: a.Now()}
	tables := newTables()
	snapshot := &setplanv1.Snapshot{
		ObservedAt: timestamppb.New(a.view.At),
		Coverage: &setplanv1.Coverage{
			Pods: !a.hidden[KindPod], Claims: !a.hidden[KindClaim], Revisions: !a.hidden[KindRevision],
			PodsVersion:      version(versions[KindPod]),
			ClaimsVersion:    version(versions[KindClaim]),
			RevisionsVersion: version(versions[KindRevision]),
		},
		Set:             message,
		ClaimNeighbours: neighbours(shown, key.Name),
	}
	for _, name := range shown.Names(KindPod) {
		if pod := shown.Pod(name); controlledBy(pod, set) || memberName(set.Name).MatchString(name) {
			snapshot.Pods = append(snapshot.Pods, podMessage(pod, tables))
		}
	}
	claimName := spec.claimName(set.Name)
	for _, name := range shown.Names(KindClaim) {
		if claimName != nil && claimName.MatchString(name) {
			snapshot.Claims = append(snapshot.Claims, claimMessage(shown.Claim(name), tables))
		}
	}
	for _, name := range shown.Names(KindRevision) {
		revision := shown.Revision(name)
		if metav1.GetControllerOf(revision) == nil || controlledBy(revision, set) || strings.HasPrefix(name, set.Name+"-") {
			snapshot.Revisions = append(snapshot.Revisions, revisionMessage(revision, tables))
		}
	}
	snapshot.Tables = tables.message
	return snapshot, nil
}

func version(v int64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatInt(v, 10)
}

func memberName(set string) *regexp.Regexp {
	return regexp.MustCompile("^" + regexp.QuoteMeta(set) + "-[0-9]+$")
}

func controlledBy(object Object, set *Set) bool {
	owner := metav1.GetControllerOf(object)
	return owner != nil && owner.UID == set.UID
}

// podMessage describes a pod. The labels and volumes that follow from its name are flags and short names; what does not
// follow stands in the label set and in other_claims.
func podMessage(pod *corev1.Pod, tables *tables) *setplanv1.Pod {
	message := &setplanv1.Pod{
		Name: pod.Name, Uid: string(pod.UID), ResourceVersion: pod.ResourceVersion,
		Phase:             podPhases[pod.Status.Phase],
		DeletionUnixMs:    deletionMillis(pod),
		CreatedUnixMs:     millis(&pod.CreationTimestamp),
		OwnerSetIndex:     tables.owners(pod.OwnerReferences),
		RevisionNameIndex: tables.revision(pod.Labels[appsv1.ControllerRevisionHashLabelKey]),
		PodNameLabel:      pod.Labels[appsv1.StatefulSetPodNameLabel] == pod.Name,
	}
	if condition := readyCondition(pod); condition != nil {
		message.Ready = condition.Status == corev1.ConditionTrue
		message.ReadyChangedUnixMs = millis(&condition.LastTransitionTime)
	}
	if !message.Ready {
		message.StartedUnixMs = millis(pod.Status.StartTime)
	}
	index, labeled := pod.Labels[appsv1.PodIndexLabel]
	message.PodIndexLabel = labeled && index == trailingDigits.FindString(pod.Name)

	labels := map[string]string{}
	for key, value := range pod.Labels {
		switch {
		case key == appsv1.ControllerRevisionHashLabelKey,
			key == appsv1.StatefulSetPodNameLabel && message.PodNameLabel,
			key == appsv1.PodIndexLabel && message.PodIndexLabel:
		default:
			labels[key] = value
		}
	}
	message.LabelSetIndex = tables.labels(labels)

	var volumes []string
	for _, volume := range pod.Spec.Volumes {
		switch claim := volume.PersistentVolumeClaim; {
		case claim == nil:
		case claim.ClaimName == volume.Name+"-"+pod.Name:
			volumes = append(volumes, volume.Name)
		default:
			message.OtherClaims = append(message.OtherClaims,
				&setplanv1.ClaimBinding{Volume: volume.Name, Claim: claim.ClaimName})
		}
	}
	message.VolumeSetIndex = tables.volumes(volumes)
	message.AnnotationSetIndex = tables.annotations(pod.Annotations)
	message.TerminationMessages, message.Disrupted = terminationMessages(pod), disrupted(pod)
	return message
}

var trailingDigits = regexp.MustCompile("[0-9]+$")

var podPhases = map[corev1.PodPhase]setplanv1.PodPhase{
	corev1.PodPending:   setplanv1.PodPhase_POD_PHASE_PENDING,
	corev1.PodRunning:   setplanv1.PodPhase_POD_PHASE_RUNNING,
	corev1.PodSucceeded: setplanv1.PodPhase_POD_PHASE_SUCCEEDED,
	corev1.PodFailed:    setplanv1.PodPhase_POD_PHASE_FAILED,
	corev1.PodUnknown:   setplanv1.PodPhase_POD_PHASE_UNKNOWN,
}

func claimMessage(claim *corev1.PersistentVolumeClaim, tables *tables) *setplanv1.Claim {
	return &setplanv1.Claim{
		Name: claim.Name, Uid: string(claim.UID), ResourceVersion: claim.ResourceVersion,
		OwnerSetIndex:  tables.owners(claim.OwnerReferences),
		DeletionUnixMs: deletionMillis(claim),
		Phase: map[corev1.PersistentVolumeClaimPhase]setplanv1.ClaimPhase{
			corev1.ClaimPending: setplanv1.ClaimPhase_CLAIM_PHASE_PENDING,
			corev1.ClaimBound:   setplanv1.ClaimPhase_CLAIM_PHASE_BOUND,
			corev1.ClaimLost:    setplanv1.ClaimPhase_CLAIM_PHASE_LOST,
		}[claim.Status.Phase],
		AnnotationSetIndex: tables.annotations(claim.Annotations),
	}
}

func revisionMessage(revision *appsv1.ControllerRevision, tables *tables) *setplanv1.Revision {
	return &setplanv1.Revision{
		Name: revision.Name, Uid: string(revision.UID), ResourceVersion: revision.ResourceVersion,
		Number: revision.Revision, OwnerSetIndex: tables.owners(revision.OwnerReferences), Labels: revision.Labels,
		CreatedUnixMs: millis(&revision.CreationTimestamp), Data: json.RawMessage(revision.Data.Raw),
	}
}

// millis is a time as the contract has it: 0 means "not set".
func millis(t *metav1.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func deletionMillis(object Object) int64 {
	if object.GetDeletionTimestamp() == nil {
		return 0
	}
	return millis(object.GetDeletionTimestamp())
}
