// Command setplan-database measures what changes of a running database cost its clients: a real etcd and a real PostgreSQL on real nodes, under the built-in
// controller and under Setplan in turns, with a client that writes without pause.
//
//	setplan-database -runs 5 -only 'etcd: (image|memory)'
//
// It needs root, Debian's package postgresql, and what setplan-local build --nodes and make build have built.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
)

func main() {
	log.SetFlags(log.Ltime)
	runs := flag.Int("runs", 5, "how often each `number` is measured")
	only := flag.String("only", "", "regular expression: the scenarios (default all)")
	keep := flag.Bool("keep", false, "leave logs in .local/database-*")
	show := flag.Bool("demo", false, "show some changes under Setplan, and how a client fares")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := measure(ctx, *runs, *only, *keep, *show); err != nil {
		log.Fatal(err)
	}
}

func measure(ctx context.Context, runs int, only string, keep, show bool) error {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	bin := filepath.Dir(self)
	for _, d := range databases {
		if !show && !slices.ContainsFunc(scenarios, func(s scenario) bool { return s.chosen(d, chosen) }) || show && d.name != "etcd" {
			continue
		}
		if err := d.images(ctx, bin); err != nil {
			return err
		}
	}
	if show {
		return demo(ctx, bin)
	}
	var results table
	defer func() { fmt.Print(results) }() // also where one has failed
	for run := range runs {
		for _, c := range controllers {
			if err := c.measure(ctx, bin, run, chosen, keep, &results); err != nil {
				return err
			}
		}
	}
	return nil
}

// chosen is whether the scenario is to be measured with a database.
func (s scenario) chosen(of database, by *regexp.Regexp) bool {
	return (s.only == "" || s.only == of.name) && by.MatchString(of.name+": "+s.name)
}

// measure measures the chosen scenarios of all databases in a cluster with the controller.
func (c controller) measure(ctx context.Context, bin string, run int, chosen *regexp.Regexp, keep bool, results *table) (err error) {
	var b *bed
	for _, d := range databases {
		for _, s := range scenarios {
			if !c.has(s) || !s.chosen(d, chosen) {
				continue
			}
			if b == nil {
				b, err = start(ctx, bin, c)
				defer func() { err = errors.Join(err, b.stop(keep || err != nil)) }()
				if err != nil {
					return err
				}
			}
			b.database = d
			name := d.name + ": " + s.name
			r, err := b.measure(ctx, s, run)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", c.name, name, err)
			}
			log.Printf("run %d, %s, %s: %v", run+1, c.name, name, r)
			results.add(name, c.name, r)
		}
	}
	return nil
}

// etcdImages makes what the pods of etcd run.
func etcdImages(ctx context.Context, bin string) error {
	node := filepath.Join(bin, "setplan-node")
	for _, version := range []string{"1", "2"} {
		for name, program := range map[string]string{"etcd": "/setplan-etcd", "etcd-role": "/setplan-etcd"} {
			args := []string{"image", "--out", filepath.Join(bin, "node-images", name+"-"+version+".tar"),
				"--name", "setplan.local/" + name + ":" + version, "--label", "version=" + version, "--entrypoint", program,
				"/setplan-etcd=" + filepath.Join(bin, "setplan-etcd")}
			if name == "etcd" {
				args = append(args, "/etcd="+filepath.Join(bin, "etcd-server"))
			}
			if _, err := command(ctx, nil, node, args...); err != nil {
				return err
			}
		}
	}
	return nil
}
