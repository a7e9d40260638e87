// Command setplan-mutants shows that the tests find mistakes: it breaks one line at a time and runs the tests of that part. It
// prints a line for each mutation, and fails if one is not found in time.
//
//	setplan-mutants                          all of them
//	setplan-mutants -only '^adapters/kube'   some of them: the names begin with the part
//	setplan-mutants -only '^engine' -save test/oracle/testdata/divergences
//	                                         and keep the world that caught each
//	setplan-mutants -part 2/8                the second eighth of all
//
// It must be started at the root of the repository. It changes no file there: the compiler reads another one instead.
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
	limit := flag.Duration("limit", 2*time.Minute, "how long the tests of a package may look for each")
	only := flag.String("only", "", "regular expression: the mutations to try, as part/name; empty: all")
	save := flag.String("save", "", "folder for the worlds that catch those of the engine, shrunk; empty: none is written")
	share := flag.String("part", "1/1", "which part of the chosen mutations to try, as 2/8")
	flag.Parse()
	expression, err := regexp.Compile(*only)
	if err == nil {
		var chosen map[string]bool
		if chosen, err = choose(expression, *share); err == nil {
			err = run(chosen, *save, *limit)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "setplan-mutants:", err)
		os.Exit(1)
	}
}

// choose returns the names of the mutations that the expression matches, or a part of them. A part has neighbours, which are of one folder mostly.
func choose(expression *regexp.Regexp, share string) (map[string]bool, error) {
	var k, n int
	if _, err := fmt.Sscanf(share+"\n", "%d/%d\n", &k, &n); err != nil || k < 1 || k > n {
		return nil, fmt.Errorf("-part is %q, must be as 2/8", share)
	}
	var names []string
	for _, p := range parts {
		mutations, err := p.mutations()
		if err != nil {
			return nil, err
		}
		for _, m := range mutations {
			if name := p.name + "/" + m.Name; expression.MatchString(name) {
				names = append(names, name)
			}
		}
	}
	chosen := map[string]bool{}
	for _, name := range names[len(names)*(k-1)/n : len(names)*k/n] {
		chosen[name] = true
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no mutation has a name that matches %s in part %s", expression, share)
	}
	return chosen, nil
}

func run(chosen map[string]bool, save string, limit time.Duration) error {
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	if save != "" {
		if save, err = filepath.Abs(save); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	h := &hunt{root: root, dir: dir, save: save, limit: limit}
	tried, found := 0, 0
	fmt.Printf("%-46s %-5s %7s  %s\n", "mutation", "found", "seconds", "by")
	for _, p := range parts {
		t, f, err := h.part(&p, chosen)
		if err != nil {
			return err
		}
		tried, found = tried+t, found+f
	}
	fmt.Printf("%d of %d found\n", found, tried)
	if found < tried {
		return fmt.Errorf("not every mistake is found")
	}
	return nil
}

// part tries the chosen mutations of a part.
func (h *hunt) part(p *part, chosen map[string]bool) (tried, found int, err error) {
	mutations, err := p.mutations()
	if err != nil {
		return 0, 0, err
	}
	for _, m := range mutations {
		name := p.name + "/" + m.Name
		if !chosen[name] {
			continue
		}
		if tried == 0 {
			// Tests that fail without a mutation would "find" every one.
			if err := p.found.sound(h); err != nil {
				return 0, 0, fmt.Errorf("%s, without any mutation: %w", p.name, err)
			}
		}
		tried++
		begin := time.Now()
		by, err := "", h.mutate(filepath.Join(h.root, p.folder), &m)
		if err == nil {
			by, err = p.found.by(h, &m)
		}
		verdict := "yes"
		switch {
		case err != nil: // the list is wrong
			verdict, by = "NO", err.Error()
		case by == "":
			verdict, by = "NO", "nothing, where "+m.Breaks
		default:
			found++
		}
		fmt.Printf("%-46s %-5s %7.1f  %s\n", name, verdict, time.Since(begin).Seconds(), by)
	}
	return tried, found, nil
}
