package why

import (
	"encoding/json"

	"github.com/setplan/setplan/clients/cli/shell"
)

// kubectl is a command for the set's namespace.
func (c *Case) kubectl(format string, args ...any) string {
	return shell.Command("kubectl -n %s "+format, append([]any{c.Key.Namespace}, args...)...)
}

// quote returns a JSON string.
func quote(text string) string {
	data, _ := json.Marshal(text) // a string is always JSON
	return string(data)
}
