package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const upstreamPackage = "k8s.io/kubernetes/pkg/controller/statefulset"

// printCoverage runs the tests, because only they can count the statements of another module's package, and prints what they
// covered in each of its files and which statements they did not.
func printCoverage(worlds int, seed int64) error {
	dir, err := os.MkdirTemp("", "oracle")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	profile := filepath.Join(dir, "profile")
	test := exec.Command("go", "test", "-count=1", "-timeout=0", "-run=^Test(AgreesWithUpstream|WholeController)$", "-coverpkg="+upstreamPackage,
		"-coverprofile="+profile, "github.com/setplan/setplan/test/oracle",
		"-args", fmt.Sprintf("-worlds=%d", worlds), fmt.Sprintf("-seed=%d", seed)) //nolint:gosec // two numbers
	test.Stdout, test.Stderr = os.Stdout, os.Stderr
	failed := test.Run()
	text, err := os.ReadFile(profile)
	if err != nil {
		return err
	}
	printProfile(string(text))
	return failed
}

type counts struct{ reached, all int }

func printProfile(profile string) {
	files := map[string]*counts{}
	missed := map[string][]string{}
	for line := range strings.Lines(profile) {
		var statements, times int
		place, numbers, ok := strings.Cut(line, " ")
		if n, err := fmt.Sscan(numbers, &statements, &times); !ok || n != 2 || err != nil {
			continue // the first line
		}
		file, span, _ := strings.Cut(path.Base(place), ":")
		if files[file] == nil {
			files[file] = &counts{}
		}
		files[file].all += statements
		if times > 0 {
			files[file].reached += statements
		} else {
			missed[file] = append(missed[file], span)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		c := files[file]
		fmt.Printf("%5.1f %%  %3d of %3d statements  %s\n", 100*float64(c.reached)/float64(c.all), c.reached, c.all, file)
	}
	for _, file := range slices.Sorted(maps.Keys(missed)) {
		fmt.Printf("not reached in %s: %s\n", file, strings.Join(missed[file], " "))
	}
}
