package main

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/setplan/setplan/deploy/authority"
)

// group is servers that listen on one port of several addresses of loopback.
type group struct {
	bin, folder string
	port        string
	next        byte // the last part of the next address
	all         []*plannerServer
	gone        []*plannerServer // their logs are read all the same
}

// plannerServer is one setplan-server.
type plannerServer struct {
	address netip.Addr
	log     string
	process *exec.Cmd
}

// newGroup gives the servers a certificate, and no server yet.
func newGroup(bin, folder string) (*group, error) {
	ca, err := authority.New("the planner's")
	if err != nil {
		return nil, err
	}
	err = errors.Join(authority.Replace(filepath.Join(folder, "ca.crt"), ca.PEM()),
		ca.IssueTo(filepath.Join(folder, "server"), func(c *x509.Certificate) { c.DNSNames = []string{plannerName} }))
	return &group{bin: bin, folder: folder, port: "0", next: 2}, err
}

// add starts a server at a new address, and returns when it listens.
func (g *group) add(ctx context.Context) error {
	s := &plannerServer{address: netip.AddrFrom4([4]byte{127, 0, 0, g.next}), log: filepath.Join(g.folder, fmt.Sprintf("server-%d.log", g.next-1))}
	g.next++
	file := func(name string) string { return filepath.Join(g.folder, name) }
	var err error
	if s.process, err = background(g.bin, s.log, "setplan-server", "--listen-address", net.JoinHostPort(s.address.String(), g.port),
		"--tls-cert-file", file("server.crt"), "--tls-key-file", file("server.key"), "--client-ca-file", file("clients.crt"),
		"--policy-file", file("policy.yaml"), "--log-format", "json"); err != nil {
		return err
	}
	g.all = append(g.all, s)
	for line := range follow(ctx, s.log, 20*time.Second) {
		if line.Message == "listening" && line.Addr != "" {
			_, g.port, err = net.SplitHostPort(line.Addr)
			return err
		}
	}
	return fmt.Errorf("a server has not begun to listen: see %s", s.log)
}

func (g *group) addresses() (all []netip.Addr) {
	for _, s := range g.all {
		all = append(all, s.address)
	}
	return all
}

// crash kills the oldest server.
func (g *group) crash() {
	s := g.all[0]
	g.all, g.gone = g.all[1:], append(g.gone, s)
	_ = s.process.Process.Kill()
	_ = s.process.Wait() // it was killed
}

func (g *group) stop() error {
	var errs []error
	for _, s := range g.all {
		errs = append(errs, end(s.process))
	}
	return errors.Join(errs...)
}

// serverLine is what is read of a line of a server's log.
type serverLine struct {
	Time    time.Time `json:"time"`
	Message string    `json:"msg"`
	Caller  string    `json:"caller"`
	Cluster string    `json:"cluster"`
	Set     string    `json:"set"`
	Code    string    `json:"grpc.code"`
}

// calls are the plans that a server has made for a cluster's adapter since a moment.
func (s *plannerServer) calls(cluster string, from time.Time) (calls []serverLine, err error) {
	err = each(s.log, func(line *serverLine) {
		if line.Message == "finished call" && line.Cluster == cluster && line.Code == "OK" && line.Set != "" && line.Set != floodSet && !line.Time.Before(from) {
			calls = append(calls, *line)
		}
	})
	return calls, err
}

// everyEnded: every server has ended a connection of a caller since a moment.
func (g *group) everyEnded(from time.Time, caller string) error {
	return g.everySaid("connection ended", from, func(line *serverLine) bool { return line.Caller == caller })
}

// everyReloaded: every server has read the policy file again since a moment.
func (g *group) everyReloaded(from time.Time) error {
	return g.everySaid("policy file reloaded", from, func(*serverLine) bool { return true })
}

func (g *group) everySaid(message string, from time.Time, about func(*serverLine) bool) error {
	for _, s := range g.all {
		said := false
		err := each(s.log, func(line *serverLine) {
			said = said || line.Message == message && !line.Time.Before(from) && about(line)
		})
		if err == nil && !said {
			err = fmt.Errorf("%s has not said %q", s.address, message)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// view is what a cluster saw of the planner.
type view struct {
	plans  int
	shares []string        // of the servers, in the order in which they began
	gaps   []time.Duration // between two plans, sorted
}

// seen is what a cluster has seen since a moment.
func (g *group) seen(cluster string, from time.Time) (*view, error) {
	v := &view{}
	var times []time.Time
	for _, s := range slices.Concat(g.gone, g.all) {
		calls, err := s.calls(cluster, from)
		if err != nil {
			return nil, err
		}
		if len(calls) > 0 {
			v.shares = append(v.shares, fmt.Sprint(len(calls)))
		}
		for _, call := range calls {
			times = append(times, call.Time)
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	v.plans = len(times)
	for i := range times[:max(0, len(times)-1)] {
		v.gaps = append(v.gaps, times[i+1].Sub(times[i]))
	}
	slices.Sort(v.gaps)
	return v, nil
}

// gap is a percentile of the time between two plans.
func (v *view) gap(percent int) string {
	if len(v.gaps) == 0 {
		return "-"
	}
	rank := max(1, (len(v.gaps)*percent+99)/100)
	return v.gaps[rank-1].Round(time.Millisecond).String()
}
