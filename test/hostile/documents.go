package hostile

import (
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Documents are requests with objects, each of which grows in one way: the planner reads them before it knows what belongs to the set.
func Documents() []Documented {
	return []Documented{
		{"nothing but blanks", func(n int) *setplanv1.Objects { return documents(strings.Repeat(" ", 100*n)) }},
		{"documents", func(n int) *setplanv1.Objects { return documents(repeat(n, tiny)...) }},
		{"items", func(n int) *setplanv1.Objects { return documents(listOf("Pod", repeat(n, tiny)...)) }},
		{"items of other kinds", func(n int) *setplanv1.Objects {
			return documents(listOf("", repeat(n, func(i int) string {
				return fmt.Sprintf(`{"apiVersion":"v%d","kind":"K%d","metadata":{"name":"n"}}`, i, i)
			})...))
		}},
		{"one object again and again", func(n int) *setplanv1.Objects {
			return documents(listOf("Pod", repeat(n, func(int) string { return tiny(0) })...))
		}},
		{"lists in lists", func(n int) *setplanv1.Objects {
			return documents(repeat(n/100, func(int) string {
				return strings.Repeat(`{"apiVersion":"v1","kind":"List","items":[`, 100) + strings.Repeat("]}", 100)
			})...)
		}},
		{"lists of other kinds", func(n int) *setplanv1.Objects {
			return documents(repeat(n, func(i int) string { return fmt.Sprintf(`{"apiVersion":"v1","kind":"K%dList","items":[]}`, i) })...)
		}},
		{"namespaces in a list", func(n int) *setplanv1.Objects {
			return documents(listOf("Pod", repeat(n, func(i int) string { return fmt.Sprintf(`{"metadata":{"name":"web-0","namespace":"n%d"}}`, i) })...))
		}},
		{"depth", func(n int) *setplanv1.Objects { return documents(strings.Repeat("[", 100*n)) }},
		{"depth in objects", func(n int) *setplanv1.Objects {
			return documents(listOf("Pod", repeat(n/100, func(i int) string {
				return podWith(i, `},"x":`+strings.Repeat("[", 200)+strings.Repeat("]", 200)+`,"y":{`)
			})...))
		}},
		{"keys", func(n int) *setplanv1.Objects {
			return documents(podWith(0, `},"x":{`+strings.Join(repeat(n, func(i int) string { return fmt.Sprintf(`"k%d":0`, i) }), ",")))
		}},
		{"a key again and again", func(n int) *setplanv1.Objects {
			return documents(podWith(0, `},"status":{`+again(n, `"phase":"Running"`)))
		}},
		{"metadata again and again", func(n int) *setplanv1.Objects {
			return documents(`{"apiVersion":"v1","kind":"Pod",` + again(n, `"metadata":{"name":"web-0","namespace":"default","uid":"u"}`) + `}`)
		}},
		{"one text", func(n int) *setplanv1.Objects { return documents(podWith(0, `,"x":"`+strings.Repeat("x", 100*n)+`"`)) }},
		{"one text of escapes", func(n int) *setplanv1.Objects {
			return documents(podWith(0, `,"annotations":{"setplan.io/x":"`+strings.Repeat(`\u00e9`, 10*n)+`"}`))
		}},
		{"one text of quotes", func(n int) *setplanv1.Objects { return documents(podWith(0, `,"x":"`+strings.Repeat(`\"`, 100*n)+`"`)) }},
		{"labels", func(n int) *setplanv1.Objects {
			return documents(podWith(0, `,"labels":{`+strings.Join(repeat(n, func(i int) string { return fmt.Sprintf(`"k%d":"v"`, i) }), ",")+`}`))
		}},
		{"owners", func(n int) *setplanv1.Objects {
			return documents(podWith(0, `,"ownerReferences":[`+again(n, `{"uid":"x"}`)+`]`))
		}},
		{"owners × revisions", func(n int) *setplanv1.Objects {
			return documents(repeat(20, func(i int) string {
				return fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"x%d","namespace":"default","uid":"u","ownerReferences":[%s]}}`,
					i, again(n/20, `{"uid":"x"}`))
			})...)
		}},
		{"containers", func(n int) *setplanv1.Objects {
			container := func(i int) string { return fmt.Sprintf(`{"name":"c%d","env":[{"name":"SETPLAN_DRAIN_TOKEN"}]}`, i) }
			status := func(i int) string { return fmt.Sprintf(`{"name":"c%d","state":{"terminated":{"message":"m"}}}`, i) }
			return documents(podWith(0, `,"annotations":{"setplan.io/in-place-update":"{}"}},"spec":{"containers":[`+strings.Join(repeat(n, container), ",")+
				`]},"status":{"containerStatuses":[`+strings.Join(repeat(n, status), ",")+`]`))
		}},
		{"claim templates of other sets", func(n int) *setplanv1.Objects {
			return documents(repeat(n/10, func(i int) string {
				return setWith(fmt.Sprintf("web%d", i), strings.Join(repeat(10, func(i int) string { return fmt.Sprintf(`{"metadata":{"name":"d%d"}}`, i) }), ","))
			})...)
		}},
		{"sets of the name", func(n int) *setplanv1.Objects {
			return documents(repeat(n, func(i int) string {
				return strings.Replace(setWith("web", ""), `"default"`, fmt.Sprintf(`"n%d"`, i), 1)
			})...)
		}},
	}
}

// Documented is one of them.
type Documented struct {
	Name string
	Grow func(n int) *setplanv1.Objects
}

// Request is the request of such objects.
func (d Documented) Request(n int) *setplanv1.PlanRequest {
	return &setplanv1.PlanRequest{Objects: d.Grow(n)}
}

// documents are objects of a set with the name that all seeds have, and what is to be read beside it.
func documents(more ...string) *setplanv1.Objects {
	o := &setplanv1.Objects{Namespace: "default", Name: setName, ObservedAt: timestamppb.New(time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC))}
	for _, document := range append([]string{setWith(setName, "")}, more...) {
		o.Documents = append(o.Documents, []byte(document))
	}
	return o
}

func setWith(name, templates string) string {
	return `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"` + name + `","namespace":"default","uid":"s"},"spec":{"selector":{"matchLabels":{"app":"w"}},` +
		`"template":{"metadata":{"labels":{"app":"w"}},"spec":{"containers":[{"name":"c"}]}},"volumeClaimTemplates":[` + templates + `]}}`
}

func tiny(i int) string { return podWith(i, "") }

// podWith has more in its metadata, or after it.
func podWith(i int, more string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-%d","namespace":"default","uid":"u%d"%s}}`, i, i, more)
}

func listOf(kind string, items ...string) string {
	return `{"apiVersion":"v1","kind":"` + kind + `List","metadata":{},"items":[` + strings.Join(items, ",") + `]}`
}

func again(n int, text string) string { return strings.TrimSuffix(strings.Repeat(text+",", n), ",") }

func repeat(n int, one func(i int) string) (all []string) {
	for i := range n {
		all = append(all, one(i))
	}
	return all
}
