package main

import (
	"bytes"
	"context"
	"crypto/x509"
	_ "embed"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"

	"github.com/setplan/setplan/deploy/authority"
)

// member is a cluster that the planner plans for.
type member struct {
	name      string // also in its certificate
	sets      int
	limits    string // in the policy file
	authority *authority.Authority

	bin, folder string
	local       string // folder of the control plane; empty: it does not run
	client      kubernetes.Interface
	adapter     *exec.Cmd
	stopPulse   func() error
}

// replicas of each set.
const replicas = 3

// certificate is where the adapter's certificate and key are, without their endings.
func (m *member) certificate() string { return filepath.Join(m.folder, m.name) }

// issue gives the adapter a new certificate.
func (m *member) issue() error {
	return m.authority.IssueTo(m.certificate(), func(c *x509.Certificate) { c.Subject.CommonName = m.name })
}

func (m *member) instance() string { return "central-" + m.name }

// start brings up the control plane, the adapter and the sets.
func (m *member) start(ctx context.Context, target, ca string) error {
	out, err := m.run(ctx, "setplan-local", "up", "--name", m.instance(), "--statefulset-controller", "off")
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	kubeconfig := lines[len(lines)-1]
	m.local = filepath.Dir(kubeconfig)
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 200, 400
	if m.client, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	if m.adapter, err = background(m.bin, m.log(), "setplan-adapter", "--kubeconfig", kubeconfig, "--own", "apps/v1", "--leader-elect=false",
		"--planner-address", target, "--planner-ca-file", ca, "--planner-cert-file", m.certificate()+".crt", "--planner-key-file", m.certificate()+".key",
		"--log-format", "json"); err != nil {
		return err
	}
	for i := range m.sets {
		if err := m.create(ctx, fmt.Sprintf("web-%02d", i), replicas); err != nil {
			return err
		}
	}
	if err := m.create(ctx, pulse, 1); err != nil {
		return err
	}
	if err := wait(ctx, func() error { return m.unsettled(ctx) }); err != nil {
		return err
	}
	m.beat()
	return nil
}

func (m *member) log() string { return filepath.Join(m.local, "setplan-adapter.log") }

//go:embed central.yaml
var centralSet []byte

func (m *member) create(ctx context.Context, name string, replicas int32) error {
	set := &appsv1.StatefulSet{}
	if err := yaml.UnmarshalStrict(centralSet, set); err != nil {
		return err
	}
	set.Name, set.Spec.Replicas = name, &replicas
	set.Spec.Selector.MatchLabels["app"], set.Spec.Template.Labels["app"] = name, name
	_, err := m.client.AppsV1().StatefulSets("default").Create(ctx, set, metav1.CreateOptions{})
	return err
}

// pulse is a set that is edited all the time, so that the adapter has something to ask.
const pulse = "pulse"

// beat edits it until stopPulse is called.
func (m *member) beat() {
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	m.stopPulse = sync.OnceValue(func() error { stop(); return <-ended })
	go func() {
		ended <- func() error {
			for i := 0; ctx.Err() == nil; i++ {
				patch := fmt.Sprintf(`{"metadata":{"annotations":{"example.org/pulse":"%d"}}}`, i)
				if err := m.patch(ctx, pulse, patch); err != nil && ctx.Err() == nil {
					return fmt.Errorf("%s: %w", m.name, err)
				}
				_ = sleep(ctx, 100*time.Millisecond) // it ends with the context
			}
			return nil
		}()
	}()
}

func (m *member) patch(ctx context.Context, set, patch string) error {
	_, err := m.client.AppsV1().StatefulSets("default").Patch(ctx, set, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	return err
}

// roll changes the template of every set.
func (m *member) roll(ctx context.Context, round int) error {
	for i := range m.sets {
		patch := fmt.Sprintf(`{"spec":{"template":{"metadata":{"annotations":{"example.org/round":"%d"}}}}}`, round)
		if err := m.patch(ctx, fmt.Sprintf("web-%02d", i), patch); err != nil {
			return err
		}
	}
	return nil
}

// unsettled says what is missing until every set is as its template says.
func (m *member) unsettled(ctx context.Context) error {
	list, err := m.client.AppsV1().StatefulSets("default").List(ctx, metav1.ListOptions{ResourceVersion: "0"})
	if err != nil {
		return err
	}
	if len(list.Items) != m.sets+1 {
		return fmt.Errorf("%s has %d sets", m.name, len(list.Items))
	}
	for i := range list.Items {
		set := &list.Items[i]
		if st := set.Status; set.Name != pulse && (st.ObservedGeneration != set.Generation || st.UpdatedReplicas != *set.Spec.Replicas ||
			st.AvailableReplicas != *set.Spec.Replicas || st.CurrentRevision != st.UpdateRevision) {
			return fmt.Errorf("%s: the status of %s is %+v", m.name, set.Name, st)
		}
	}
	return nil
}

// did reads from the adapter's log which pods it has deleted since a moment, and which passes were held, and why.
func (m *member) did(from time.Time) (deleted, held []string, err error) {
	err = each(m.log(), func(line *adapterLine) {
		switch {
		case line.Time.Before(from):
		case line.Message == "action done" && line.Operation == "delete_pod":
			deleted = append(deleted, line.Target)
		case strings.HasPrefix(line.Message, "held"):
			held = append(held, fmt.Sprintf("%s: %s: %s: %s", line.Message, line.Set, line.Reason, line.Error))
		}
	})
	return deleted, held, err
}

// adapterLine is what is read of a line of the adapter's log.
type adapterLine struct {
	Time      time.Time `json:"time"`
	Message   string    `json:"msg"`
	Set       string    `json:"set"`
	Operation string    `json:"operation"`
	Target    string    `json:"target"`
	Reason    string    `json:"reason"`
	Error     string    `json:"error"`
}

// oncePerPod: a rollout replaces each pod once.
func (m *member) oncePerPod(deleted []string) error {
	var want []string
	for i := range m.sets {
		for ordinal := range replicas {
			want = append(want, fmt.Sprintf("Pod/web-%02d-%d", i, ordinal))
		}
	}
	got := slices.Sorted(slices.Values(deleted))
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return fmt.Errorf("%s: deleted were %v, and not each pod once", m.name, got)
	}
	return nil
}

func (m *member) stop() (err error) {
	if m.stopPulse != nil {
		err = m.stopPulse()
	}
	if m.adapter != nil {
		err = errors.Join(err, end(m.adapter))
	}
	if m.local != "" {
		_, errDown := m.run(context.Background(), "setplan-local", "down", "--name", m.instance())
		err = errors.Join(err, errDown)
	}
	return err
}

// run runs a program to its end.
func (m *member) run(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(m.bin, name), args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, &said)
	}
	return string(out), nil
}
