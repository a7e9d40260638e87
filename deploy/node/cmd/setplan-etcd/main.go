// Command setplan-etcd is what an operator of etcd has in its pods, and a client that counts what a rollout costs.
//
//	run     a member: joins the cluster that its peers have, if there is one, and then is etcd
//	label   a sidecar: makes the member a voting one, and gives the pod the label role, leader or follower
//	leave   a drain: removes the member from its cluster
//	fill    fills the member's disk to 95 %
//	write   a client that writes without pause, and checks in the end that nothing acknowledged was lost
//
// $DNS is a name server, for a client that runs outside of a pod.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"github.com/setplan/setplan/deploy/node/internal/command"
)

func main() {
	command.Main(map[string]func(context.Context) error{"run": run, "label": label, "leave": leave, "fill": fill, "write": write})
}

// pod is a member's name, set and ordinal.
type pod struct {
	name, set string
	ordinal   int
}

func self() (pod, error) {
	name := os.Getenv("POD")
	at := strings.LastIndexByte(name, '-')
	if at < 0 {
		return pod{}, fmt.Errorf("$POD is %q, must be a pod of a StatefulSet", name)
	}
	ordinal, err := strconv.Atoi(name[at+1:])
	return pod{name, name[:at], ordinal}, err
}

// host is the name of a pod of the set, which its headless service of the same name gives it.
func (p pod) host(ordinal int) string {
	return fmt.Sprintf("%s-%d.%s.%s.svc.cluster.local", p.set, ordinal, p.set, os.Getenv("NAMESPACE"))
}

func (p pod) peer(ordinal int) string   { return "http://" + p.host(ordinal) + ":2380" }
func (p pod) client(ordinal int) string { return "http://" + p.host(ordinal) + ":2379" }

// others are the client addresses of all ordinals that there may be, but the pod's own.
func (p pod) others() []string {
	var all []string
	for n := range 7 {
		if n != p.ordinal {
			all = append(all, p.client(n))
		}
	}
	return all
}

func connect(endpoints ...string) (*clientv3.Client, error) {
	return clientv3.New(clientv3.Config{Endpoints: endpoints, DialTimeout: 2 * time.Second, Logger: zap.NewNop()})
}

const dataDir = "/data/etcd"

// run becomes etcd. The first members begin a cluster; one that comes later asks its peers to add it.
func run(ctx context.Context) error {
	p, err := self()
	if err != nil {
		return err
	}
	first, err := strconv.Atoi(os.Getenv("FIRST"))
	if err != nil {
		return fmt.Errorf("$FIRST must be how many members begin the cluster: %w", err)
	}
	var members []string
	state := "new"
	for n := range first {
		members = append(members, fmt.Sprintf("%s-%d=%s", p.set, n, p.peer(n)))
	}
	if _, err := os.Stat(dataDir + "/member/wal"); os.IsNotExist(err) && p.ordinal >= first {
		if members, err = p.join(ctx); err != nil {
			return err
		}
		state = "existing"
	}
	args := []string{"etcd",
		"--name", p.name, "--data-dir", dataDir, "--log-level", "warn",
		"--listen-client-urls", "http://0.0.0.0:2379", "--advertise-client-urls", p.client(p.ordinal),
		"--listen-peer-urls", "http://0.0.0.0:2380", "--initial-advertise-peer-urls", p.peer(p.ordinal),
		"--initial-cluster", strings.Join(members, ","), "--initial-cluster-state", state, "--initial-cluster-token", p.set,
		"--listen-metrics-urls", "http://0.0.0.0:2381",
	}
	return syscall.Exec("/etcd", args, os.Environ())
}

// join adds the pod to its cluster, and returns the members that there are then.
func (p pod) join(ctx context.Context) ([]string, error) {
	for {
		members, err := p.tryJoin(ctx)
		if err == nil || ctx.Err() != nil {
			return members, err
		}
		log.Print("join: ", err)
		time.Sleep(500 * time.Millisecond)
	}
}

func (p pod) tryJoin(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	c, err := connect(p.others()...)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	list, err := c.MemberList(ctx)
	if err != nil {
		return nil, err
	}
	all := list.Members
	if own := p.member(all); own == nil || own.Name != "" { // one without a name was added by a pod that was killed then
		if own != nil { // its disk is lost
			if _, err := c.MemberRemove(ctx, own.ID); err != nil {
				return nil, err
			}
		}
		added, err := c.MemberAddAsLearner(ctx, []string{p.peer(p.ordinal)}) // one at a time: etcd refuses a second learner
		if err != nil {
			return nil, err
		}
		all = added.Members
	}
	var members []string
	for _, m := range all {
		name, _, _ := strings.Cut(strings.TrimPrefix(m.PeerURLs[0], "http://"), ".") // one that has not started has none of its own
		members = append(members, name+"="+m.PeerURLs[0])
	}
	return members, nil
}

// member is the pod's own, nil where there is none.
func (p pod) member(of []*etcdserverpb.Member) *etcdserverpb.Member {
	for _, m := range of {
		if len(m.PeerURLs) == 1 && m.PeerURLs[0] == p.peer(p.ordinal) {
			return m
		}
	}
	return nil
}

// promote makes the learner a voting member, once it has what the others have.
func (p pod) promote(ctx context.Context, id uint64) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	c, err := connect(p.others()...)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.MemberPromote(ctx, id)
	return err
}

// leave removes the member of the pod from its cluster. One that is not there any more has left.
func leave(ctx context.Context) error {
	p, err := self()
	if err != nil {
		return err
	}
	c, err := connect(p.others()...)
	if err != nil {
		return err
	}
	defer c.Close()
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	list, err := c.MemberList(ctx)
	if err != nil {
		return err
	}
	if own := p.member(list.Members); own != nil {
		_, err = c.MemberRemove(ctx, own.ID)
	}
	return err
}

// fill leaves 5 % of the disk free.
func fill(context.Context) error {
	var disk syscall.Statfs_t
	if err := syscall.Statfs("/data", &disk); err != nil {
		return err
	}
	file, err := os.Create("/data/ballast")
	if err != nil {
		return err
	}
	defer file.Close()
	more := int64(disk.Bavail-disk.Blocks/20) * disk.Bsize
	return syscall.Fallocate(int(file.Fd()), 0, 0, more)
}
