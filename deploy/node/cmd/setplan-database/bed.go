package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// database is a set, with what its pods run and who writes to it.
type database struct {
	name     string // of the set, of its container and of its image
	manifest string
	client   string // the program that writes
	images   func(ctx context.Context, bin string) error
	prepare  func(ctx context.Context, b *bed, run int) error
}

//go:embed etcd.yaml
var etcdManifest string

var databases = []database{
	{"etcd", etcdManifest, "setplan-etcd", etcdImages, func(context.Context, *bed, int) error { return nil }},
	{"pg", postgresManifest, "setplan-postgres", postgresImages, placePrimary},
}

// controller is who runs the set.
type controller struct {
	name    string
	builtin bool
	spec    string // what its sets have besides, for those of more than three members
}

var controllers = []controller{
	{"built-in", true, ""},
	{"built-in, maxUnavailable 2", true, `{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":2}}}}`},
	{"Setplan", false, ""},
}

// has is whether the controller has the scenario.
func (c controller) has(s scenario) bool { return c.spec == "" || s.members > 3 }

// bed is a cluster with one of the controllers.
type bed struct {
	bin, name, kubeconfig, space string
	database                     database // which the commands are about
	spec                         string   // see controller
	byHand                       string   // what the running scenario needed somebody for
	adapter                      *exec.Cmd
	spaces                       int
}

func command(ctx context.Context, stdin []byte, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(stdin), &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSpace(string(out)), nil
}

func (b *bed) program(name string) string { return filepath.Join(b.bin, name) }

func start(ctx context.Context, bin string, c controller) (*bed, error) {
	b := &bed{bin: bin, name: map[bool]string{true: "database-built-in", false: "database-setplan"}[c.builtin], spec: c.spec}
	mode := map[bool]string{true: "on", false: "off"}[c.builtin]
	if _, err := os.Stat(b.dir()); err == nil { // of a run that was interrupted
		if _, err := command(ctx, nil, b.program("setplan-local"), "down", "--name", b.name); err != nil {
			return b, err
		}
	}
	var err error
	if b.kubeconfig, err = command(ctx, nil, b.program("setplan-local"), "up", "--name", b.name, "--nodes", "real:3", "--statefulset-controller", mode); err != nil {
		return b, err
	}
	if c.builtin {
		return b, nil
	}
	out, err := os.Create(filepath.Join(b.dir(), "logs", "adapter.log"))
	if err != nil {
		return b, err
	}
	defer out.Close()
	b.adapter = exec.Command(b.program("setplan-adapter"), "--embedded", "--own", "apps/v1", "--kubeconfig", b.kubeconfig)
	b.adapter.Stdout, b.adapter.Stderr = out, out
	return b, b.adapter.Start()
}

func (b *bed) dir() string { return filepath.Join(filepath.Dir(b.bin), ".local", b.name) }

func (b *bed) stop(keep bool) error {
	var err error
	if b.adapter != nil && b.adapter.Process != nil {
		err = errors.Join(b.adapter.Process.Signal(os.Interrupt), ignore(b.adapter.Wait()))
	}
	args := []string{"down", "--name", b.name}
	if keep {
		args = append(args, "--keep-logs")
	}
	_, down := command(context.Background(), nil, b.program("setplan-local"), args...)
	return errors.Join(err, down)
}

func ignore(error) error { return nil }

func (b *bed) kubectl(ctx context.Context, args ...string) (string, error) {
	return command(ctx, nil, b.program("kubectl"), append([]string{"--kubeconfig", b.kubeconfig, "--namespace", b.space}, args...)...)
}

// deploy makes the database in a namespace of its own.
func (b *bed) deploy(ctx context.Context, members int, annotations ...string) error {
	b.spaces++
	b.space = fmt.Sprintf("db-%d", b.spaces)
	if _, err := b.kubectl(ctx, "create", "namespace", b.space); err != nil {
		return err
	}
	if _, err := command(ctx, []byte(strings.ReplaceAll(b.database.manifest, "SIZE", strconv.Itoa(members))), b.program("kubectl"), "--kubeconfig", b.kubeconfig, "--namespace", b.space, "apply", "-f", "-"); err != nil {
		return err
	}
	if b.spec != "" {
		if _, err := b.kubectl(ctx, "patch", "statefulset", b.database.name, "-p", b.spec); err != nil {
			return err
		}
	}
	for _, annotation := range annotations {
		if _, err := b.kubectl(ctx, "annotate", "statefulset", b.database.name, annotation); err != nil {
			return err
		}
	}
	_, err := b.settle(ctx)
	return err
}

// remove takes the database away, with its disks.
func (b *bed) remove(ctx context.Context) error {
	_, err := b.kubectl(ctx, "delete", "namespace", b.space, "--wait=false")
	return err
}

// set is the part of a StatefulSet that says whether it is where it is to be.
type set struct {
	Metadata struct{ Generation int64 }
	Spec     struct{ Replicas int }
	Status   struct {
		ObservedGeneration                       int64
		Replicas, ReadyReplicas, UpdatedReplicas int
		CurrentRevision, UpdateRevision          string
	}
}

func (s set) done() bool {
	want := s.Spec.Replicas
	return s.Status.ObservedGeneration >= s.Metadata.Generation && s.Status.Replicas == want && s.Status.ReadyReplicas == want &&
		s.Status.UpdatedReplicas == want && s.Status.CurrentRevision == s.Status.UpdateRevision
}

// stuck is what a wait of this time means.
const stuck = 4 * time.Minute

var errStuck = fmt.Errorf("not done after %s", stuck)

// settle waits until the set is where it is to be, and has been for some seconds; it returns since when.
func (b *bed) settle(ctx context.Context) (since time.Time, err error) {
	for end := time.Now().Add(stuck); time.Now().Before(end); time.Sleep(250 * time.Millisecond) {
		out, err := b.kubectl(ctx, "get", "statefulset", b.database.name, "-o", "json")
		if err != nil {
			return since, err
		}
		var s set
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			return since, err
		}
		switch {
		case !s.done():
			since = time.Time{}
		case since.IsZero():
			since = time.Now()
		case time.Since(since) > 3*time.Second:
			return since, nil
		}
	}
	return since, errStuck
}

// started are the containers of the members.
func (b *bed) started(ctx context.Context) (map[string]bool, error) {
	out, err := b.kubectl(ctx, "get", "pods", "-o", fmt.Sprintf(`jsonpath={range .items[*]}{.status.containerStatuses[?(@.name==%q)].containerID}{"\n"}{end}`, b.database.name))
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for id := range strings.FieldsSeq(out) {
		all[id] = true
	}
	return all, nil
}

// restarted counts members that run another container than before.
func (b *bed) restarted(ctx context.Context, before map[string]bool) (n int, err error) {
	after, err := b.started(ctx)
	for id := range after {
		if !before[id] {
			n++
		}
	}
	return n, err
}
