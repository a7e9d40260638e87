// Command setplan-mutants shows that the tests find mistakes: it breaks one line at a time and runs the tests of that part. It
// prints a line for each mutation, and fails if one is not found in time.
//
//	setplan-mutants                          all of them
//	setplan-mutants -only '^adapters/kube'   some of them: the names begin with the part
//	setplan-mutants -only '^engine' -save test/oracle/testdata/divergences
//	                                         and keep the world that caught each
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
	flag.Parse()
	chosen, err := regexp.Compile(*only)
	if err == nil {
		err = run(chosen, *save, *limit)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "setplan-mutants:", err)
		os.Exit(1)
	}
}

func run(chosen *regexp.Regexp, save string, limit time.Duration) error {
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
	if tried == 0 {
		return fmt.Errorf("no mutation has a name that matches %s", chosen)
	}
	if found < tried {
		return fmt.Errorf("not every mistake is found")
	}
	return nil
}

// part tries the chosen mutations of a part.
func (h *hunt) part(p *part, chosen *regexp.Regexp) (tried, found int, err error) {
	for _, m := range p.mutations {
		name := p.name + "/" + m.Name
		if !chosen.MatchString(name) {
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
