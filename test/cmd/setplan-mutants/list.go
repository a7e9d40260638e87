package main

import (
	"embed"
	"fmt"
	"strings"
)

// lists are the mutations, a file for each part: two lines for each of them.
//
//	name file.go: what the mistake breaks
//		the text => what is written in its place
//
// No text may contain " => ". In the second line \n, \t and \\ are as in Go, and \s is a blank where it would not be seen. Lines that begin with # are comments.
//
//go:embed lists
var lists embed.FS

var unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\s`, " ")

// mutations are those of the part.
func (p *part) mutations() (all []mutation, err error) {
	file := "lists/" + strings.ReplaceAll(p.name, "/", "-") + ".txt"
	text, err := lists.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var m mutation
	for i, line := range strings.Split(string(text), "\n") {
		change, indented := strings.CutPrefix(line, "\t")
		of, breaks, is := strings.Cut(line, ": ")
		words := strings.Fields(of)
		switch {
		case line == "" || line[0] == '#':
		case !indented && is && breaks != "" && len(words) == 2 && m.Name == "":
			m = mutation{Name: words[0], File: words[1], Breaks: breaks}
		case indented && m.Name != "" && strings.Contains(change+" ", " => "):
			m.Old, m.New, _ = strings.Cut(change+" ", " => ")
			m.Old, m.New = unescape.Replace(m.Old), unescape.Replace(strings.TrimSuffix(m.New, " "))
			all, m = append(all, m), mutation{}
		default:
			return nil, fmt.Errorf("%s:%d: %q is neither a mutation's name, file and harm nor its change", file, i+1, line)
		}
	}
	if m.Name != "" {
		return nil, fmt.Errorf("%s: the change of %s is missing", file, m.Name)
	}
	return all, nil
}
