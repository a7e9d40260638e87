package yamljson

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// fromZero finds the errors whose line the library counts from zero: those of its parser. Those of its scanner are right.
var fromZero = regexp.MustCompile(`^(?:line (\d+): )?(did not find expected (?:node content|',' or|key|'-' indicator|<document start>).*)`)

// readable is an error of the library without what it says of itself, with the right line of so many. It quotes the text, so
// it is cut.
func readable(err error, lines int) error {
	text := fmt.Sprintf("%.200s", strings.TrimPrefix(err.Error(), "yaml: "))
	if found := fromZero.FindStringSubmatch(text); found != nil {
		line, _ := strconv.Atoi(found[1]) // the library leaves line 0 out
		return fmt.Errorf("line %d: %s", min(line+1, lines), found[2])
	}
	return errors.New(text)
}
