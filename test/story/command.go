package story

import (
	"fmt"
	"strconv"
	"strings"
)

// Command is one line of a story, and the input below it.
type Command struct {
	Name    string
	Args    []string          // words without "="
	Options map[string]string // words with it
	Input   string
}

// ParseCommand reads a line such as "pod web-1 create labels=app=web".
func ParseCommand(line, input string) Command {
	words := strings.Fields(line)
	c := Command{Name: words[0], Options: map[string]string{}, Input: input}
	for _, word := range words[1:] {
		if key, value, found := strings.Cut(word, "="); found {
			c.Options[key] = value
		} else {
			c.Args = append(c.Args, word)
		}
	}
	return c
}

// arg is the i-th bare word; a missing one is reported as the error of the command.
func (c Command) arg(i int) string {
	if i >= len(c.Args) {
		panic(usageError(fmt.Sprintf("%s needs more words", c.Name)))
	}
	return c.Args[i]
}

func (c Command) argOr(i int, fallback string) string {
	if i < len(c.Args) {
		return c.Args[i]
	}
	return fallback
}

// number reads a word such as "3" or "x3".
func (c Command) number(word string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(word, "x"))
	if err != nil {
		panic(usageError(fmt.Sprintf("%s: %q is no number", c.Name, word)))
	}
	return n
}

// usageError is a mistake in a story's language. It is raised where it is found, and becomes the command's output in Runner.Run.
type usageError string

// labels reads "app=web,tier=db"; "-" is no labels at all.
func labels(text string) map[string]string {
	set := map[string]string{}
	for _, pair := range strings.Split(text, ",") {
		if key, value, found := strings.Cut(pair, "="); found {
			set[key] = value
		}
	}
	return set
}
