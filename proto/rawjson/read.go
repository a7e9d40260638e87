// Package rawjson reads JSON in place: a Value is a part of the text that it was read from, so that what Kubernetes owns can be passed on as it was sent,
// digit by digit, and what nobody asks for costs no memory. It takes time linear in the text, for each level that is looked into.
package rawjson

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"unicode/utf8"
)

// MaxDepth is how deep values may lie in each other. A template may be nested 200 deep, and lies in an object in a list.
const MaxDepth = 250

// ErrStopped is the error of work that was told to stop.
var ErrStopped = errors.New("stopped")

// Error is something in a text that is not as it should be.
type Error struct {
	At   int    // byte of the text
	Way  []Step // to the innermost value that has it
	What string // such as "must be JSON"; it quotes nothing of the text
}

func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.At, e.What) }

// bytesAtOnce is how much is read between two looks at whether to stop.
const bytesAtOnce = 16 << 10

// Pace asks whether to stop, many times in ten milliseconds, while texts are read and looked into, however many and small they are. A nil Pace never does.
type Pace struct {
	stop func() bool
	done int // bytes since the last look
}

// NewPace makes a Pace that asks stop; nil never stops.
func NewPace(stop func() bool) *Pace { return &Pace{stop: stop} }

// Spend tells of work, in bytes that were read. It ends the work by a panic, which Stopping turns into an error.
func (p *Pace) Spend(bytes int) {
	if p == nil {
		return
	}
	if p.done += bytes; p.done >= bytesAtOnce {
		p.done = 0
		if p.stop != nil && p.stop() {
			panic(ErrStopped)
		}
	}
}

// text is a whole text.
type text struct {
	*Pace
	bytes    []byte
	from, to int    // the value, without the blanks around it
	spans    []span // in the order in which they begin
}

// span is where an array or an object begins and ends. Those that are long and not deep are noted when a text is checked, so that they can be passed over: that is
// most of what a text has, and takes less memory than the text.
type span struct{ from, to int }

const (
	spanBytes = 128 // a shorter one is read again
	spanDepth = 12
)

// Stopping runs something that looks into values, and returns its error, or ErrStopped if Read's stop ended it.
func Stopping(run func() error) (err error) {
	defer func() {
		if p := recover(); p == ErrStopped { //nolint:errorlint // the very value that Spend throws
			err = ErrStopped
		} else if p != nil {
			panic(p)
		}
	}()
	return run()
}

// Read checks that all of a text is one JSON value, and returns it. The pace is kept then, and whenever the value is looked into, which therefore has to happen
// within Stopping. The text must not change as long as the value is in use. The error is an *Error or ErrStopped.
func Read(bytes []byte, pace *Pace) (v Value, err error) {
	err = Stopping(func() error {
		c := checker{text: &text{Pace: pace, bytes: bytes}}
		from := c.space(0)
		to := c.value(from, 1)
		if c.wrong == nil {
			if rest := c.space(to); rest < len(bytes) {
				c.fail(rest, "must end here")
			}
		}
		if c.wrong != nil {
			return c.wrong
		}
		c.from, c.to = from, to
		v = Value{c.text, from, to}
		return nil
	})
	return v, err
}

// checker reads a text for the first time. After a failure every position is the end of the text.
type checker struct {
	*text
	wrong *Error
}

func (c *checker) fail(at int, what string) int {
	if c.wrong == nil {
		c.wrong = &Error{At: at, What: what}
	}
	return len(c.bytes)
}

// next is the byte at a position, 0 at the end.
func (t *text) next(at int) byte {
	if at < len(t.bytes) {
		return t.bytes[at]
	}
	return 0
}

// blanks are eight spaces: kubectl indents by four for each level.
const blanks = 0x2020202020202020

// space passes over white space.
func (t *text) space(at int) int {
	if at < len(t.bytes) && t.bytes[at] > ' ' {
		return at
	}
	return t.spaces(at)
}

func (t *text) spaces(at int) int {
	b, from := t.bytes, at
	for at < len(b) {
		switch b[at] {
		case ' ', '\t', '\n', '\r':
		default:
			return at
		}
		at++
		for len(b)-at >= 8 && binary.LittleEndian.Uint64(b[at:]) == blanks && at-from < bytesAtOnce {
			at += 8
		}
		if at-from >= bytesAtOnce {
			t.Spend(at - from)
			from = at
		}
	}
	return at
}

// value checks the value at a position, and returns where it ends.
func (c *checker) value(at, depth int) int {
	c.Spend(1)
	if depth > MaxDepth {
		return c.fail(at, fmt.Sprintf("is nested deeper than %d", MaxDepth))
	}
	switch b := c.next(at); {
	case b == '{':
		return c.span(at, depth, '}', true)
	case b == '[':
		return c.span(at, depth, ']', false)
	case b == '"':
		return c.str(at)
	case b == '-' || b >= '0' && b <= '9':
		return c.number(at)
	case b == 'n':
		return c.word(at, "null")
	case b == 't':
		return c.word(at, "true")
	case b == 'f':
		return c.word(at, "false")
	case at >= len(c.bytes):
		return c.fail(at, "ends in the middle")
	}
	return c.fail(at, "must be JSON")
}

// span checks an array, or an object, and notes where it ends if it is long.
func (c *checker) span(at, depth int, end byte, keyed bool) int {
	before := len(c.spans)
	if depth <= spanDepth {
		c.spans = append(c.spans, span{from: at})
	}
	to := c.list(at, depth, end, keyed)
	switch {
	case to-at < spanBytes:
		c.spans = c.spans[:before] // and so is what lies in it
	case depth <= spanDepth:
		c.spans[before].to = to
	}
	return to
}

// list checks an array, or an object.
func (c *checker) list(at, depth int, end byte, keyed bool) int {
	if at = c.space(at + 1); c.next(at) == end {
		return at + 1
	}
	for i := 0; c.wrong == nil; i++ {
		key := at
		if keyed {
			if c.next(at) != '"' {
				return c.unexpected(at)
			}
			if at = c.space(c.str(at)); c.next(at) != ':' {
				return c.unexpected(at)
			}
			at = c.space(at + 1)
		}
		if at = c.space(c.value(at, depth+1)); c.wrong != nil {
			step := Step{Index: i}
			if keyed {
				step = Step{Key: Value{c.text, key, c.endOfString(key)}.Text()}
			}
			c.wrong.Way = append([]Step{step}, c.wrong.Way...)
			break
		}
		switch c.next(at) {
		case end:
			return at + 1
		case ',':
			at = c.space(at + 1)
		default:
			return c.unexpected(at)
		}
	}
	return len(c.bytes)
}

func (c *checker) unexpected(at int) int {
	if at >= len(c.bytes) {
		return c.fail(at, "ends in the middle")
	}
	return c.fail(at, "must be JSON")
}

func (c *checker) word(at int, word string) int {
	if end := at + len(word); end <= len(c.bytes) && string(c.bytes[at:end]) == word {
		return end
	}
	return c.unexpected(at)
}

func (c *checker) str(at int) int {
	from := at
	for at++; ; at++ {
		if at = c.plain(at); at >= len(c.bytes) {
			return c.fail(at, "ends in the middle")
		}
		if at-from >= bytesAtOnce {
			c.Spend(at - from)
			from = at
		}
		switch b := c.bytes[at]; {
		case b == '"':
			c.Spend(at - from)
			return at + 1
		case b < ' ':
			return c.fail(at, "must not have a control character in a string")
		case b >= utf8.RuneSelf:
			_, size := utf8.DecodeRune(c.bytes[at:])
			if size == 1 {
				return c.fail(at, "must be UTF-8")
			}
			at += size - 1
		case b == '\\':
			if at++; !c.escape(&at) {
				return c.fail(at, "must not have such an escape in a string")
			}
		}
	}
}

// plain passes over bytes of a string that stand for themselves, eight at once, up to one that may not, or the end. It stops now and then.
func (t *text) plain(at int) int {
	b := t.bytes
	for limit := min(at+bytesAtOnce, len(b)-8); at <= limit; at += 8 {
		if found := special(binary.LittleEndian.Uint64(b[at:])); found != 0 {
			return at + bits.TrailingZeros64(found)/8
		}
	}
	return at
}

// special marks, by their highest bits, those of eight bytes that do not stand for themselves: a quote, a backslash, a control character, and what is not ASCII. Of the
// bytes after the first that it marks it may mark others, too.
func special(eight uint64) uint64 {
	const each, highest = 0x0101010101010101, 0x8080808080808080
	quote, backslash := eight^each*'"', eight^each*'\\'
	return (eight | (eight - each*' ') | (quote - each) | (backslash - each)) & highest
}

// escape reads what stands after a backslash, up to its last byte.
func (c *checker) escape(at *int) bool {
	switch c.next(*at) {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		for range 4 {
			*at++
			if b := c.next(*at) | 0x20; !(b >= '0' && b <= '9' || b >= 'a' && b <= 'f') || c.next(*at) < '0' {
				return false
			}
		}
		return true
	}
	return false
}

func (c *checker) number(at int) int {
	from := at
	if c.next(at) == '-' {
		at++
	}
	digits := func() bool {
		begin := at
		for ; c.next(at) >= '0' && c.next(at) <= '9'; at++ {
			if at-from == bytesAtOnce {
				c.Spend(at - from)
				from = at
			}
		}
		return at > begin
	}
	if c.next(at) == '0' {
		at++
	} else if !digits() {
		return c.unexpected(at)
	}
	if c.next(at) == '.' {
		if at++; !digits() {
			return c.unexpected(at)
		}
	}
	if b := c.next(at); b == 'e' || b == 'E' {
		if at++; c.next(at) == '+' || c.next(at) == '-' {
			at++
		}
		if !digits() {
			return c.unexpected(at)
		}
	}
	return at
}
