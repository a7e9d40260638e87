package explore

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
)

const (
	setName   = "web"
	setUID    = "set-uid"
	claimName = "data"
)

// noon is the time of every snapshot. The model has no clock: minReadySeconds is 0.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// stored is a revision as the API server keeps it.
type stored struct {
	template []byte
	name     string
	labels   map[string]string
	data     []byte
}

// scribe turns clusters into snapshots. It makes what never changes once, and reuses one snapshot, so that calling the engine costs little
// more than its decision.
type scribe struct {
	config    *Config
	revisions [revisionCount + 1]stored
	ofSet     []model.Owner
	ofPod     [maxOrdinals][]model.Owner
	ofEarlier [maxOrdinals][]model.Owner
	podNames  [maxOrdinals]string
	claims    [maxOrdinals]string
	labels    *model.Labels
	leading   *model.Labels // of the leader
	volumes   []string
	snapshot  model.Snapshot

	policies    [1 << maxOrdinals][4][patches]map[string]string // of the set: what is reserved, how it is paused, a patch of the claims, and what never changes
	refused     [maxOrdinals][3][]model.Outcome                 // of evictions
	storages    [1 << volumeBits]*model.ClaimStorage
	requests    [1 << volumeBits]*model.Annotations                      // of claims that follow the set
	podNotes    map[noteOfPod]*model.Annotations                         // of pods whose containers change in place
	answers     [revisionCount + 1][revisionCount + 1]*model.Annotations // of pods: to which revision they may go, and with which they are confirmed
	drainLabels *model.Labels
	plainOwner  []model.Owner
	listed      [maxOrdinals]*model.Annotations // of a drain pod, with the uid of the claim
	earlier     *model.Annotations              // of one whose claim is gone
	notes       [2][2][2]*model.Annotations     // of a claim that is marked, attempted and listed, or not
}

func newScribe(config *Config) *scribe {
	s := &scribe{config: config, podNotes: map[noteOfPod]*model.Annotations{}, labels: &model.Labels{Values: map[string]string{"app": setName}},
		leading: &model.Labels{Values: map[string]string{"app": setName, "role": "primary"}}, volumes: []string{claimName}}
	s.ofSet = []model.Owner{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: setName, UID: setUID, Controller: true, BlockOwnerDeletion: true}}
	s.drainLabels = &model.Labels{Values: map[string]string{"app": "drainer"}}
	s.plainOwner = []model.Owner{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: setName, UID: setUID}}
	for i := range maxOrdinals {
		s.podNames[i] = fmt.Sprintf("%s-%d", setName, i)
		s.claims[i] = claimName + "-" + s.podNames[i]
		s.listed[i] = drainPodNotes("uid-" + s.claims[i])
		pod := model.Owner{APIVersion: "v1", Kind: model.KindPod, Name: s.podNames[i], Controller: true, BlockOwnerDeletion: true}
		pod.UID = "uid-" + s.podNames[i]
		s.ofPod[i] = []model.Owner{pod}
		pod.UID = "earlier-" + s.podNames[i]
		s.ofEarlier[i] = []model.Owner{pod}
	}
	s.snapshot = model.Snapshot{ObservedAt: noon, Coverage: model.Coverage{Pods: true, Claims: true, Revisions: true},
		Rules: model.Setplan(), Policy: model.Policy{Repair: config.Repair},
		Capabilities: config.capabilities()}
	s.snapshot.Set = model.Set{Object: model.Object{APIVersion: "apps/v1", Kind: "StatefulSet", Namespace: "default", Name: setName, UID: setUID,
		Generation: 2, ResourceVersion: "1"}, Spec: model.Spec{Selector: model.Selector{MatchLabels: s.labels.Values}, ServiceName: setName,
		RollingUpdate:        &model.RollingUpdate{MaxUnavailable: &model.IntOrPercent{Count: config.MaxUnavailable}},
		RevisionHistoryLimit: config.HistoryLimit},
		ClaimTemplates: config.ownTemplates()}
	if config.Parallel {
		s.snapshot.Set.PodManagementPolicy = "Parallel"
	}
	s.prepareNotes()
	s.preparePolicies()
	s.prepareVolumes()
	for r := revision(1); r <= revisionCount; r++ {
		s.revisions[r] = s.store(r)
	}
	s.prepareAnswers()
	s.prepareRefusals()
	return s
}

// template is the pod template of a revision.
func (config *Config) template(r revision) []byte {
	labels, image := `"app":"web"`, r
	if r == changedRevision && (config.relabels() || config.Removes || config.Adds) || config.Inside == ofResources {
		image = 1
	}
	if r == changedRevision && config.relabels() {
		labels += `,"` + tier + `":"gold"`
	}
	return fmt.Appendf(nil, `{"metadata":{"labels":{%s}},"spec":{"containers":[{%s"image":%q,"name":"web"%s}]%s}}`, labels, config.commandOf(r),
		imageOf(image), config.resourcesOf(r), config.volumeOf(r))
}

// store asks the engine for the revision of a template, because names and data are its business.
func (s *scribe) store(r revision) stored {
	result := stored{template: s.config.template(r)}
	s.snapshot.Set.PodTemplate, s.snapshot.Set.Annotations = result.template, s.policies[0][0][s.config.patch(r, 0)]
	for _, stage := range engine.Decide(&s.snapshot).Stages {
		for _, step := range stage.Steps {
			for _, action := range step.Actions {
				op, ok := action.Op.(model.CreateRevision)
				if !ok {
					continue
				}
				var manifest struct {
					Metadata struct {
						Name   string
						Labels map[string]string
					}
					Data json.RawMessage
				}
				if err := json.Unmarshal(op.Manifest, &manifest); err != nil {
					panic("explore: a revision that is no JSON: " + err.Error())
				}
				result.name, result.labels, result.data = manifest.Metadata.Name, manifest.Metadata.Labels, manifest.Data
			}
		}
	}
	return result
}

func (s *scribe) name(r revision) string { return s.revisions[r].name } // "" for none

// revisionOf is the reverse; 0 for an unknown name.
func (s *scribe) revisionOf(name string) revision {
	for r := revision(1); r <= revisionCount; r++ {
		if s.revisions[r].name == name {
			return r
		}
	}
	return 0
}

// write returns the snapshot of a cluster, valid until the next call.
func (s *scribe) write(c *cluster) *model.Snapshot {
	snapshot := &s.snapshot
	s.writeSet(c)
	s.showDrain(c)
	snapshot.Pods, snapshot.Claims, snapshot.Revisions = snapshot.Pods[:0], snapshot.Claims[:0], snapshot.Revisions[:0]
	snapshot.Outcomes = snapshot.Outcomes[:0]
	for i := range c.pods {
		snapshot.Outcomes = append(snapshot.Outcomes, s.refused[i][c.pods[i].refused]...)
		if p := c.pods[i]; p.drain {
			snapshot.Pods = append(snapshot.Pods, s.drainPod(i, p, c.claims[i]))
		} else if p.exists() {
			snapshot.Pods = append(snapshot.Pods, s.pod(i, p))
		}
		if k := c.claims[i]; k.exists {
			snapshot.Claims = append(snapshot.Claims, s.claim(i, k))
		}
	}
	for r := revision(1); r <= revisionCount; r++ {
		if c.ranks[r] > 0 {
			snapshot.Revisions = append(snapshot.Revisions, model.Revision{Name: s.name(r), UID: "uid-" + s.name(r),
				ResourceVersion: "1", Number: int64(c.ranks[r]), Owners: s.ofSet, Labels: s.revisions[r].labels,
				CreatedAt: noon.Add(-time.Hour), Data: s.revisions[r].data})
		}
	}
	return snapshot
}

func (s *scribe) writeSet(c *cluster) {
	set := &s.snapshot.Set
	set.Replicas, set.RollingUpdate.Partition = int32(c.replicas), int32(c.partition)
	set.PodTemplate = s.revisions[c.template].template
	set.Annotations = s.policies[c.reserved][c.pause][s.config.patch(c.template, c.size)]
	policy := map[bool]string{false: "Retain", true: "Delete"}
	set.WhenScaled, set.WhenDeleted = policy[c.whenScaled], policy[c.whenDeleted]
	set.DeletedAt = time.Time{}
	if c.deleting {
		set.DeletedAt = noon.Add(-time.Minute)
	}
	set.Status = model.Status{CurrentRevision: s.name(c.statusCurrent), UpdateRevision: s.name(c.statusNew)}
	n := c.count()
	if c.unnoticed {
		set.Status.ObservedGeneration, set.Status.Replicas = set.Generation, int32(n[0])+1 // anything but what is right
	}
	if c.told {
		set.Status.ObservedGeneration = set.Generation
		set.Status.Replicas, set.Status.ReadyReplicas, set.Status.AvailableReplicas = int32(n[0]), int32(n[1]), int32(n[2])
		set.Status.CurrentReplicas, set.Status.UpdatedReplicas = int32(n[3]), int32(n[4])
	}
}

func (s *scribe) pod(i int, p pod) model.Pod {
	pod := model.Pod{Name: s.podNames[i], UID: s.ofPod[i][0].UID, ResourceVersion: "1", CreatedAt: noon.Add(-2 * time.Hour),
		Labels: s.labels, Owners: s.ofSet, Revision: s.name(p.rev), PodNameLabel: true, PodIndexLabel: true, Volumes: s.volumes,
		PodStatus: model.PodStatus{Ready: p.phase == ready}}
	pod.Phase = [...]model.PodPhase{pending: model.PodPending, running: model.PodRunning, ready: model.PodRunning,
		failed: model.PodFailed, recovering: model.PodRunning}[p.phase]
	switch p.phase {
	case running:
		pod.StartedAt = noon.Add(-time.Hour)
		pod.ReadyChangedAt = pod.StartedAt
	case ready, recovering:
		pod.StartedAt = noon.Add(-time.Hour)
		pod.ReadyChangedAt = noon.Add(-time.Minute)
	}
	s.date(&pod, p)
	if p.mode != staying {
		pod.DeletedAt = noon.Add(-time.Minute)
	}
	if p.leads {
		pod.Labels = s.leading
	}
	pod.Annotations, pod.Containers = s.notesOf(p), s.containersOf(p)
	if s.config.isWithout(p.rev) {
		pod.Volumes = nil
	}
	return pod
}

func (s *scribe) claim(i int, k claim) model.Claim {
	claim := model.Claim{Name: s.claims[i], UID: "uid-" + s.claims[i], ResourceVersion: "1", Phase: model.ClaimBound}
	claim.Owners = [...][]model.Owner{byNobody: nil, bySet: s.ofSet, byPod: s.ofPod[i], byEarlierPod: s.ofEarlier[i]}[k.owner]
	if k.going {
		claim.DeletedAt = noon.Add(-time.Minute)
	}
	claim.Annotations = s.notes[bit(k.marked)][bit(k.attempted)][bit(k.listed)]
	if s.config.Grows || s.config.Adds {
		claim.Storage, claim.Annotations = s.storages[k.volume], s.requests[k.volume]
	}
	return claim
}
