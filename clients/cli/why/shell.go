package why

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli/shell"
)

// kubectl is a command for the set's namespace.
func (c *Case) kubectl(format string, args ...any) string {
	return shell.Command("kubectl -n %s "+format, append([]any{c.Key.Namespace}, args...)...)
}

// builtIn reports whether kubectl knows the fields of the set's kind.
func (c *Case) builtIn() bool { return c.World.Kind == kube.StatefulSets() }

// sets is how kubectl is told of the set's kind.
func (c *Case) sets() string {
	if c.builtIn() {
		return "statefulset"
	}
	return c.World.Kind.Name()
}

// edit is the command to change the set.
func (c *Case) edit() string { return c.kubectl("edit %s %s", c.sets(), c.Key.Name) }

// setImage is the command to change an image. kubectl finds the images of the kinds that it knows.
func (c *Case) setImage(container string) string {
	if !c.builtIn() {
		return c.edit()
	}
	return c.kubectl("set image statefulset/%s %s=IMAGE", c.Key.Name, container)
}

// rollout is a command of kubectl rollout, or of our own where kubectl refuses the kind.
func (c *Case) rollout(format string, args ...any) string {
	if c.builtIn() {
		return c.kubectl("rollout "+format, args...)
	}
	return shell.Command(c.Program+" -n %s rollout "+format, append([]any{c.Key.Namespace}, args...)...)
}

// there has commands go to the cluster that was read.
func (c *Case) there(commands []string) []string {
	out := slices.Clone(commands)
	for i, command := range out {
		for _, program := range []string{c.Program, "kubectl"} {
			if rest, is := strings.CutPrefix(command, program+" "); is && len(c.Flags) > 0 {
				out[i] = program + " " + strings.Join(c.Flags, " ") + " " + rest
				break
			}
		}
	}
	return out
}

// quote returns a JSON string.
func quote(text string) string {
	data, _ := json.Marshal(text) // a string is always JSON
	return string(data)
}
