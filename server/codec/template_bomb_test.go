package codec

import (
	"runtime"
	"strings"
	"testing"
)

// aliasBomb is a template of about this many bytes whose aliases expand to more than a hundred times as many: half of it is
// one text, and the rest repeats it.
func aliasBomb(size int) string {
	return "metadata:\n  name: &a " + strings.Repeat("x", size/2) + "\nspec:\n  x: [" + strings.Repeat("*a,", size/6) + "*a]\n"
}

// TestTemplateBomb: an annotation that any user may write costs hardly any memory, and a problem says what is wrong with it.
func TestTemplateBomb(t *testing.T) {
	for name, text := range map[string]string{
		"55 kB":                        aliasBomb(55 << 10),
		"256 KiB, the API's limit":     aliasBomb(256<<10 - 100),
		"many nodes":                   "[" + strings.Repeat("a,", 127<<10) + "a]",
		"deep":                         strings.Repeat("[", 100<<10),
		"a mapping with many keys":     "{" + strings.Repeat("a,", 100<<10) + "}",
		"aliases of aliases":           "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: [*c,*c]\n",
		"merged":                       "a: &a {b: c}\nd:\n  <<: *a\n",
		"a bomb that looks like JSON":  `{"a": &a "` + strings.Repeat("x", 20<<10) + `", "b": [` + strings.Repeat("*a,", 5<<10) + `*a]}`,
		"comments":                     strings.Repeat("#\n", 100<<10) + "a: 1\n",
		"a text that folds and folds":  "a: " + strings.Repeat("x\n ", 80<<10) + "\n",
		"a key that may be simple yet": strings.Repeat("? ", 100<<10),
	} {
		var problem string
		allocated := allocates(func() { problem = documentsOf(t, map[string]string{ourTemplate: text}, nil)[ourTemplate].Problem })
		if most := uint64(16 << 20); allocated > most {
			t.Errorf("%s: one request allocates %d MB, want no more than %d", name, allocated>>20, most>>20)
		}
		if problem == "" {
			t.Errorf("%s: there is no problem", name)
		}
	}
}

// allocates returns how many bytes a function allocates, freed or not.
func allocates(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
