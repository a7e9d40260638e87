package world

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/setplan/setplan/proto/yamljson"
)

// document is an object or a list in a file, and its first line.
type document struct {
	json json.RawMessage
	line int
}

// documents splits a file: YAML documents with --- between them, JSON values in a row, or both mixed. Errors name the line of the
// file.
func documents(text []byte) ([]document, error) {
	var all []document
	for _, piece := range pieces(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		got, err := piece.documents()
		if err != nil {
			return nil, err
		}
		all = append(all, got...)
	}
	return all, nil
}

// piece is the text between two lines of ---.
type piece struct {
	text []byte
	line int // of its beginning
}

func pieces(text []byte) []piece {
	all := []piece{{line: 1}}
	number, begin := 0, 0
	for at := 0; at < len(text); {
		end := len(text)
		if size := bytes.IndexByte(text[at:], '\n'); size >= 0 {
			end = at + size + 1
		}
		number++
		if separates(text[at:end]) {
			all[len(all)-1].text = text[begin:at]
			all, begin = append(all, piece{line: number + 1}), end
		}
		at = end
	}
	all[len(all)-1].text = text[begin:]
	return all
}

func separates(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("---"))
	rest = bytes.TrimSpace(rest)
	return ok && (len(rest) == 0 || rest[0] == '#')
}

func (p piece) documents() ([]document, error) {
	start := bytes.TrimSpace(p.text)
	if len(start) == 0 {
		return nil, nil
	}
	if start[0] != '{' {
		return p.yaml()
	}
	all, err := p.values()
	if err == nil || len(all) > 0 {
		return all, err
	}
	// YAML may begin with a brace, too. For text that is neither, its error is less helpful than JSON's.
	if flow, notYAML := p.yaml(); notYAML == nil {
		return flow, nil
	}
	return nil, err
}

// values are JSON values in a row.
func (p piece) values() ([]document, error) {
	var all []document
	decoder := json.NewDecoder(bytes.NewReader(p.text))
	for {
		var value json.RawMessage
		err := decoder.Decode(&value)
		syntax := new(json.SyntaxError)
		switch {
		case err == nil:
			all = append(all, document{value, p.lineAt(decoder.InputOffset() - int64(len(value)))})
		case errors.Is(err, io.EOF):
			return all, nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return all, fmt.Errorf("line %d: the JSON is incomplete", p.lineAt(int64(len(bytes.TrimSpace(p.text)))))
		case errors.As(err, &syntax):
			return all, fmt.Errorf("line %d: %w", p.lineAt(syntax.Offset), err)
		default:
			return all, err
		}
	}
}

func (p piece) lineAt(offset int64) int {
	return p.line + bytes.Count(p.text[:min(offset, int64(len(p.text)))], []byte("\n"))
}

// yaml returns one YAML document; none if there are only comments.
func (p piece) yaml() ([]document, error) {
	value, err := yamljson.Convert(p.text)
	if err != nil {
		return nil, p.yamlError(err)
	}
	if bytes.Equal(value, []byte("null")) {
		return nil, nil
	}
	return []document{{value, p.line}}, nil
}

var yamlLine = regexp.MustCompile(`\bline (\d+)`)

// yamlError counts lines from the beginning of the file.
func (p piece) yamlError(err error) error {
	text := err.Error()
	if !yamlLine.MatchString(text) {
		return fmt.Errorf("the document that begins on line %d: %s", p.line, text)
	}
	return errors.New(yamlLine.ReplaceAllStringFunc(text, func(found string) string {
		line, _ := strconv.Atoi(strings.TrimPrefix(found, "line "))
		return fmt.Sprintf("line %d", p.line+line-1)
	}))
}
