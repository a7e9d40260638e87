package engine

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/policy"
)

// A program is a list of pairs, an instruction and its argument, that change a healthy set without pods. Most bytes mean something, a
// cut program is a program, and small changes have small effects, as a fuzzer needs.
type program struct {
	*world
	text []byte
	at   int // the current pod, which instructions change
}

// Longer programs are cut: they find nothing new.
const maxInstructions = 300

func runProgram(text []byte) *model.Snapshot {
	p := &program{world: newWorld(0), text: text}
	for range maxInstructions {
		if len(p.text) < 2 {
			break
		}
		instruction, argument := p.text[0], p.text[1]
		p.text = p.text[2:]
		instructions[int(instruction)%len(instructions)](p, argument)
	}
	p.unique()
	return &p.Snapshot
}

// raw takes the next n bytes of the program as they are.
func (p *program) raw(n byte) []byte {
	k := min(int(n), len(p.text))
	out := bytes.Clone(p.text[:k])
	p.text = p.text[k:]
	return out
}

// unique drops objects whose name is taken: no API server lists a name twice.
func (p *program) unique() {
	seen := map[string]bool{}
	first := func(kind, name string) bool {
		known := seen[kind+name]
		seen[kind+name] = true
		return !known && name != ""
	}
	p.Pods = filter(p.Pods, func(v *model.Pod) bool { return first("p", v.Name) })
	p.Claims = filter(p.Claims, func(v *model.Claim) bool { return first("c", v.Name) })
	p.Revisions = filter(p.Revisions, func(v *model.Revision) bool { return first("r", v.Name) })
}

func filter[T any](list []T, keep func(*T) bool) (kept []T) {
	for i := range list {
		if keep(&list[i]) {
			kept = append(kept, list[i])
		}
	}
	return kept
}

func of[T any](n byte, values ...T) T { return values[int(n)%len(values)] }

func (p *program) lastClaim() *model.Claim {
	if len(p.Claims) == 0 {
		return &model.Claim{}
	}
	return &p.Claims[len(p.Claims)-1]
}

// current is the current pod; without one, changes have no effect.
func (p *program) current() *model.Pod {
	if len(p.Pods) == 0 {
		return &model.Pod{}
	}
	return &p.Pods[p.at]
}

func (p *program) ownersOf(n byte) []model.Owner {
	set := p.owners()[0]
	mere, other, earlier := set, set, set
	mere.Controller = false
	other.UID, other.Name = "other", "other"
	earlier.UID = "earlier"
	pod := model.Owner{APIVersion: "v1", Kind: model.KindPod, Name: p.current().Name, UID: p.current().UID, Controller: true}
	going := pod
	going.UID = "earlier"
	backup := model.Owner{APIVersion: "x/v1", Kind: "Backup", Name: "b", UID: "b", Controller: true}
	return of(n, []model.Owner{set}, nil, []model.Owner{other}, []model.Owner{earlier}, []model.Owner{mere}, []model.Owner{pod}, []model.Owner{going},
		[]model.Owner{backup}, []model.Owner{set, backup}, []model.Owner{pod, mere}, []model.Owner{backup, other})
}

// instructions change the snapshot. New ones are appended: committed programs name them by number.
var instructions = []func(p *program, n byte){
	func(p *program, n byte) { // a healthy pod
		p.world.pod(int(n % 12))
		p.at = len(p.Pods) - 1
	},
	func(p *program, n byte) { p.current().Phase = model.PodPhase(n % 6) },
	func(p *program, n byte) {
		p.current().Ready = n%2 == 0
		p.current().ReadyChangedAt = of(n/2, noon.Add(-time.Hour), noon, noon.Add(-5*time.Second), time.Time{}, noon.Add(time.Hour))
	},
	func(p *program, n byte) { p.current().DeletedAt = of(n, noon, time.Time{}) },
	func(p *program, n byte) { p.current().Owners = p.ownersOf(n) },
	func(p *program, n byte) { p.current().Revision = p.Revisions[int(n)%len(p.Revisions)].Name },
	func(p *program, n byte) { // another name, odd ones included
		name := of(n, "web-01", "web-007", "web-99999999999", "web-2147483647", "odd", "web-", "other-0", "web-0-1", "-1",
			string(p.raw(n/16)))
		p.current().Name, p.current().UID = name, "uid-"+name
	},
	func(p *program, n byte) {
		p.current().PodNameLabel, p.current().PodIndexLabel = n&1 == 0, n&2 == 0
		p.current().Labels = of(n>>2, webLabels, nil, &model.Labels{Values: map[string]string{"app": "other"}}, &model.Labels{})
		p.current().Volumes = of(n>>4, p.volumes(), nil, []string{"www", "raw"}, []string{"other"})
		p.current().OtherClaims = of(n>>6, nil, []model.ClaimBinding{{Volume: "www", Claim: "www-web-0"}}, []model.ClaimBinding{{Volume: "www", Claim: "other"}})
	},
	func(p *program, n byte) {
		p.Set.Replicas = of[int32](n, 0, 1, 2, 3, 5, 8, 13, 300, 2_000, model.MaxReplicas, model.MaxReplicas+1, 2_147_483_647)
		p.Set.OrdinalsStart = min(p.Set.OrdinalsStart, 2_147_483_647-p.Set.Replicas)
	},
	func(p *program, n byte) {
		p.Set.OrdinalsStart = min(of[int32](n, 0, 1, 2, 7, 1000, 2_147_483_640), 2_147_483_647-p.Set.Replicas)
	},
	func(p *program, n byte) {
		p.Set.PodManagementPolicy = of(n, "", "OrderedReady", "Parallel", "Parallel", "odd")
		p.Set.StrategyType = of(n/5, "", "RollingUpdate", "OnDelete", "Recreate", "odd")
	},
	func(p *program, n byte) {
		p.Set.RollingUpdate = of[*model.RollingUpdate](n, &model.RollingUpdate{}, nil, &model.RollingUpdate{Partition: int32(n/4) % 8},
			&model.RollingUpdate{Partition: int32(n/4)%4 - 1, MaxUnavailable: of(n/8, &model.IntOrPercent{Count: 2}, &model.IntOrPercent{},
				&model.IntOrPercent{Count: -1}, &model.IntOrPercent{Percent: "50%"}, &model.IntOrPercent{Percent: "odd"},
				&model.IntOrPercent{Percent: "99999999999%"}, &model.IntOrPercent{Count: 2_147_483_647})})
	},
	func(p *program, n byte) {
		p.Set.WhenScaled = of(n, "", "Retain", "Delete", "odd")
		p.Set.WhenDeleted = of(n/4, "", "Retain", "Delete", "odd")
	},
	func(p *program, n byte) { p.withClaims() },
	func(p *program, n byte) { // another claim
		p.claim(fmt.Sprintf("%s-web-%d", of(n, "www", "raw", "other"), n/3%12))
	},
	func(p *program, n byte) { p.lastClaim().Owners = p.ownersOf(n) },
	func(p *program, n byte) {
		p.lastClaim().DeletedAt = of(n, time.Time{}, noon)
		p.lastClaim().Phase = model.ClaimPhase(n / 2 % 4)
	},
	func(p *program, n byte) { // another revision
		p.world.revision(int64(n%8)-1, strings.Replace(template, "web:1", fmt.Sprint("old:", n/8%8), 1))
	},
	func(p *program, n byte) {
		r := &p.Revisions[int(n)%len(p.Revisions)]
		switch n / 4 % 6 {
		case 0:
			r.Owners = p.ownersOf(n / 16)
		case 1:
			r.Labels = nil
		case 2:
			r.Data = p.raw(n)
		case 3:
			r.CreatedAt = noon
		case 4:
			p.Set.Status.CurrentRevision = r.Name
		case 5:
			r.Name = podtemplate.RevisionName("web", hashOf(patchOf(mustTree(template), nil), int32(n/64)))
		}
	},
	func(p *program, n byte) { p.image(fmt.Sprint(of(n, "web:", "old:"), n/2%8)) },
	func(p *program, n byte) {
		st := &p.Set.Status
		*of(n, &st.Replicas, &st.ReadyReplicas, &st.AvailableReplicas, &st.CurrentReplicas, &st.UpdatedReplicas) = int32(n/5)%8 - 2
		if n > 200 {
			collisions := int32(n) - 250
			st.CollisionCount = &collisions
		}
	},
	func(p *program, n byte) {
		p.Rules = of(n, model.Setplan(), model.Kubernetes136(), model.Kubernetes137())
	},
	func(p *program, n byte) { p.Capabilities = model.AllCapabilities &^ (1 << (n % 14)) },
	func(p *program, n byte) {
		p.Coverage = model.Coverage{Pods: n&1 == 0, Claims: n&2 == 0, Revisions: n&4 == 0}
	},
	func(p *program, n byte) { p.Set.DeletedAt = of(n, noon, time.Time{}) },
	func(p *program, n byte) {
		p.Set.MinReadySeconds = of[int32](n, 0, 10, 2_147_483_647)
		p.Set.RevisionHistoryLimit = of[int32](n/3, 10, 0, 1, 2, -1)
	},
	func(p *program, n byte) { p.Set.PodTemplate = p.raw(n) },
	func(p *program, n byte) { p.Set.ClaimTemplates = append(p.Set.ClaimTemplates, p.raw(n)) },
	func(p *program, n byte) { // an action of the current plan has failed
		for _, stage := range Decide(&p.Snapshot).Stages {
			for _, step := range stage.Steps {
				for _, a := range step.Actions[:min(len(step.Actions), 20)] {
					if slices.ContainsFunc(p.Outcomes, func(o model.Outcome) bool { return o.ActionID == a.ID }) {
						continue // of two, the last counts
					}
					p.Outcomes = append(p.Outcomes, model.Outcome{ActionID: a.ID, Result: model.OutcomeResult(n % 4), Count: 1, Message: "no"})
				}
			}
		}
	},
	func(p *program, n byte) {
		operator := of(n, "In", "NotIn", "Exists", "DoesNotExist", "odd")
		key := of(n/5, "app", "tier", model.LabelPodName, model.LabelPodIndex, model.LabelRevision, "")
		p.Set.Selector.Expressions = append(p.Set.Selector.Expressions, model.Requirement{Key: key, Operator: operator, Values: of(n/30, nil, []string{"web"}, []string{"0", "web-0"})})
	},
	func(p *program, n byte) { p.settled() },
	func(p *program, n byte) { // a name that is odd, long or not ASCII
		p.Set.Name = of(n, "web", "web-0", strings.Repeat("w", 250), strings.Repeat("é", 120), "w\x7f",
			"x"+string(p.raw(n/16)))
	},
	func(p *program, n byte) { // the current pod is that of an ordinal
		if len(p.Pods) > 0 {
			p.at = int(n) % len(p.Pods)
		}
	},
	func(p *program, n byte) { // many pods at once
		for i := range of(n, 3, 10, 600, 1_200) {
			p.world.pod(i)
		}
	},
	func(p *program, n byte) { // two claim templates
		p.Set.ClaimTemplates = [][]byte{[]byte(`{"metadata":{"name":"www"}}`),
			[]byte(`{"metadata":{"name":"` + of(n, "raw", "www", "www-web", "") + `"},"spec":{"volumeMode":"Block"}}`)}
	},
	func(p *program, n byte) { // a long template, so that manifests reach their limit
		p.Set.PodTemplate = []byte(strings.Replace(template, `"web:1"`, `"`+strings.Repeat("x", int(n)<<8)+`"`, 1))
	},
	func(p *program, n byte) {
		p.asks(policy.Repair, of(n, "NeverReady", "Unready", "Never", "", "odd", string(p.raw(n))))
	},
	func(p *program, n byte) { // an unready pod, and when a kubelet started it
		p.current().Ready = false
		p.current().StartedAt = of(n, p.current().ReadyChangedAt, time.Time{}, noon, p.current().ReadyChangedAt.Add(time.Second))
		p.current().CreatedAt = of(n/4, noon.Add(-time.Hour), noon, time.Time{}, noon.Add(time.Hour))
	},
}

// fuzzPrograms are the seeds: one for each kind of story.
var fuzzPrograms = [][]byte{
	nil,
	{8, 3, 0, 0, 0, 1, 0, 2, 30, 0},        // steady
	{8, 3, 0, 0, 0, 1, 0, 2, 30, 0, 19, 1}, // a rollout
	{8, 3, 0, 0, 0, 1, 0, 2, 19, 1, 11, 3, 10, 2},                                    // with a budget
	{8, 1, 33, 1, 10, 2},                                                             // Parallel scale-down
	{8, 8, 10, 2, 13, 0},                                                             // many creates
	{8, 9, 10, 2, 35, 200},                                                           // more and larger than a plan holds
	{8, 3, 33, 0, 13, 0, 12, 10, 15, 5, 14, 9, 15, 6, 21, 1},                         // retention
	{8, 3, 33, 0, 1, 4, 2, 1, 3, 0, 32, 1, 4, 2, 32, 2, 4, 1},                        // pods in trouble
	{8, 3, 33, 0, 32, 2, 4, 2, 19, 1}, {8, 1, 33, 0, 32, 0, 4, 2, 1, 4, 32, 2, 4, 2}, // foreign pods
	{8, 2, 0, 0, 6, 0, 0, 1, 6, 1, 0, 2, 6, 2, 21, 1},         // odd names
	{17, 3, 17, 20, 18, 16, 19, 1, 18, 20, 18, 8, 25, 3},      // history
	{24, 0, 33, 0, 17, 9, 18, 0, 21, 1},                       // a set that is being deleted
	{31, 3, 8, 3, 10, 2}, {31, 2, 8, 3, 22, 1, 23, 2, 29, 12}, // names, capabilities, selectors
	append([]byte{26, 40}, `{"metadata":{"labels":{"app":"web"}}}    `...), // a custom template
	{8, 3, 33, 0, 17, 9, 32, 2, 5, 1, 37, 0, 36, 0, 19, 1},                 // a bad template, corrected
	{8, 3, 28, 1, 10, 2, 28, 1}, {9, 5, 8, 5, 0, 7, 6, 3, 34, 0, 10, 2},
}
