package forecast

import (
	"iter"
	"slices"

	"github.com/setplan/setplan/engine/model"
)

// Run forecasts what becomes of a snapshot whose set has been edited already. It never changes the snapshot, and shares its strings and bytes.
//
// The steps come as they are computed. After the last one, result returns the whole; it returns nil before, after a loop over the steps that
// was left early, and where stop ended the forecast. stop is called many times in ten milliseconds; nil is never.
func Run(stop func() bool, snapshot *model.Snapshot, options Options) (steps iter.Seq[Step], result func() *Result) {
	var whole *Result
	steps = func(yield func(Step) bool) {
		whole = nil
		m := newMeter(stop, options.Budget)
		var f *forecast
		m.within(func() {
			f = newForecast(m, snapshot, options)
			if f.run(yield) {
				whole = f.record.result
			}
		})
		if m.because != "" {
			whole = f.cutShort(snapshot, options, m.because)
		}
	}
	return steps, func() *Result { return whole }
}

// forecast is one run.
type forecast struct {
	*cluster
	hosts   *hosts
	record  *record
	options Options
	most    int // steps, whatever is asked for
	last    Step
	quiet   *model.Plan // the last plan, if it wrote nothing and only time has passed since
}

func newForecast(m *meter, snapshot *model.Snapshot, options Options) *forecast {
	c := newCluster(m, snapshot)
	size := len(c.Pods) + int(c.Set.Replicas)
	options = options.filled(size)
	r := newRecord(c, options.Hosts)
	h := &hosts{cluster: c, takes: options.Hosts, assume: r.assume}
	return (&forecast{cluster: c, hosts: h, record: r, options: options, most: mostSteps(size)}).listening()
}

// listening lets hosts and the record hear of every change.
func (f *forecast) listening() *forecast {
	f.told = func(ch change) {
		f.hosts.see(&ch)
		f.record.see(&ch)
	}
	return f
}

// begin counts what is there, and lets hosts go on with it.
func (f *forecast) begin() {
	f.record.result.AtFirst.Unavailable = f.record.count()
	f.hosts.survey()
	f.hosts.settle()
}

// plan is the next plan.
func (f *forecast) plan() *model.Plan {
	f.record.count()
	plan := f.decide(&f.Snapshot, f.texts)
	f.hosts.hear(plan.Blocks)
	return plan
}

// run plans until nothing happens any more. It returns false if nobody takes the next step.
func (f *forecast) run(yield func(Step) bool) bool {
	f.begin()
	for range f.options.MaxSteps {
		if f.setGone {
			f.runOut()
			f.record.result.Blocks = nil
			return f.end(Converged)
		}
		plan := f.plan()
		f.record.result.Blocks = plan.Blocks
		step := f.write(plan)
		f.look()
		switch {
		case len(step.Actions) > 0:
			f.record.result.Steps++
			if f.quiet = nil; !yield(step) {
				return false
			}
			f.letPass(step)
		case !f.await(plan):
			verdict := BlockedForEver
			if plan.Done {
				verdict = Converged
			}
			return f.end(verdict)
		}
	}
	f.record.result.Limit = overSteps(f.options.MaxSteps, f.options.MaxSteps < f.most)
	return f.end(Undecided)
}

// cutShort is the result of a forecast whose budget is spent; f is nil where it was before the first plan.
func (f *forecast) cutShort(snapshot *model.Snapshot, options Options, because string) *Result {
	if f == nil {
		return &Result{Verdict: Undecided, Limit: because, From: snapshot.ObservedAt, To: snapshot.ObservedAt, Hosts: options.filled(0).Hosts}
	}
	f.record.result.Limit = because
	f.end(Undecided)
	return f.record.result
}

// write applies a plan, and lets hosts do what they do at once. A plan that writes nothing is no step, and its events are the next one's.
func (f *forecast) write(plan *model.Plan) (step Step) {
	at := f.now()
	actions := f.apply(plan)
	if len(actions) == 0 {
		return step
	}
	if slices.ContainsFunc(actions, evicts) {
		f.record.assume(budgetsAllow)
	}
	step = Step{Number: f.record.result.Steps + 1, At: at, Events: f.hosts.events, Actions: actions, Blocks: plan.Blocks, Unavailable: f.record.count()}
	f.hosts.events = nil
	f.untidy = true
	f.hosts.settle()
	return step
}

func evicts(a model.Action) bool {
	_, is := a.Op.(model.EvictPod)
	return is
}

// letPass lets time pass where others undo at once what a plan does, as the garbage collector does with what is made for a set that it deletes.
func (f *forecast) letPass(step Step) {
	undone := step.At.Equal(f.last.At) && slices.EqualFunc(step.Actions, f.last.Actions, func(a, b model.Action) bool { return a.ID == b.ID })
	f.last = step
	if at, due := f.hosts.next(); undone && due {
		f.hosts.moveTo(at)
	}
}

// await lets time pass after a plan that wrote nothing, up to the next event or to when the plan wants to look again. A plan that failed is
// tried again. It returns false if nothing of that brings anything: the set stays as it is for ever.
func (f *forecast) await(plan *model.Plan) bool {
	at, due := f.hosts.next()
	if f.asked && !due {
		f.record.assume(budgetsStay)
		return false
	}
	again := f.now().Add(plan.RequeueAfter)
	retries := plan.RequeueAfter > 0 || len(plan.Stages) > 0 && !due
	if retries && !f.saysNothingNew(plan) && (!due || again.Before(at)) {
		f.quiet = plan
		f.hosts.moveTo(again)
		return true
	}
	if due {
		f.quiet = nil
		f.hosts.moveTo(at)
	}
	return due
}

// saysNothingNew reports whether a plan is as the one before, although what that one waited for is over.
func (f *forecast) saysNothingNew(plan *model.Plan) bool {
	f.work(len(plan.Blocks))
	return f.quiet != nil && plan.RequeueAfter == f.quiet.RequeueAfter && slices.Equal(plan.Blocks, f.quiet.Blocks)
}

// runOut lets hosts do what is left for them after the set has gone.
func (f *forecast) runOut() {
	for at, due := f.hosts.next(); due; at, due = f.hosts.next() {
		f.hosts.moveTo(at)
	}
}

func (f *forecast) end(verdict Verdict) bool {
	out := f.record.result
	out.Verdict, out.Events, out.To, out.SetGone = verdict, f.hosts.events, f.now(), f.setGone
	return true
}
