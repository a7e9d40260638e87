package cli

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// PlannerInProcess is a planner without a network, which the main provides.
type PlannerInProcess interface {
	adapters.Planner
	GetServerInfo(context.Context, *setplanv1.GetServerInfoRequest) (*setplanv1.GetServerInfoResponse, error)
	Foresee(context.Context, *setplanv1.ForecastRequest, func(*setplanv1.ForecastStep) error) (*setplanv1.ForecastResult, error)
}

// Config is what the main provides.
type Config struct {
	// Embedded makes the planner to use if --planner-address is not given.
	Embedded func() PlannerInProcess
	// Version is the release of this build.
	Version string
	// Program is how the program was called, os.Args[0].
	Program string
	// Streams are the standard streams, or a test's.
	Streams genericiooptions.IOStreams
}

// pluginName is the name by which kubectl finds the program as its subcommand "setplan".
const pluginName = "kubectl-setplan"

// Command returns the command line.
func Command(config Config) *cobra.Command {
	o := &options{config: config, kube: genericclioptions.NewConfigFlags(true)}
	name := "setplan"
	if strings.TrimSuffix(filepath.Base(config.Program), ".exe") == pluginName {
		name = "kubectl setplan"
	}
	root := &cobra.Command{
		Use:   "setplan",
		Short: "Shows what a StatefulSet needs next, and what it waits for",
		Long: `setplan asks the planner about StatefulSets and shows the answer. Only rollout undo, restart, pause and resume change
anything in a cluster: the set that they name.

It reads sets from the cluster that kubectl would use, or with -f from the output of
  kubectl get sts,pods,pvc,controllerrevisions,storageclasses -o yaml
The planner is built in; --planner-address asks a setplan-server instead.

A set is named web or sts/web for apps/v1, ssts/web for apps.setplan.io, and statefulsets.apps.example.com/web for any other kind
that has the spec of a StatefulSet. Without a name, plan and why show every set of apps/v1 in the namespace, and with ssts/ every
set of apps.setplan.io.`,
		Version:       config.Version,
		SilenceUsage:  true,
		SilenceErrors: true,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: name},
	}
	o.registerGlobal(root.PersistentFlags())
	root.SetFlagErrorFunc(usage)
	version := name + " version " + config.Version + "\n"
	root.SetVersionTemplate(version)
	root.SetIn(config.Streams.In)
	root.SetOut(config.Streams.Out)
	root.SetErr(config.Streams.ErrOut)
	root.AddCommand(planCommand(o), whyCommand(o, name), forecastCommand(o), watchCommand(o), compareCommand(o), recordCommand(o), replayCommand(o), rolloutCommand(o), convertCommand(o, name), versionCommand(version))
	callExamples(root, name)
	return root
}

// callExamples has the examples of all commands call the program as it was called.
func callExamples(c *cobra.Command, name string) {
	c.Example = strings.ReplaceAll(c.Example, "  setplan ", "  "+name+" ")
	for _, sub := range c.Commands() {
		callExamples(sub, name)
	}
}
