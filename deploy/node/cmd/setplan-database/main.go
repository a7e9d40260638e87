// Command setplan-database measures what changes of a running database cost its clients: a real etcd and a real PostgreSQL on real nodes, under the built-in
// controller and under Setplan in turns, with a client that writes without pause.
//
//	setplan-database -runs 5 -only 'etcd: (image|memory)'
//
// It needs root, Debian's package postgresql, and what setplan-local build --nodes and make build have built.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
)

func main() {
	log.SetFlags(log.Ltime)
	runs := flag.Int("runs", 5, "how often each `number` is measured")
	only := flag.String("only", "", "regular expression: the scenarios (default all)")
	keep := flag.Bool("keep", false, "leave logs in .local/database-*")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := measure(ctx, *runs, *only, *keep); err != nil {
		log.Fatal(err)
	}
}

func measure(ctx context.Context, runs int, only string, keep bool) error {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	bin := filepath.Dir(self)
	for _, database := range databases {
		if err := database.images(ctx, bin); err != nil {
			return err
		}
	}
	var results table
	for run := range runs {
		for _, controller := range controllers {
			b, err := start(ctx, bin, controller)
			if err == nil {
				err = b.measureAll(ctx, run, controller.name, chosen, &results)
			}
			if err := b.stop(keep || err != nil); err != nil {
				return err
			}
			if err != nil {
				return err
			}
		}
	}
	fmt.Print(results)
	return nil
}

// measureAll measures the chosen scenarios of all databases.
func (b *bed) measureAll(ctx context.Context, run int, controller string, chosen *regexp.Regexp, results *table) error {
	for _, b.database = range databases {
		for _, s := range scenarios {
			name := b.database.name + ": " + s.name
			if !chosen.MatchString(name) {
				continue
			}
			found, err := b.measure(ctx, s, run)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", controller, name, err)
			}
			log.Printf("run %d, %s, %s: %v", run+1, controller, name, found)
			results.add(name, controller, found)
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
