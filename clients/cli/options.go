package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli/printable"
	"github.com/setplan/setplan/clients/cli/show"
	"github.com/setplan/setplan/clients/plannerflags"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// options are the flags of all commands. Each command registers its own.
type options struct {
	config   Config
	kube     *genericclioptions.ConfigFlags
	planner  plannerflags.Flags
	behavior string

	allNamespaces bool
	selector      string
	file          string
	at            string
	output        string
}

func (o *options) registerGlobal(set *pflag.FlagSet) {
	o.kube.AddFlags(set)
	o.planner.Register(set, "empty or \"embedded\" is the planner in this program")
	set.StringVar(&o.behavior, "behavior", "SETPLAN", "rules to decide by, the same as the adapter's: SETPLAN, KUBERNETES_1_36 or KUBERNETES_1_37")
}

// registerReading adds the flags that say where sets are read from.
func (o *options) registerReading(set *pflag.FlagSet) {
	set.BoolVarP(&o.allNamespaces, "all-namespaces", "A", false, "include the sets of all namespaces")
	set.StringVarP(&o.selector, "selector", "l", "", "include only sets whose labels match, such as app=web,tier!=cache")
	set.VarP(oneFile{&o.file}, "filename", "f", "read this file instead of a cluster; - is standard input")
	set.StringVar(&o.at, "at", "", "the time to plan for, such as 2026-01-31T12:00:00Z; empty is now")
}

func (o *options) registerOutput(set *pflag.FlagSet) {
	set.StringVarP(&o.output, "output", "o", "", "wide, name, json or yaml; empty is text for people")
}

// clock returns --at, or now.
func (o *options) clock() (time.Time, error) {
	if o.at == "" {
		return time.Now(), nil
	}
	at, err := time.Parse(time.RFC3339, o.at)
	if err != nil {
		return time.Time{}, fmt.Errorf("--at is %q, must be a time such as 2026-01-31T12:00:00Z", o.at)
	}
	return at, nil
}

func (o *options) preset() (setplanv1.Behavior, error) {
	switch o.behavior {
	case "SETPLAN":
		return setplanv1.Behavior_BEHAVIOR_SETPLAN, nil
	case "KUBERNETES_1_36":
		return setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36, nil
	case "KUBERNETES_1_37":
		return setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_37, nil
	default:
		return 0, fmt.Errorf("--behavior is %q, must be SETPLAN, KUBERNETES_1_36 or KUBERNETES_1_37", o.behavior)
	}
}

func (o *options) checkOutput() error {
	switch o.output {
	case "", outputWide, outputName, outputJSON, outputYAML:
		return nil
	default:
		return fmt.Errorf("--output is %q, must be %s, %s, %s or %s", o.output, outputWide, outputName, outputJSON, outputYAML)
	}
}

// mostLines is how many actions, blocks, reasons or pods a text shows. The rest is counted.
const mostLines = 1000

func (o *options) style() show.Style {
	return show.Style{Color: show.Colorful(o.config.Streams.Out), Wide: o.output == outputWide, Most: mostLines, Flags: o.givenFlags()}
}

// text is standard output for people, without characters that a terminal takes for commands.
func (o *options) text() io.Writer { return printable.Writer(o.config.Streams.Out, o.style().Color) }

// namespace is where to look for sets; empty means everywhere, which is the default for a file.
func (o *options) namespace() (string, error) {
	if o.allNamespaces {
		return "", nil
	}
	if o.file != "" {
		return *o.kube.Namespace, nil
	}
	namespace, _, err := o.kube.ToRawKubeConfigLoader().Namespace()
	return namespace, err
}

// clients makes clients of the cluster that the flags name.
func (o *options) clients() (*kube.Clients, error) {
	config, err := o.kube.ToRESTConfig()
	if err != nil {
		return nil, fmt.Errorf("no cluster to read from (see --kubeconfig and --context, or -f for a file): %w", err)
	}
	config.QPS, config.Burst = 50, 100 // client-go's 5 would make a wait of what takes one
	return kube.NewClients(config)
}
