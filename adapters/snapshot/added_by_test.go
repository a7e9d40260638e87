package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestAddedBy: which claim templates an annotation adds, in every form in which the planner reads it.
func TestAddedBy(t *testing.T) {
	many := func(count int) string {
		members := make([]string, count)
		for i := range members {
			members[i] = fmt.Sprintf(`"wal%d":{}`, i)
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	for name, tt := range map[string]struct {
		annotation string
		want       int
		first      string
	}{
		"nothing":                    {``, 0, ""},
		"a template":                 {`{"wal":{"spec":{}}}`, 1, "wal"},
		"sorted":                     {`{"wal":{},"aux":{}}`, 2, "aux"},
		"YAML":                       {"wal:\n  spec: {}\n", 1, "wal"},
		"a patch of the set's own":   {`{"data":{"spec":{}}}`, 0, ""},
		"null":                       {`{"wal":null}`, 0, ""},
		"of two the last one":        {`{"wal":{},"wal":null}`, 0, ""},
		"no object":                  {`["wal"]`, 0, ""},
		"cut off":                    {`{"wal":`, 0, ""},
		"a number beyond all floats": {`{"wal":{"spec":{"dataSource":{"n":1e999}}}}`, 1, "wal"},
		"as many as there may be":    {many(maxAdded), maxAdded, "wal0"},
		"more, which nobody follows": {many(maxAdded + 1), 0, ""},
	} {
		got := AddedBy(map[string]string{noteClaimTemplates: tt.annotation}, []string{"data"})
		if len(got) != tt.want || len(got) > 0 && got[0] != tt.first || !slices.IsSorted(got) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
