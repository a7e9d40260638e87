// Command setplan-database measures what changes of a running database cost its clients: a real etcd on real nodes, under the built-in controller and
// under Setplan in turns, with a client that writes without pause.
//
//	setplan-database -runs 5 -only 'image|memory'
//
// It needs root, and what setplan-local build --nodes and make build have built.
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
	if err := images(ctx, bin); err != nil {
		return err
	}
	var results table
	for run := range runs {
		for _, controller := range controllers {
			b, err := start(ctx, bin, controller)
			if err == nil {
				for _, s := range scenarios {
					if !chosen.MatchString(s.name) {
						continue
					}
					var found result
					if found, err = b.measure(ctx, s); err != nil {
						err = fmt.Errorf("%s, %s: %w", controller.name, s.name, err)
						break
					}
					log.Printf("run %d, %s, %s: %v", run+1, controller.name, s.name, found)
					results.add(s.name, controller.name, found)
				}
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

// images makes what the pods run.
func images(ctx context.Context, bin string) error {
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
