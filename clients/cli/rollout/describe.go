package rollout

import (
	"strings"

	"sigs.k8s.io/yaml"
)

// Describe is a pod template for people. kubectl's own description leaves out what it does not know; YAML shows all that undo would
// write.
func Describe(template map[string]any) (string, error) {
	text, err := yaml.Marshal(template)
	if err != nil {
		return "", err
	}
	lines := strings.TrimRight(string(text), "\n")
	return "Pod Template:\n  " + strings.ReplaceAll(lines, "\n", "\n  ") + "\n", nil
}
