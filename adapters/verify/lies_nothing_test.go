package verify

import (
	"maps"
	"strings"
)

func init() {
	for _, row := range nothingOfResources {
		truths["update_pod with resources of nothing: "+row.of] = func() *scene { return helperOf(row.old, row.next) }
	}
	maps.Copy(truths, nothingTruths)
	for _, row := range somethingOfResources {
		lies = append(lies, lie{"update_pod with resources of nothing: left out", row.of, "pod-update", func(s *scene) { *s = *helperOf(row.old, row.next) }})
	}
}

// helperRow is what the helper container of two templates asks for.
type helperRow struct{ of, old, next string }

// nothingOfResources are ways to ask for the same, for the engine as well. Other controllers may have written them into a revision.
var nothingOfResources = []helperRow{
	{"left out", `{"limits":{},"requests":{}}`, `{}`},
	{"null", `{"limits":null,"requests":null}`, `{}`},
	{"null at once", `null`, `{"limits":{}}`},
	{"an amount that is null", `{"requests":{"cpu":null}}`, `{}`},
	{"another resource that is null", `{"limits":{"ephemeral-storage":null}}`, `{}`},
	{"an amount that becomes null", `{}`, `{"limits":{"memory":null}}`},
	{"beside something", `{"limits":{"cpu":"1"},"requests":null}`, `{"limits":{"cpu":"1"},"requests":{"memory":null}}`},
}

// somethingOfResources are ways to ask for something else.
var somethingOfResources = []helperRow{
	{"but of another resource", `{"limits":{"ephemeral-storage":"1Gi"}}`, `{}`},
	{"but of an amount that is gone", `{"limits":{"cpu":"1"}}`, `{"limits":{"cpu":null}}`},
	{"but of what is no object", `{"limits":"all"}`, `{}`},
	{"but of an empty text", `{"limits":{"cpu":""}}`, `{}`},
}

// helperOf relabels a pod. Of its two revisions, the helper container asks for this.
func helperOf(old, next string) *scene {
	s := sameSize()
	for i, resources := range []string{old, next} {
		data := string(s.snapshot.Revisions[i].Data)
		s.snapshot.Revisions[i].Data = []byte(strings.Replace(data, `"helper:1"`, `"helper:1","resources":`+resources, 1))
	}
	return s
}

// nothingTruths are true actions of pods whose resources change where a revision has nulls besides.
var nothingTruths = map[string]func() *scene{
	"update_pod with resources instead of null": func() *scene {
		s := resourceTruths["update_pod with resources"]()
		revisionSays(0, `"resources":{"limits":{}}`, `"resources":{"limits":{"memory":null},"requests":{"cpu":null}}`)(s)
		return s
	},
	"resize_pod with nulls besides": func() *scene {
		s := resourceTruths["resize_pod"]()
		revisionSays(1, `"requests":{"cpu":"200m"}`, `"limits":null,"requests":{"cpu":"200m","memory":null}`)(s)
		return s
	},
	"update_pod at its end, with nulls besides": func() *scene {
		s := resourceTruths["update_pod at its end, with its resources"]()
		revisionSays(1, `"requests":{"cpu":"200m"}`, `"limits":{"cpu":null},"requests":{"cpu":"200m"}`)(s)
		return s
	},
}
