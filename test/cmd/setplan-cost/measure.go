package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/forecast"
	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server"
	"github.com/setplan/setplan/server/codec"
)

const (
	childArgument    = "one-request"
	planArgument     = "plan"
	forecastArgument = "forecast"
	// cpuSeconds and addressSpace end a request that does not end by itself.
	cpuSeconds   = 10
	addressSpace = 6 << 30
)

// measured is what one process used for one request.
type measured struct {
	cpu    time.Duration
	memory int64 // bytes, at the peak
	gap    time.Duration
	step   string // the step of the gap
	answer string
	cut    string // why it was ended; empty if it ended by itself
}

// measureGap is measure, repeated a few times if the gap is too long: other programs can only make a thread slower.
func measureGap(method string, request []byte, most time.Duration) (measured, error) {
	m, err := measure(method, request)
	for turn := 1; turn < 5 && err == nil && m.gap > most; turn++ {
		var again measured
		if again, err = measure(method, request); again.cut == "" && again.gap < m.gap {
			m.gap, m.step = again.gap, again.step
		}
	}
	return m, err
}

// measure runs a request in a separate process.
func measure(method string, request []byte) (measured, error) {
	self, err := os.Executable()
	if err != nil {
		return measured{}, err
	}
	var answer bytes.Buffer
	cmd := exec.Command(self, childArgument, method, strconv.Itoa(len(request)))
	cmd.Stdin, cmd.Stdout = bytes.NewReader(request), &answer
	err = cmd.Run()
	var m measured
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		m.cut = "died"
		if status := exit.Sys().(syscall.WaitStatus); status.Signaled() {
			m.cut = "cut"
		}
	} else if err != nil {
		return m, err
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	m.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	m.memory = usage.Maxrss << 10
	// The kernel's figure includes what the parent had before the exec. The child reports its own, if it lives.
	if m.cut == "" {
		if _, err := fmt.Sscan(answer.String(), &m.answer, &m.memory, &m.gap, &m.step); err != nil {
			return m, err
		}
	}
	return m, nil
}

// child answers the request on its input, and prints a summary of the answer.
func child(method, bytes string) (exit int) {
	for resource, most := range map[int]uint64{syscall.RLIMIT_AS: addressSpace, syscall.RLIMIT_CPU: cpuSeconds} {
		if err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			return fatal(err)
		}
	}
	size, err := strconv.Atoi(bytes)
	if err != nil {
		return fatal(err)
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(os.Stdin, data); err != nil {
		return fatal(err)
	}
	text, gap := "refused", newGap()
	answer := plan
	if method == forecastArgument {
		answer = foresee
	}
	if size, err := answer(data, gap); err == nil {
		text = fmt.Sprintf("%.1fMB", float64(size)/1e6)
	}
	memory, err := peakMemory()
	if err != nil {
		return fatal(err)
	}
	fmt.Println(text, memory, gap.longest.Nanoseconds(), gap.in)
	return 0
}

// peakMemory is the most memory that this process has had, in bytes.
func peakMemory() (uint64, error) {
	self, err := procfs.Self()
	if err != nil {
		return 0, err
	}
	status, err := self.NewStatus()
	return status.VmHWM, err
}

func limitsOf(gap *gap) codec.Limits {
	return codec.Limits{MaxPods: server.DefaultMaxPods, MaxClaims: codec.MaxClaims, MaxElements: codec.MaxElements, Stop: gap.look, Memory: codec.Borrow()}
}

func read(data []byte, limits codec.Limits, gap *gap) (*model.Snapshot, error) {
	gap.begin("check")
	err := codec.Check(data, limits)
	gap.look()
	if err != nil {
		return nil, err
	}
	request := &setplanv1.PlanRequest{}
	gap.begin("read")
	if err := codec.Read(data, request, limits); err != nil {
		return nil, err
	}
	gap.begin("decode")
	snapshot, err := codec.Decode(request, limits)
	gap.look()
	return snapshot, err
}

// foresee handles a request as the server does, without the transport. It returns the size of the answer.
func foresee(data []byte, gap *gap) (size int, err error) {
	limits := limitsOf(gap)
	gap.begin("split")
	start, rest, err := codec.SplitForecast(data, limits)
	gap.look()
	if err != nil {
		return 0, err
	}
	options, err := codec.DecodeForecast(rest)
	if err != nil {
		return 0, err
	}
	snapshot, err := read(start, limits, gap)
	if err != nil {
		return 0, err
	}
	send := func(response proto.Message) {
		data, _ := proto.Marshal(response)
		size += len(data)
	}
	gap.begin("run")
	options.Budget = forecast.Served()
	steps, result := forecast.Run(gap.look, snapshot, options)
	for step := range steps {
		send(codec.EncodeStep(&step, snapshot.Set.Namespace))
	}
	var worst *forecast.WorstCase
	gap.begin("worst")
	if rest.GetPessimistic() {
		worst = forecast.Worst(gap.look, snapshot, options)
	}
	gap.begin("encode")
	send(codec.EncodeResult(result(), worst, snapshot.Set.Namespace))
	gap.look()
	return size, nil
}

// plan is foresee for a plan.
func plan(data []byte, gap *gap) (size int, err error) {
	limits := limitsOf(gap)
	snapshot, err := read(data, limits, gap)
	if err != nil {
		return 0, err
	}
	gap.begin("decide")
	decided := engine.DecideUntil(snapshot, gap.look)
	gap.begin("encode")
	encoded, err := codec.EncodeWithin(decided, snapshot.Set.Namespace, limits)
	gap.look()
	if err != nil {
		return 0, err
	}
	answer, err := proto.MarshalOptions{Deterministic: true}.Marshal(&setplanv1.PlanResponse{Plan: encoded})
	return len(answer), err
}

func fatal(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}
