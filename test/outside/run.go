package outside

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"time"

	"k8s.io/client-go/rest"
)

// Options say what to test.
type Options struct {
	// Config leads to the API server. Nothing else may run its sets. The cases create namespaces and leave them there.
	Config *rest.Config
	// Command starts the adapter; {kubeconfig} and {ca} are replaced by files, {planner} by an address. The adapter has to run sets of apps/v1
	// in all namespaces, and must not wait for a lease.
	Command string
	// Folder is for the adapter's files and log.
	Folder string
	// Only picks cases by "RULE/name"; nil: all.
	Only *regexp.Regexp
	// Exceptions are cases that the adapter does not pass.
	Exceptions []Exception
	// Patience is how long a case waits for something to happen; 0: 20 seconds.
	Patience time.Duration
	// Told is called with each result; may be nil.
	Told func(Result)
}

// Exception names a case by "RULE/name", or all cases of a rule by "RULE", and the reason why the adapter does not pass.
type Exception struct{ Case, Reason string }

// Result is the outcome of a case.
type Result struct {
	Rule     string   `json:"rule"` // "A3" of proto/SPEC.md
	Name     string   `json:"name"`
	Findings []string `json:"findings,omitempty"`
	Excepted string   `json:"excepted,omitempty"` // the reason
	Seconds  float64  `json:"seconds"`
}

// ID returns the name of a case for exceptions and -only.
func (r *Result) ID() string { return r.Rule + "/" + r.Name }

// Passed reports whether the case passed or is excepted.
func (r *Result) Passed() bool { return (len(r.Findings) == 0) == (r.Excepted == "") }

// testCase tests one demand of a rule.
type testCase struct {
	rule, name string
	run        func(*bench)
}

// cases returns all cases in the order of their rules.
func cases() []testCase {
	return slices.Concat(snapshotCases, gateCases, fenceCases, stageCases, writeCases, evictionCases, statusCases, answerCases, plannerCases, lieCases(), unknownCases)
}

// Cases returns the names of all cases, as "RULE/name".
func Cases() (ids []string) {
	for _, c := range cases() {
		ids = append(ids, c.rule+"/"+c.name)
	}
	return ids
}

// Run tests an adapter. It returns an error if it could not test; what is wrong with the adapter is in the results.
func Run(ctx context.Context, o Options) (results []Result, err error) {
	rest, err := newAPI(o.Config)
	if err != nil {
		return nil, err
	}
	gateway, err := newGateway(o.Config)
	if err != nil {
		return nil, err
	}
	defer gateway.close()
	planner, err := newPlanner()
	if err != nil {
		return nil, err
	}
	defer planner.stop()
	adapter, err := begin(o.Command, o.Folder, gateway, planner)
	if err != nil {
		return nil, err
	}
	defer adapter.end()
	lab := &lab{ctx: ctx, api: rest, gateway: gateway, planner: planner, adapter: adapter, run: time.Now().UnixMilli() % 1e8, patience: o.Patience}
	if lab.patience == 0 {
		lab.patience = 20 * time.Second
	}
	if err := lab.awake(); err != nil {
		return nil, err
	}
	excused := map[string]bool{}
	for i, c := range cases() {
		r := Result{Rule: c.rule, Name: c.name}
		if o.Only != nil && !o.Only.MatchString(r.ID()) {
			continue
		}
		for _, e := range o.Exceptions {
			if e.Case == c.rule || e.Case == r.ID() {
				r.Excepted, excused[e.Case] = e.Reason, true
			}
		}
		if err := errors.Join(ctx.Err(), adapter.alive()); err != nil {
			return results, err
		}
		began := time.Now()
		r.Findings = lab.try(c, i)
		r.Seconds = time.Since(began).Seconds()
		if r.Excepted != "" && len(r.Findings) == 0 {
			r.Findings, r.Excepted = []string{"The exception (" + r.Excepted + ") is not needed: the adapter passes."}, ""
		}
		if results = append(results, r); o.Told != nil {
			o.Told(r)
		}
	}
	for _, e := range o.Exceptions {
		if !excused[e.Case] && o.Only == nil {
			err = errors.Join(err, fmt.Errorf("no case has the name of the exception %q", e.Case))
		}
	}
	return results, err
}

// lab holds the adapter and everything around it.
type lab struct {
	ctx     context.Context
	api     *api
	gateway *gateway
	planner *planner
	adapter *process
	run     int64 // keeps the namespaces of two runs apart

	patience time.Duration
}

// try runs a case in a namespace of its own, and returns what it finds.
func (l *lab) try(c testCase, number int) []string {
	b := &bench{lab: l, namespace: fmt.Sprintf("conformance-%d-%d", l.run, number)}
	done := make(chan struct{})
	go func() { // a goroutine of its own, because a case that cannot go on ends it
		defer close(done)
		defer func() {
			if odd := recover(); odd != nil { // such as a snapshot without the pods that it should have
				b.failf("the case panicked on what the adapter sent: %v", odd)
			}
		}()
		b.open()
		c.run(b)
	}()
	<-done
	l.gateway.calm()
	l.planner.follow(b.namespace, nothing)
	if err := l.planner.again(); err != nil {
		b.findings = append(b.findings, err.Error())
	}
	b.clear()
	return b.findings
}

// awake waits until the adapter asks about a set for the first time.
func (l *lab) awake() error {
	b := &bench{lab: l, namespace: fmt.Sprintf("conformance-%d-awake", l.run), longer: 2 * time.Minute}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.open()
		b.script(nothing)
		b.web(1)
		b.asked(1)
	}()
	<-done
	b.clear()
	if len(b.findings) > 0 {
		return fmt.Errorf("the adapter does not work: %s: see %s", b.findings[0], l.adapter.log)
	}
	return nil
}

// failf notes a finding.
func (b *bench) failf(format string, args ...any) {
	b.findings = append(b.findings, fmt.Sprintf(format, args...))
}

// stopf notes a finding and ends the case.
func (b *bench) stopf(format string, args ...any) {
	b.failf(format, args...)
	runtime.Goexit()
}
