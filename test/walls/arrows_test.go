package walls

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// arrows are the imports between the rooms of the product, tests left out. Each room stands in this table with all that it
// imports: a new arrow is a decision about the house, and one that is gone has to leave the table.
//
// Only adapters and clients import each other: an adapter is a client of the planner, and the command line reads clusters as
// the kube adapter does.
var arrows = map[string][]string{
	"adapters": {"clients", "proto", "server"},             // server: mains
	"clients":  {"adapters", "engine", "proto", "server"},  // engine: differ, which decides nothing; server: the command line's main
	"deploy":   {"adapters", "clients", "engine", "proto"}, // the demo; engine: the table of settings, for the definition of our own kind
	"engine":   nil,
	"proto":    nil,
	"server":   {"engine", "proto"},
}

// instruments is the room of what proves, measures or shows.
const instruments = "test"

func TestRooms(t *testing.T) {
	for _, b := range roomBreaches(arrows, list(t)) {
		t.Error(b)
	}
}

// roomBreaches returns a sentence for each import that is not in the table, and for what is in the table and not there.
func roomBreaches(allowed map[string][]string, packages []listed) []string {
	var out []string
	found := map[string]map[string]bool{}
	for _, p := range packages {
		from := room(p.ImportPath)
		if from == instruments {
			continue
		}
		for _, dep := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if room(dep) == instruments {
				out = append(out, fmt.Sprintf("%s must not import %s, not even in a test: the product stands without its instruments, "+
					"which come and go. Move the test to %s", p.ImportPath, dep, instruments))
			}
		}
		for _, dep := range p.Imports {
			to := room(dep)
			if to == "" || to == from || to == instruments {
				continue
			}
			if found[from] == nil {
				found[from] = map[string]bool{}
			}
			if !found[from][to] && !slices.Contains(allowed[from], to) {
				out = append(out, fmt.Sprintf("%s imports %s, and %s has imported nothing of %s so far: a new arrow between two rooms",
					p.ImportPath, dep, from, to))
			}
			found[from][to] = true
		}
	}
	for _, from := range slices.Sorted(maps.Keys(allowed)) {
		for _, to := range allowed[from] {
			if !found[from][to] {
				out = append(out, fmt.Sprintf("%s no longer imports %s: take the arrow out of the table", from, to))
			}
		}
	}
	return out
}

// room is the folder at the root that a package of ours is in; empty for those of others.
func room(path string) string {
	below, ours := strings.CutPrefix(path, module+"/")
	if !ours {
		return ""
	}
	first, _, _ := strings.Cut(below, "/")
	return first
}

func TestPlantedRooms(t *testing.T) {
	table := map[string][]string{"server": {"engine"}}
	rightly := listed{ImportPath: module + "/server", Imports: []string{module + "/engine", module + "/server/codec", "fmt"}}
	for reason, test := range map[string]struct {
		packages []listed
		breach   string
	}{
		"as the table says":         {[]listed{rightly}, ""},
		"an arrow that is not used": {nil, "server no longer imports engine"},
		"a new arrow": {[]listed{rightly, {ImportPath: module + "/engine/x", Imports: []string{module + "/proto/y"}}},
			module + "/engine/x imports " + module + "/proto/y"},
		"the other way round": {[]listed{rightly, {ImportPath: module + "/engine", Imports: []string{module + "/server"}}},
			module + "/engine imports " + module + "/server"},
		"a test of another room": {[]listed{rightly, {ImportPath: module + "/engine", XTestImports: []string{module + "/server"}}}, ""},
		"an instrument in the product": {[]listed{rightly, {ImportPath: module + "/server/cmd/x", Imports: []string{module + "/test/hostile"}}},
			"/server/cmd/x must not import " + module + "/test/hostile"},
		"an instrument in a test of the product": {[]listed{rightly, {ImportPath: module + "/adapters", TestImports: []string{module + "/test/story"}}},
			"/adapters must not import " + module + "/test/story"},
		"an instrument that uses the product": {[]listed{rightly, {ImportPath: module + "/test/story", Imports: []string{module + "/engine"}}}, ""},
	} {
		got := strings.Join(roomBreaches(table, test.packages), "\n")
		if (got == "") != (test.breach == "") || !strings.Contains(got, test.breach) {
			t.Errorf("%s: %q, want %q", reason, got, test.breach)
		}
	}
}
