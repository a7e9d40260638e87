package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const (
	floodArgument = "one-flood"
	floodSet      = "flood"
	floodCalls    = 64 // under way at a time
	// calm is how long the others' rate is measured, without the flood and beside it.
	calm = 15 * time.Second
)

// besideFlood lets somebody with north's certificate flood the planner, while the sets of the other clusters are rolled out.
func (c *central) besideFlood(ctx context.Context) error {
	north, others := c.members[2], c.members[:2]
	fmt.Printf("\nA client with north's certificate keeps %d calls in flight, each about a set of 1,000 pods.\n", floodCalls)
	before := time.Now()
	if err := sleep(ctx, calm); err != nil {
		return err
	}
	flood, err := c.beginFlood(north)
	if err != nil {
		return err
	}
	began := time.Now()
	err = sleep(ctx, calm)
	rates := []string{}
	for _, m := range others {
		rate, errRate := c.compare(m, before, began)
		rates, err = append(rates, rate), errors.Join(err, errRate)
	}
	if err == nil {
		fmt.Println(strings.Join(rates, "; "))
		err = c.phase(ctx, "East and west roll out all of their sets beside it.", others, func(context.Context) error { return nil })
	}
	said, errEnd := flood()
	if err = errors.Join(err, errEnd); err != nil {
		return err
	}
	fmt.Printf("the flood: %s\n", strings.TrimSpace(said))
	return c.phase(ctx, "The flood is over, and north rolls out its sets.", []*member{north}, func(context.Context) error { return nil })
}

// compare: others keep at least half of their rate.
func (c *central) compare(m *member, before, began time.Time) (string, error) {
	all, err := c.servers.seen(m.name, before)
	if err != nil {
		return "", err
	}
	during, err := c.servers.seen(m.name, began)
	if err != nil {
		return "", err
	}
	without := float64(all.plans-during.plans) / began.Sub(before).Seconds()
	beside := float64(during.plans) / time.Since(began).Seconds()
	said := fmt.Sprintf("%s: %.1f plans a second without the flood, %.1f beside it", m.name, without, beside)
	if beside < without/2 {
		err = errors.New(said)
	}
	return said, err
}

// beginFlood floods in a process of its own with the lowest priority for the processors: real floods come from other machines.
func (c *central) beginFlood(as *member) (end func() (said string, err error), err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, floodArgument, c.names.Target(c.servers.port), c.folder+"/ca.crt", as.certificate())
	cmd.Stderr = os.Stderr
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut, cmd.Start()); err != nil {
		return nil, err
	}
	return func() (string, error) {
		_ = in.Close() // which tells it to end
		said, _ := bufio.NewReader(out).ReadString('\n')
		return said, cmd.Wait()
	}, nil
}

// flood calls until its input ends, and ignores what it is told to wait.
func flood(target, ca, certificate string) error {
	if err := syscall.Setpriority(syscall.PRIO_PROCESS, 0, 19); err != nil {
		return err
	}
	client, err := setplan.Dial(target, setplan.WithTLSFiles(ca, certificate+".crt", certificate+".key"))
	if err != nil {
		return err
	}
	request := floodRequest()
	var answered, refused atomic.Int64
	for range floodCalls {
		go func() {
			for {
				if _, err := client.Plan(context.Background(), request); err != nil {
					refused.Add(1)
					time.Sleep(10 * time.Millisecond)
					continue
				}
				answered.Add(1)
			}
		}()
	}
	_, _ = os.Stdin.Read(make([]byte, 1))
	fmt.Printf("%d calls answered, %d refused\n", answered.Load(), refused.Load())
	return nil
}

// floodRequest asks for all pods of a new set at once.
func floodRequest() *setplanv1.PlanRequest {
	labels := map[string]string{"app": floodSet}
	return &setplanv1.PlanRequest{Snapshot: &setplanv1.Snapshot{
		ObservedAt: timestamppb.Now(),
		Coverage:   &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true},
		Set: &setplanv1.StatefulSet{
			ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: "default", Name: floodSet, Uid: "flood", Generation: 1,
			ServiceName: floodSet, Replicas: proto.Int32(1000), PodManagementPolicy: "Parallel",
			Selector:    &setplanv1.LabelSelector{MatchLabels: labels},
			PodTemplate: []byte(`{"metadata":{"labels":{"app":"flood"}},"spec":{"containers":[{"name":"c","image":"i"}]}}`),
		},
	}}
}
