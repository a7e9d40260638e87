// Package shell makes commands for people to paste into a POSIX shell.
package shell

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/setplan/setplan/clients/cli/printable"
)

// Raw is a part of a command that is ours, such as $(date), and not quoted.
type Raw string

// Command is a command to paste into a POSIX shell. Strings among the arguments come from objects and stay one word
// each, whatever they hold.
func Command(format string, args ...any) string {
	for i, arg := range args {
		switch arg := arg.(type) {
		case Raw:
			args[i] = string(arg)
		case string:
			args[i] = word(arg)
		}
	}
	return fmt.Sprintf(format, args...)
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,][A-Za-z0-9_./:@%+,=-]*$`)

// word quotes what a shell would take apart. What a terminal would not show as it is, or what a program would take for an
// option, is left for people to fill in.
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

// Lead gives the commands in a planner's remedy the flags by which kubectl comes to the cluster that was read.
func Lead(remedy string, flags []string) string {
	if len(flags) == 0 {
		return remedy
	}
	return strings.ReplaceAll(remedy, "`kubectl ", "`kubectl "+strings.Join(flags, " ")+" ")
}

// Words are several arguments.
func Words(list []string) Raw {
	quoted := make([]string, len(list))
	for i, text := range list {
		quoted[i] = word(text)
	}
	return Raw(strings.Join(quoted, " "))
}
