package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

//go:embed datastore.yaml
var datastore []byte

// drain shows a scale-down that loses no data, with kubectl's own words: three replicas to two, a drain pod on the claim that
// the third leaves behind, and the claim freed.
func (s *stage) drain(ctx context.Context) error {
	file := filepath.Join(s.folder, "datastore.yaml")
	if err := os.WriteFile(file, datastore, 0o600); err != nil {
		return err
	}
	fmt.Println("\n# Three replicas, with a drain pod template in an annotation.")
	if _, err := s.typed(ctx, "kubectl apply -f datastore.yaml", "apply", "-f", file); err != nil {
		return err
	}
	three := []string{"datastore-0", "datastore-1", "datastore-2"}
	if err := s.until(ctx, "three pods are ready", func() bool {
		return s.phases(ctx, `{.metadata.name}{.status.containerStatuses[0].ready} `) == "datastore-0true datastore-1true datastore-2true "
	}); err != nil {
		return err
	}
	if err := s.views(ctx, "po", "pvc"); err != nil {
		return err
	}

	fmt.Println("\n# One of them shall go.")
	if _, err := s.typed(ctx, "kubectl scale statefulset datastore --replicas 2", "scale", "statefulset", "datastore", "--replicas", "2"); err != nil {
		return err
	}
	steps := []struct{ about, what, is string }{
		{"", "datastore-2 is terminating", `{.metadata.deletionTimestamp}`},
		{"# A drain pod has taken its name, its host name and its claim.", "the drain pod runs", `{.metadata.annotations.setplan\.io/drain-set}`},
	}
	for _, step := range steps {
		if err := s.until(ctx, step.what, func() bool {
			return s.get(ctx, "pod/"+three[2], step.is) != ""
		}); err != nil {
			return err
		}
		if step.about != "" {
			fmt.Println("\n" + step.about)
			time.Sleep(2 * time.Second) // it has an age then
		}
		if err := s.views(ctx, "po"); err != nil {
			return err
		}
	}
	if err := s.until(ctx, "the claim is freed", func() bool {
		return s.phases(ctx, `{.metadata.name} `) == "datastore-0 datastore-1 " && s.get(ctx, "pvc", `{range .items[*]}{.metadata.name} {end}`) == "data-datastore-0 data-datastore-1 "
	}); err != nil {
		return err
	}
	fmt.Println("\n# It has succeeded: the claim is gone, and the pod.")
	if err := s.views(ctx, "po", "pvc"); err != nil {
		return err
	}
	fmt.Println("\n# What the adapter has done since, in order:")
	return s.tellDrain(ctx)
}

// tellDrain prints what the adapter says about the ordinal that left.
func (s *stage) tellDrain(ctx context.Context) error {
	told := 0
	for line := range follow(ctx, s.log("setplan-adapter"), 500*time.Millisecond) {
		if line.Error == "" && strings.HasSuffix(line.Target, "datastore-2") && line.Operation != "" {
			told++
			if told > 2 { // its claim and its pod were created before
				fmt.Printf("  %-18s %-42s %s\n", strings.ReplaceAll(line.Operation, "_", " "), line.Target, line.Cause)
			}
		}
	}
	if told <= 2 {
		return errors.New("the adapter's log tells of no drain")
	}
	return nil
}

// typed runs kubectl, and shows the command as a user would type it, and its answer.
func (s *stage) typed(ctx context.Context, shown string, args ...string) (string, error) {
	fmt.Println("\n$ " + shown)
	out, err := s.program(ctx, "kubectl", args...)
	fmt.Print(out)
	return out, err
}

// views shows kubectl get of each kind.
func (s *stage) views(ctx context.Context, kinds ...string) error {
	for _, kind := range kinds {
		if _, err := s.typed(ctx, "kubectl get "+kind, "get", kind); err != nil {
			return err
		}
	}
	return nil
}

// get reads one value; empty where there is none, or no such object.
func (s *stage) get(ctx context.Context, object, path string) string {
	out, err := s.program(ctx, "kubectl", "get", object, "--ignore-not-found", "-o", "jsonpath="+path)
	if err != nil {
		return ""
	}
	return out
}

// phases reads a value of every pod.
func (s *stage) phases(ctx context.Context, path string) string {
	return s.get(ctx, "pods", `{range .items[*]}`+path+`{end}`)
}

// until waits for something.
func (s *stage) until(ctx context.Context, what string, is func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for !is() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %s has not come about", ctx.Err(), what)
		case <-time.After(200 * time.Millisecond):
		}
	}
	return nil
}
