package conformance

import (
	"fmt"
	"runtime"
	"testing"
)

// reporter is what a case says its findings to: the test, or a recorder that expects some.
type reporter interface {
	Helper()
	Error(args ...any)
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

var _ reporter = (*testing.T)(nil)

// recorder keeps findings to itself.
type recorder struct{ findings []string }

func (r *recorder) Helper()                           {}
func (r *recorder) Error(args ...any)                 { r.findings = append(r.findings, fmt.Sprint(args...)) }
func (r *recorder) Errorf(format string, args ...any) { r.Error(fmt.Sprintf(format, args...)) }
func (r *recorder) Fatal(args ...any)                 { r.Error(args...); runtime.Goexit() }
func (r *recorder) Fatalf(format string, args ...any) { r.Fatal(fmt.Sprintf(format, args...)) }

// excuse runs a case that an adapter may fail, and fails if it does not.
func excuse(t *testing.T, c conformanceCase, h Harness, exception Exception) {
	found := &recorder{}
	done := make(chan struct{})
	go func() { // of its own, because Fatal ends a goroutine
		defer close(done)
		c.run(found, newBench(found, h))
	}()
	<-done
	if len(found.findings) == 0 {
		t.Errorf("the exception (%s) is not needed", exception.Reason)
		return
	}
	t.Skipf("excepted: %s", exception.Reason)
}
