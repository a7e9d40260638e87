package sim

import (
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Fault is a way in which a call to the API goes wrong.
type Fault string

// The faults.
const (
	FaultInternal Fault = "500"     // an error of the server; nothing was written
	FaultConflict Fault = "409"     // somebody was faster; nothing was written
	FaultQuota    Fault = "quota"   // refused; nothing was written
	FaultTimeout  Fault = "timeout" // no answer, and nothing was written
	FaultLost     Fault = "lost"    // no answer, but the write happened
)

// errCrashed is what a crashed adapter's calls end in: nothing is sent, nobody reads the error.
var errCrashed = errors.New("the adapter has crashed")

// faults is the script of what goes wrong for one adapter.
type faults struct {
	next    map[string][]Fault // by operation name; "" is any operation
	crashIn int                // so many writes are left; 0 means no crash is planned
	crashed bool
	struck  map[Fault]int
	after   []func() // what happens after the next writes; nil is nothing
	among   func()   // what happens after every write
}

// Fail makes the next calls of an operation, such as "create_pod", fail; "" stands for any operation.
func (a *Adapter) Fail(operation string, fault Fault, times int) {
	if a.faults.next == nil {
		a.faults.next = map[string][]Fault{}
	}
	for range times {
		a.faults.next[operation] = append(a.faults.next[operation], fault)
	}
}

// Heal takes back every fault that has not struck yet.
func (a *Adapter) Heal() {
	a.faults.next, a.faults.after = nil, nil
	a.Restart()
}

// CrashAfter makes the adapter crash after so many more writes; what it wanted to write afterwards never happens.
func (a *Adapter) CrashAfter(writes int) { a.faults.crashIn = writes; a.faults.crashed = writes == 0 }

// After has a function called once the adapter has written so many more times: the world moves in the middle of a plan.
func (a *Adapter) After(writes int, happens func()) {
	a.faults.after = append(make([]func(), writes-1), happens)
}

// Among has a function called before the first write of each plan and after every write: others never rest. nil lets them.
func (a *Adapter) Among(happens func()) { a.faults.among = happens }

// Struck counts the faults that have struck.
func (a *Adapter) Struck() map[Fault]int { return a.faults.struck }

// Crashed reports whether the adapter has crashed. Whoever runs it must then make a new loop, since memory is lost, and
// call Restart.
func (a *Adapter) Crashed() bool { return a.faults.crashed }

// Restart brings a crashed adapter back.
func (a *Adapter) Restart() { a.faults.crashed, a.faults.crashIn = false, 0 }

// take removes and returns the next fault of an operation; empty means the call goes well.
func (f *faults) take(operation string) Fault {
	for _, key := range []string{operation, ""} {
		if queue := f.next[key]; len(queue) > 0 {
			f.next[key] = queue[1:]
			if f.struck == nil {
				f.struck = map[Fault]int{}
			}
			f.struck[queue[0]]++
			return queue[0]
		}
	}
	return ""
}

// wrote counts a write towards the planned crash, and runs what was to happen after it.
func (f *faults) wrote() {
	if len(f.after) > 0 {
		happens := f.after[0]
		f.after = f.after[1:]
		if happens != nil {
			happens()
		}
	}
	if f.among != nil {
		f.among()
	}
	if f.crashIn > 0 {
		f.crashIn--
		f.crashed = f.crashIn == 0
	}
}

// err is the API's answer for a fault.
func (f Fault) err(kind, name string) error {
	switch f {
	case FaultConflict:
		return apierrors.NewConflict(resource(kind), name, errors.New("the object has been modified"))
	case FaultQuota:
		return apierrors.NewForbidden(resource(kind), name, errors.New("exceeded quota"))
	case FaultTimeout, FaultLost:
		return apierrors.NewTimeoutError("no answer in time", 1)
	default:
		return apierrors.NewInternalError(errors.New("etcd is not well"))
	}
}

// ParseFault reads the name of a fault.
func ParseFault(name string) (Fault, error) {
	switch f := Fault(name); f {
	case FaultInternal, FaultConflict, FaultQuota, FaultTimeout, FaultLost:
		return f, nil
	}
	return "", fmt.Errorf("no fault is called %q", name)
}
