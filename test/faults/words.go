package faults

import (
	"slices"
	"strings"
)

// families are sets whose names are easy to confuse: web-1 is a pod of web and a set, and a-b-c-0 is the claim a of set
// b-c as well as the claim a-b of set c. db and db-1 have the same selector.
var families = []family{
	{name: "web", words: "claims=www"},
	{name: "web-1", words: "claims=www"},
	{name: "c", words: "claims=a-b"},
	{name: "b-c", words: "claims=a"},
	{name: "db"},
	{name: "db-1", words: "selector=app=db", patch: []string{`{"template":{"metadata":{"labels":{"app":"db"}}}}`}},
	{name: "web-10", words: "claims=www,logs"},
	{name: "web-1-0"},
}

type family struct {
	name, words string
	patch       []string
}

// changes are what users edit in a spec.
var changes = []string{"replicas=0", "replicas=1", "replicas=2", "replicas=3", "replicas=5", "image=v1", "image=v2", "image=v3", "image=v2",
	"image=bad", "image=crash", "partition=0", "partition=1", "partition=2", "partition=9", "maxUnavailable=1", "maxUnavailable=2",
	"maxUnavailable=50%", "strategy=OnDelete", "strategy=Recreate", "strategy=RollingUpdate", "strategy=nil", "start=1", "start=3", "start=none",
	"minReady=0", "minReady=3", "minReady=20", "history=0", "history=1", "retention=Retain/Retain", "retention=Delete/Delete",
	"retention=Retain/Delete", "retention=Delete/Retain"}

// kind is a kind of command, and how often it comes. Reconciles and the kubelet come often, or nothing would ever happen.
type kind struct {
	name   string
	weight int
	tell   func(*teller) []Step
}

var kinds = []kind{
	{"reconcile", 36, func(t *teller) []Step { return steps("reconcile " + t.set() + t.as()) }},
	{"kubelet", 16, func(t *teller) []Step { return steps("kubelet x" + t.pick("1", "1", "2", "4")) }},
	{"garbage collector", 6, func(t *teller) []Step { return steps("gc") }},
	{"user edit", 7, func(t *teller) []Step { return steps(t.edit()) }},
	{"pod", 6, func(t *teller) []Step { return steps(t.pod()) }},
	{"node lost", 1, (*teller).node},
	{"claim", 2, func(t *teller) []Step { return steps(t.claim()) }},
	{"revision", 1, func(t *teller) []Step { return steps(t.revision()) }},
	{"set deleted or made again", 2, (*teller).replaceSet},
	{"foreign status", 1, func(t *teller) []Step { return steps(t.status()) }},
	{"API fault", 4, func(t *teller) []Step { return steps(t.fault()) }},
	{"crash", 3, func(t *teller) []Step { return steps("crash after " + t.pick("1", "1", "2", "3", "5") + t.as()) }},
	{"adapter restart", 2, func(t *teller) []Step { return steps("adapter restart" + t.as()) }},
	{"stale state", 2, func(t *teller) []Step { return steps("adapter rewind " + t.pick("1", "2", "5", "9", "20") + t.as()) }},
	{"torn cache", 2, func(t *teller) []Step { return steps("stale " + t.cacheKind() + "=" + t.pick("1", "2", "4") + t.as()) }},
	{"unobserved state", 2, func(t *teller) []Step {
		return steps("freeze " + t.pick("pods claims revisions sets", t.cacheKind()) + t.as())
	}},
	{"cache incomplete", 1, func(t *teller) []Step { return steps("hide " + t.cacheKind() + t.as()) }},
	{"thaw", 6, func(t *teller) []Step { return steps("thaw" + t.as()) }},
	{"planner away", 1, func(t *teller) []Step { return steps("planner down" + t.as()) }},
	{"planner back", 2, func(t *teller) []Step { return steps("planner up" + t.as()) }},
	{"plan twice", 2, func(t *teller) []Step { return steps("planner replay" + t.as()) }},
	{"late plan", 3, (*teller).late},
	{"clock jump", 2, func(t *teller) []Step {
		return steps("clock " + t.pick("+1s", "+5s", "+40s", "+10m", "-1s", "-30s", "-10m"))
	}},
	{"clock skew", 1, func(t *teller) []Step { return steps("skew " + t.pick("0s", "+2s", "+1m", "-2s", "-1m") + t.as()) }},
}

func (t *teller) kind() kind {
	total := 0
	for _, k := range t.kinds {
		total += k.weight
	}
	at := t.IntN(total)
	for _, k := range t.kinds {
		if at -= k.weight; at < 0 {
			return k
		}
	}
	panic("unreachable: the weights add up")
}

func steps(lines ...string) []Step {
	var list []Step
	for _, line := range lines {
		list = append(list, Step{Line: line})
	}
	return list
}

func (t *teller) pick(from ...string) string { return from[t.IntN(len(from))] }

func (t *teller) set() string { return t.pick(t.sets...) }

func (t *teller) as() string { return " as=" + t.pick("a", "a", "b") }

func (t *teller) cacheKind() string { return t.pick("pods", "claims", "revisions", "sets") }

// existing is the name of an object, or of one that could be.
func (t *teller) existing(kind string, otherwise string) string {
	names := t.runner.World().State().Names(kind)
	if len(names) == 0 || t.IntN(8) == 0 {
		return otherwise
	}
	return t.pick(names...)
}

// begin creates the sets.
func (t *teller) begin() {
	first := t.IntN(len(families))
	for i := range min(t.bounds.Sets, len(families)) {
		t.sets = append(t.sets, families[(first+i)%len(families)].name)
	}
	for _, set := range t.sets {
		t.tellAll("set made", t.newSet(set))
	}
}

// newSet makes a set, and gives it policies in a life that has them.
func (t *teller) newSet(name string) []Step {
	i := slices.IndexFunc(families, func(f family) bool { return f.name == name })
	words := []string{"set name=" + name, families[i].words, "replicas=" + t.pick("0", "1", "2", "3", "4"),
		"policy=" + t.pick("OrderedReady", "Parallel"), "strategy=" + t.pick("RollingUpdate", "RollingUpdate", "nil", "OnDelete", "Recreate"),
		t.pick("", "", "minReady=3"), t.pick("", "", "start=1"), t.pick("", "history=0", "history=1"),
		t.pick("", "retention=Delete/Delete", "retention=Delete/Retain", "retention=Retain/Delete")}
	made := []Step{{Line: oneSpace(words...), Input: families[i].patch}}
	if t.has[policies] && t.IntN(4) > 0 {
		made = append(made, steps(t.drainPolicy(name))...)
	}
	if t.has[policies] && t.IntN(2) == 0 {
		made = append(made, steps(t.repairPolicy(name))...)
	}
	return made
}

// oneSpace joins words, of which some may be empty.
func oneSpace(words ...string) string {
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

func (t *teller) edit() string { return "edit " + t.set() + " " + t.pick(changes...) }
