package why

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/setplan/setplan/adapters/printable"
)

// raw is a part of a command that is not quoted, such as $(date).
type raw string

// command returns a command to paste into a POSIX shell. Strings among the arguments come from objects. Each stays one word, whatever
// it contains.
func command(format string, args ...any) string {
	for i, arg := range args {
		switch arg := arg.(type) {
		case raw:
			args[i] = string(arg)
		case string:
			args[i] = word(arg)
		}
	}
	return fmt.Sprintf(format, args...)
}

// kubectl returns a command for the set's namespace.
func (c *Case) kubectl(format string, args ...any) string {
	return command("kubectl -n %s "+format, append([]any{c.Key.Namespace}, args...)...)
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,][A-Za-z0-9_./:@%+,=-]*$`)

// word quotes a text for a shell. A text that a terminal would not show as it is, or that a program would take for an option, becomes
// a word for people to fill in.
func word(text string) string {
	switch {
	case plainWord.MatchString(text):
		return text
	case text == "" || text[0] == '-' || printable.Line(text) != text:
		return "NAME"
	default:
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
}

// words quotes several arguments.
func words(list []string) raw {
	quoted := make([]string, len(list))
	for i, text := range list {
		quoted[i] = word(text)
	}
	return raw(strings.Join(quoted, " "))
}

// quote returns a JSON string.
func quote(text string) string {
	data, _ := json.Marshal(text) // a string is always JSON
	return string(data)
}
