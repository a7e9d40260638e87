package why

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/show"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Ranks: reasons of an earlier rank must be resolved before those of a later one matter.
const (
	rankPaused      = iota // nobody acts at all
	rankSet                // the set as a whole cannot be planned
	rankRefused            // the next step is refused
	rankObject             // a claim, a name or an identity is in the way
	rankPod                // a pod is not in the desired state
	rankTime               // only time is missing
	rankConsequence        // waits for one of the above
	rankInfo               // held back on purpose
)

// kind is the rank of a block's code and the method that looks for the cause. A code without a kind has the rank of its severity.
type kind struct {
	rank int
	look func(*Case, *Reason, string)
}

var kinds = map[setplanv1.BlockCode]kind{
	setplanv1.BlockCode_BLOCK_CODE_COVERAGE_INCOMPLETE:      {rankSet, nil},
	setplanv1.BlockCode_BLOCK_CODE_SET_DELETING:             {rankSet, (*Case).deletedSet},
	setplanv1.BlockCode_BLOCK_CODE_INVALID_SELECTOR:         {rankSet, nil},
	setplanv1.BlockCode_BLOCK_CODE_INVALID_TEMPLATE:         {rankSet, nil},
	setplanv1.BlockCode_BLOCK_CODE_INVALID_SPEC:             {rankSet, nil},
	setplanv1.BlockCode_BLOCK_CODE_INVALID_REVISION:         {rankSet, nil},
	setplanv1.BlockCode_BLOCK_CODE_CAPABILITY_MISSING:       {rankSet, nil},
	setplanv1.BlockCode_BLOCK_CODE_INVALID_POLICY:           {rankSet, nil},
	setplanv1.BlockCode_BLOCK_CODE_ACTION_FAILED_BEFORE:     {rankRefused, nil},
	setplanv1.BlockCode_BLOCK_CODE_DRAIN_UNPROTECTED:        {rankObject, nil},
	setplanv1.BlockCode_BLOCK_CODE_POD_NAME_TAKEN:           {rankObject, (*Case).stranger},
	setplanv1.BlockCode_BLOCK_CODE_CLAIM_TERMINATING:        {rankObject, (*Case).claimThatStays},
	setplanv1.BlockCode_BLOCK_CODE_CLAIM_STALE:              {rankObject, (*Case).claimThatStays},
	setplanv1.BlockCode_BLOCK_CODE_CLAIM_LOST:               {rankObject, nil},
	setplanv1.BlockCode_BLOCK_CODE_IDENTITY_MISMATCH:        {rankObject, (*Case).deleteMember},
	setplanv1.BlockCode_BLOCK_CODE_DRAIN_CLAIM_MISSING:      {rankObject, nil},
	setplanv1.BlockCode_BLOCK_CODE_DRAIN_FAILED:             {rankPod, (*Case).drainFailed},
	setplanv1.BlockCode_BLOCK_CODE_DRAINING:                 {rankPod, (*Case).drainAtWork},
	setplanv1.BlockCode_BLOCK_CODE_DRAIN_ASKED:              {rankPod, nil},
	setplanv1.BlockCode_BLOCK_CODE_POD_TERMINATING:          {rankPod, (*Case).podThatStays},
	setplanv1.BlockCode_BLOCK_CODE_POD_ENDED:                {rankPod, (*Case).podThatStays},
	setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY:            {rankPod, (*Case).podNotReady},
	setplanv1.BlockCode_BLOCK_CODE_UPDATE_WAITS_FOR_POD:     {rankPod, (*Case).podNotReady},
	setplanv1.BlockCode_BLOCK_CODE_SCALE_DOWN_WAITS_FOR_POD: {rankPod, (*Case).podNotReady},
	setplanv1.BlockCode_BLOCK_CODE_POD_NOT_AVAILABLE:        {rankTime, nil},
	setplanv1.BlockCode_BLOCK_CODE_REPAIR_WAITS:             {rankTime, nil},
	setplanv1.BlockCode_BLOCK_CODE_UPDATE_BUDGET:            {rankConsequence, (*Case).updateTurn},
	setplanv1.BlockCode_BLOCK_CODE_DRAIN_WAITS:              {rankConsequence, nil},
	setplanv1.BlockCode_BLOCK_CODE_RECREATE_WAITS:           {rankConsequence, nil},
	// Only the retention policy is held back, nothing that runs.
	setplanv1.BlockCode_BLOCK_CODE_CLAIM_FOREIGN_CONTROLLER: {rankConsequence, (*Case).foreignClaim},
	setplanv1.BlockCode_BLOCK_CODE_PARTITION_HELD:           {rankInfo, (*Case).partition},
	setplanv1.BlockCode_BLOCK_CODE_ON_DELETE:                {rankInfo, (*Case).deleteMember},
}

// reason starts a reason with what the planner says.
func (c *Case) reason(block *setplanv1.Block) *Reason {
	subject := block.GetSubject()
	r := &Reason{
		Code:     show.Code(block),
		Severity: strings.ToLower(strings.TrimPrefix(block.GetSeverity().String(), "SEVERITY_")),
		Subject:  subject.GetKind() + "/" + subject.GetName(),
		Message:  block.GetMessage(),
		Remedy:   block.GetRemedy(),
		rank:     rankObject,
	}
	if remedy, command, has := strings.Cut(r.Remedy, "`kubectl "); has { // which ends the planner's remedy
		r.Remedy, r.Commands = strings.TrimSpace(remedy), []string{"kubectl " + strings.TrimSuffix(command, "`")}
	}
	if since := block.GetSince(); since != nil {
		r.Since = new(since.AsTime())
	}
	if until := block.GetNotBefore(); until != nil {
		r.NotBefore = new(until.AsTime())
	}
	if k, listed := kinds[block.GetCode()]; !listed && block.GetSeverity() == setplanv1.Severity_SEVERITY_INFO {
		r.rank = rankInfo
	} else if listed {
		r.rank = k.rank
		if k.look != nil {
			k.look(c, r, subject.GetName())
		}
	}
	if r.rank == rankPod || r.rank == rankObject || r.rank == rankTime {
		r.Waiting = append(c.waitingFor(subject.GetName()), c.rolloutBehind(subject.GetName())...)
	}
	return r
}

// sortByRank sorts by rank, and puts what needs somebody before what passes by itself. Otherwise it keeps the planner's order, which
// is by subject.
func sortByRank(reasons []*Reason) {
	slices.SortStableFunc(reasons, func(a, b *Reason) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), -cmp.Compare(urgency(a), urgency(b)))
	})
}

func urgency(r *Reason) int { return slices.Index([]string{Info, Wait, Attention}, r.Severity) }

// maxQuote bounds quotes from a status or an event. It is the limit of a container's termination message, but whoever may write the
// status of a pod can put a megabyte there.
const maxQuote = 4 << 10

func quoted(text string) string {
	if len(text) <= maxQuote {
		return text
	}
	return strings.ToValidUTF8(text[:maxQuote], "") + "..."
}

func (r *Reason) saw(format string, args ...any) {
	r.Evidence = append(r.Evidence, quoted(fmt.Sprintf(format, args...)))
}

// helps replaces the planner's remedy by a better one for what the cluster shows.
func (r *Reason) helps(remedy string, commands ...string) {
	r.Remedy, r.Commands = remedy, commands
}

func actions(plan *setplanv1.Plan) iter.Seq[*setplanv1.Action] {
	return func(yield func(*setplanv1.Action) bool) {
		for _, stage := range plan.GetStages() {
			for _, step := range stage.GetSteps() {
				for _, action := range step.GetActions() {
					if !yield(action) {
						return
					}
				}
			}
		}
	}
}

func operation(action *setplanv1.Action) string {
	return strings.ReplaceAll(adapters.OperationName(action), "_", " ")
}

// at formats a time for evidence.
// since says from when on something holds. What is to come, by another clock, is now.
func (c *Case) since(t time.Time) string {
	if now := c.now(); t.After(now) {
		t = now
	}
	return "since " + at(t)
}

func at(t time.Time) string { return t.UTC().Format(time.RFC3339) }
