// Command mutants shows that the oracle finds mistakes: it breaks one rule of the engine at a time and lets the oracle
// look for the difference. It prints a line for each and fails if one is not found in time.
//
//	go run ./cmd/mutants
//	go run ./cmd/mutants -only '^update'         some of them
//	go run ./cmd/mutants -save testdata/divergences   and keep the world that caught each
//
// It has to be started in engine/conformance.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

func main() {
	limit := flag.Duration("limit", time.Minute, "how long to look for each")
	only := flag.String("only", "", "regular expression: the names of mutations to try; empty: all")
	save := flag.String("save", "", "folder for the worlds that catch them, shrunk; empty: none is written")
	flag.Parse()
	chosen, err := regexp.Compile(*only)
	if err == nil {
		err = run(chosen, *save, *limit)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(chosen *regexp.Regexp, save string, limit time.Duration) error {
	engine, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	tried, survivors := 0, 0
	fmt.Printf("%-26s %-7s %8s %8s  %s\n", "mutation", "caught", "seconds", "worlds", "difference")
	for _, m := range mutations {
		if !chosen.MatchString(m.Name) {
			continue
		}
		r, err := try(&m, engine, save, limit)
		if err != nil {
			return err
		}
		caught := "yes"
		if !r.caught {
			survivors++
			caught = "NO"
		}
		tried++
		fmt.Printf("%-26s %-7s %8.1f %8d  %s\n", m.Name, caught, r.took.Seconds(), r.worlds, r.class)
	}
	fmt.Printf("%d mutations, %d survived\n", tried, survivors)
	if survivors > 0 || tried == 0 {
		return fmt.Errorf("the oracle does not see every mistake")
	}
	return nil
}

func try(m *mutation, engine, save string, limit time.Duration) (result, error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return result{}, err
	}
	defer os.RemoveAll(dir)
	program, err := m.build(engine, dir)
	if err != nil {
		return result{}, err
	}
	r := m.hunt(program, save, limit)
	return r, r.failure
}
