package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/setplan/setplan/clients/cli/convert"
	"github.com/setplan/setplan/deploy/scenario"
)

// crd is the definition of our own kind, from the root of the repository.
const crd = "deploy/crd/statefulset.yaml"

// playManaged plays the demo of a managed cluster. It counts which pods are removed or recreated, and fails where that is not what the
// user asked for.
func (s *stage) playManaged(ctx context.Context, show *scenario.Managed) error {
	fmt.Println(show.Intro)
	if err := s.start(ctx, "on"); err != nil {
		return err
	}
	definition, err := filepath.Abs(filepath.Join(s.bin, "..", crd))
	if err != nil {
		return err
	}
	for _, command := range []string{"kubectl apply -f " + definition, "until kubectl get ssts >/dev/null 2>&1; do sleep 0.2; done"} {
		if err := s.shell(ctx, command); err != nil {
			return err
		}
	}
	if err := s.act("apps.setplan.io/v1beta1"); err != nil {
		return err
	}
	asked, err := s.steps(ctx, show)
	if err != nil {
		return err
	}
	fmt.Printf("\n%d pods were removed or recreated, all of them because the user asked for it; moving in and out touched none.\n", asked)
	return nil
}

// steps plays the steps, and returns how many pods were removed or recreated.
func (s *stage) steps(ctx context.Context, show *scenario.Managed) (asked int, err error) {
	client, err := s.lay(show.File, show.Manifest)
	if err != nil {
		return 0, err
	}
	for i := range show.Steps {
		step := &show.Steps[i]
		before, err := pods(ctx, client)
		if err != nil {
			return 0, err
		}
		if err := s.managedStep(ctx, step); err != nil {
			return 0, err
		}
		after, err := pods(ctx, client)
		if err != nil {
			return 0, err
		}
		maps.DeleteFunc(before, func(pod string, uid types.UID) bool { return after[pod] == uid })
		removed := slices.Sorted(maps.Keys(before))
		if !slices.Equal(removed, step.Removed) {
			return 0, fmt.Errorf("%s: removed or recreated are %v, and asked for were %v", step.Say, removed, step.Removed)
		}
		asked += len(removed)
		fmt.Printf("removed or recreated, as requested: %d\n", len(removed))
	}
	return asked, nil
}

func (s *stage) managedStep(ctx context.Context, step *scenario.ManagedStep) error {
	fmt.Println("\n" + step.Say)
	began := time.Now()
	commands := step.Commands
	if step.Move != "" {
		var err error
		if commands, err = s.converted(ctx, step.Move); err != nil {
			return err
		}
	}
	for _, command := range commands {
		fmt.Println("$ " + command)
		if err := s.shell(ctx, command); err != nil {
			return err
		}
	}
	if step.Leads == "" && !step.Gone {
		return nil
	}
	if err := s.installed(ctx, step.Leads); err != nil {
		return err
	}
	took := time.Since(began).Round(time.Second)
	if step.Within > 0 && took > step.Within {
		return fmt.Errorf("%s: it took %v", step.Say, took)
	}
	fmt.Printf("after %v\n", took)
	return nil
}

// converted are the commands that move a set, once the preflight finds nothing in the way: what is younger than a minute is.
func (s *stage) converted(ctx context.Context, set string) ([]string, error) {
	fmt.Println("$ setplan convert " + set)
	for {
		text, err := s.program(ctx, "setplan", "convert", set, "-o", "json")
		if err != nil {
			return nil, err
		}
		var result convert.Result
		if err := json.Unmarshal([]byte(text), &result); err != nil {
			return nil, err
		}
		var stops []string
		for _, finding := range result.Findings {
			if finding.Severity == convert.Stop {
				stops = append(stops, finding.Code+": "+finding.Message)
			}
		}
		if len(stops) == 0 {
			var commands []string
			for _, step := range result.Steps {
				commands = append(commands, step.Command)
			}
			return commands, nil
		}
		if !slices.ContainsFunc(stops, func(stop string) bool { return strings.HasPrefix(stop, "TOO_YOUNG") }) {
			return nil, fmt.Errorf("setplan convert %s: %s", set, strings.Join(stops, "\n"))
		}
		fmt.Println("waits: " + stops[0])
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Second):
		}
	}
}

// shell runs a command as a person would who types it.
func (s *stage) shell(ctx context.Context, command string) error {
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir = s.folder
	cmd.Env = append(os.Environ(), "KUBECONFIG="+s.kubeconfig, "PATH="+s.bin+":"+os.Getenv("PATH"))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", command, err)
	}
	return nil
}

func pods(ctx context.Context, client kubernetes.Interface) (map[string]types.UID, error) {
	list, err := client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	uids := map[string]types.UID{}
	for i := range list.Items {
		uids[list.Items[i].Name] = list.Items[i].UID
	}
	return uids, nil
}
