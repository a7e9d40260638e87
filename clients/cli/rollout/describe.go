package rollout

import (
	"strings"

	"sigs.k8s.io/yaml"
)

// Describe prints a pod template for people, as YAML: kubectl's own description leaves out fields that it does not know, which undo would
// write, too.
func Describe(template map[string]any) (string, error) {
	text, err := yaml.Marshal(template)
	if err != nil {
		return "", err
	}
	lines := strings.TrimRight(string(text), "\n")
	return "Pod Template:\n  " + strings.ReplaceAll(lines, "\n", "\n  ") + "\n", nil
}
