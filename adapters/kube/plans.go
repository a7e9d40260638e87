package kube

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Plans keeps and serves a summary of each set's last plan, so that in observe mode people see what would be done. It holds no
// manifests.
type Plans struct {
	kind string // empty: the built-in one

	mu    sync.Mutex
	plans map[adapters.Key]PlanSummary
}

// Limits of blocks and actions in one summary, because every set has one.
const (
	mostBlocks = 100
	mostNext   = 10
)

// PlanSummary is one plan in short.
type PlanSummary struct {
	Set        string         `json:"set"`
	Kind       string         `json:"kind,omitempty"` // where it is not the built-in one
	ObservedAt time.Time      `json:"observedAt"`
	Converged  bool           `json:"converged"`
	Actions    map[string]int `json:"actions"`
	Next       []string       `json:"next"` // the first actions, such as "delete pod web-2"
	MoreNext   int            `json:"moreNext,omitempty"`
	Blocks     []BlockSummary `json:"blocks"`
	MoreBlocks int            `json:"moreBlocks,omitempty"`
	Held       string         `json:"held,omitempty"`
}

// BlockSummary is one block in short.
type BlockSummary struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Subject  string `json:"subject"`
	Message  string `json:"message"`
	Remedy   string `json:"remedy,omitempty"`
}

var _ adapters.Observer = (*Plans)(nil)

// NewPlans makes the observer.
func NewPlans() *Plans {
	return &Plans{plans: map[adapters.Key]PlanSummary{}}
}

// Planned implements adapters.Observer.
func (p *Plans) Planned(key adapters.Key, snapshot *setplanv1.Snapshot, plan *setplanv1.Plan) {
	summary := PlanSummary{
		Set:        key.String(),
		ObservedAt: snapshot.GetObservedAt().AsTime(),
		Converged:  plan.GetConverged(),
		Actions:    adapters.CountOperations(plan),
		Blocks:     []BlockSummary{},
		MoreBlocks: max(len(plan.GetBlocks())-mostBlocks, 0),
	}
	summary.Next, summary.MoreNext = nextOf(plan)
	for _, block := range plan.GetBlocks()[:min(len(plan.GetBlocks()), mostBlocks)] {
		summary.Blocks = append(summary.Blocks, BlockSummary{
			Code:     block.GetCode().String(),
			Severity: block.GetSeverity().String(),
			Subject:  brief(block.GetSubject().GetKind() + "/" + block.GetSubject().GetName()),
			Message:  brief(block.GetMessage()),
			Remedy:   brief(block.GetRemedy()),
		})
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.plans[key] = summary
}

// nextOf names the first actions of a plan, and counts the rest.
func nextOf(plan *setplanv1.Plan) (next []string, more int) {
	next, more = adapters.FirstActions(plan, mostNext)
	for i := range next {
		next[i] = brief(next[i])
	}
	return next, more
}

// Applied implements adapters.Observer.
func (p *Plans) Applied(adapters.Key, *setplanv1.Snapshot, *setplanv1.Action, adapters.Result) {}

// Held implements adapters.Observer.
func (p *Plans) Held(key adapters.Key, reason string, _ error) {
	if _, lasting := heldEvents[reason]; !lasting {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	summary := p.plans[key]
	summary.Set, summary.Held = key.String(), reason
	p.plans[key] = summary
}

// Forgotten implements adapters.Observer.
func (p *Plans) Forgotten(key adapters.Key) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.plans, key)
}

// list returns a summary of each set that has a plan or is held.
func (p *Plans) list() []PlanSummary {
	p.mu.Lock()
	plans := maps.Clone(p.plans)
	p.mu.Unlock()
	for key, summary := range plans {
		summary.Kind = p.kind
		plans[key] = summary
	}
	return slices.AppendSeq(make([]PlanSummary, 0, len(plans)), maps.Values(plans)) // never nil: JSON has [] then
}

// ServeHTTP lists the summaries as JSON, sorted by set.
func (p *Plans) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	writePlans(w, p.list())
}

func writePlans(w http.ResponseWriter, list []PlanSummary) {
	slices.SortFunc(list, func(a, b PlanSummary) int { return cmp.Or(cmp.Compare(a.Set, b.Set), cmp.Compare(a.Kind, b.Kind)) })
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(list) // the reader went away
}
