package main

// costMutations keep a decision going after it should have ended. Upstream has no such limit, so the engine's own tests look for them.
var costMutations = []mutation{
	{"stop-ignored", "meter.go", "case m.Stop != nil && m.Stop():", "case m.Stop != nil && m.Stop() && false:",
		"a decision goes on although its caller has gone"},
	{"stop-asked-once", "meter.go", "m.next = min(m.total+workAtOnce, most+1)", "m.next = most + 1",
		"a decision is stopped before it begins, or never"},
	{"budget-ignored", "meter.go", "case m.total > most:", "case m.total > 100*most:",
		"a decision may take a hundred times its budget"},
	{"sort-does-not-look", "meter.go", "m.pause(turn)\n\t\treturn compare(a, b)", "return compare(a, b)",
		"a long sort goes on although the caller has gone"},
	{"loop-does-not-look", "meter.go", "if turn%turnsAtOnce == turnsAtOnce-1 {", "if turn < 0 {",
		"a loop whose work was counted beforehand goes on although the caller has gone"},
	{"text-in-half", "jsontree/parse.go", "half == 'c') {", "half == 'x') {",
		"the parser reads some characters of a long text as two invalid halves"},
	{"text-in-pieces", "jsontree/write.go", "return append(out[:at-1], out[at:]...)", "return out",
		"a long text has quotes in the middle"},
}

// readMutations are mistakes in the limits of a request, before and while it takes memory.
var readMutations = []mutation{
	{"length", "check.go", "case len(value) > f.longest && !f.sum:", "case len(value) > 100*f.longest && !f.sum:",
		"a name may have megabytes"},
	{"sum", "check.go", "if f.sum {", "if f.sum && false {",
		"claim templates have three megabytes each"},
	{"elements", "check.go", "c.all > c.limits.MaxElements {", "c.all > 100*c.limits.MaxElements {",
		"a megabyte of empty elements becomes a gigabyte"},
	{"claims", "check.go", "return c.limits.MaxClaims\n", "return 0\n",
		"the number of claims has no limit"},
	{"each-list", "check.go", "c.counts[counter] = 0", "_ = counter",
		"the owners of all objects count against the limit of one"},
	{"one-list", "limits.go", "{most: maxOwners, each: true}", "{}",
		"one object may have any number of owners"},
	{"check-goes-on", "check.go", "c.over = c.over || c.limits.stopped(c.turn)", "c.over = false",
		"the check of a request goes on although the caller has gone"},
	{"read-goes-on", "read.go", "if p.limits.Stop != nil && p.limits.Stop() {", "if false {",
		"the reading of a request goes on although the caller has gone"},
	{"read-loses", "read.go", "return inside.List().AppendMutable().Message()", "return inside.List().NewElement().Message()",
		"a large element of a list is read and lost"},
	{"read-again", "read.go", "\t\t\tfrom = end\n\t\t} else if", "\t\t} else if",
		"a large field is read twice"},
	{"decode-goes-on", "errors.go", "if r.stopped {\n\t\treturn ErrStopped\n\t}\n", "",
		"half a snapshot counts as a whole one"},
}
