// Package conformance checks an adapter against what proto/SPEC.md demands of it. One exported function runs every rule
// against anything that implements Source and Executor; whoever writes an adapter starts from a list of failing cases
// and is done when it is empty.
//
// An adapter that cannot follow a rule names the case in an Exception with a reason. A name that no case has, or that
// is not needed, fails: exceptions must not outlive their cause.
package conformance

import (
	"testing"

	"github.com/setplan/setplan/adapters"
)

// Harness is an adapter in a namespace of its own, with a way past it to the cluster. Its methods fail the test
// themselves.
type Harness interface {
	Source() adapters.Source
	Executor() adapters.Executor
	// Namespace holds nothing at the start of a case but what the cluster itself puts there.
	Namespace() string
	// Create stores an object, its kind taken from the JSON, and returns it as stored.
	Create(manifest []byte) []byte
	// Get reads an object past every cache; nil if there is none.
	Get(kind, name string) []byte
	// Delete removes an object and returns when it is gone.
	Delete(kind, name string)
	// PatchStatus applies a JSON merge patch to the status of an object.
	PatchStatus(kind, name string, patch []byte)
	// WaitSynced returns when the adapter's caches show all writes so far.
	WaitSynced()
}

// Exception names a case that an adapter does not pass, and why that is right.
type Exception struct {
	Case   string
	Reason string
}

// conformanceCase is one rule. Operation is the member of Action.operation that it is about, if it is about one.
type conformanceCase struct {
	name      string
	operation string
	run       func(reporter, *bench)
}

// Run runs every case against harnesses of its own.
func Run(t *testing.T, newHarness func(*testing.T) Harness, exceptions ...Exception) {
	all := cases()
	excused := map[string]Exception{}
	for _, exception := range exceptions {
		if exception.Reason == "" {
			t.Errorf("the exception for %q has no reason", exception.Case)
		}
		excused[exception.Case] = exception
	}
	for _, c := range all {
		exception, isExcused := excused[c.name]
		delete(excused, c.name)
		t.Run(c.name, func(t *testing.T) {
			if isExcused {
				excuse(t, c, newHarness(t), exception)
				return
			}
			c.run(t, newBench(t, newHarness(t)))
		})
	}
	for name := range excused {
		t.Errorf("the exception %q is the name of no case", name)
	}
	t.Run("every operation has a case", func(t *testing.T) { everyOperationHasACase(t, all) })
}

// cases lists the rules.
func cases() []conformanceCase {
	var all []conformanceCase
	for _, group := range [][]conformanceCase{createCases, deleteCases, patchCases, ownerCases, statusCases, drainCases,
		snapshotCases, identityCases, lieCases} {
		all = append(all, group...)
	}
	return all
}
