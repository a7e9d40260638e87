package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

// stuck is kubectl's output from a cluster with eight sets.
const stuck = "../../cli/testdata/stuck.yaml"

// asProgram makes the test's binary run as the program: linking another one takes longer than all tests.
const asProgram = "SETPLAN_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func build(b *testing.B) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), "setplan")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return program
}

// TestProgram: the parts are connected, and a failure gives an exit code and a line.
func TestProgram(t *testing.T) {
	t.Setenv(asProgram, "yes")
	out, err := exec.Command(os.Args[0], "why", "sts/web", "-f", stuck).Output()
	if err != nil || !strings.Contains(string(out), "POD_TERMINATING") {
		t.Errorf("%v: %s", err, out)
	}
	out, err = exec.Command(os.Args[0], "why", "wbe", "-f", stuck).CombinedOutput()
	if err == nil || !strings.Contains(string(out), `setplan: StatefulSet "wbe" not found`) {
		t.Errorf("%v: %s", err, out)
	}
	for set, want := range map[string]int{"calm": 0, "bad": 2, "wbe": 1} {
		command := exec.Command(os.Args[0], "why", set, "--exit-code", "-f", stuck)
		if out, err := command.CombinedOutput(); command.ProcessState.ExitCode() != want {
			t.Errorf("why %s --exit-code: %v, want %d: %s", set, err, want, out)
		}
	}
}

// BenchmarkColdStart measures from the start of the process to its end, with the embedded planner and without a cluster: a file of
// eight small sets, and one of a set of 100 pods. ms is the median; cpu-ms is the processor time in it, which shows a busy machine.
func BenchmarkColdStart(b *testing.B) {
	program := build(b)
	large := filepath.Join(b.TempDir(), "large.yaml")
	if err := os.WriteFile(large, []byte(hundredPods(b)), 0o600); err != nil {
		b.Fatal(err)
	}
	for name, args := range map[string][]string{
		"why-eight-sets": {"why", "-f", stuck}, "plan-one-of-eight": {"plan", "web", "-f", stuck}, "plan-100-pods": {"plan", "slow", "-f", large},
	} {
		b.Run(name, func(b *testing.B) {
			var took, work []time.Duration
			for b.Loop() {
				command := exec.Command(program, args...)
				start := time.Now()
				if err := command.Run(); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
				work = append(work, command.ProcessState.UserTime()+command.ProcessState.SystemTime())
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(took), "ms")
			b.ReportMetric(median(work), "cpu-ms")
		})
	}
}

func median(all []time.Duration) float64 {
	slices.Sort(all)
	return float64(all[len(all)/2].Microseconds()) / 1000
}

// hundredPods is the file with one of its pods a hundred times.
func hundredPods(b *testing.B) string {
	b.Helper()
	text, err := os.ReadFile(stuck)
	if err != nil {
		b.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n---\n")
	var list struct {
		Items []map[string]any `json:"items"`
	}
	if err := yaml.Unmarshal([]byte(first), &list); err != nil {
		b.Fatal(err)
	}
	out := &strings.Builder{}
	add := func(object map[string]any) {
		data, err := yaml.Marshal(object)
		if err != nil {
			b.Fatal(err)
		}
		fmt.Fprintf(out, "---\n%s", data)
	}
	for _, item := range list.Items {
		metadata, _ := item["metadata"].(map[string]any)
		switch {
		case item["kind"] == "Pod" && metadata["name"] == "slow-0":
			for i := range 100 {
				metadata["name"], metadata["uid"] = fmt.Sprintf("slow-%d", i), fmt.Sprintf("uid-%d", i)
				add(item)
			}
		case metadata["name"] == "slow" || item["kind"] == "ControllerRevision" || item["kind"] == "PersistentVolumeClaim":
			add(item)
		}
	}
	return out.String()
}
