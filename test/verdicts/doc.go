// Package verdicts asks the tools that people deploy with what they make of a StatefulSet that Setplan runs. It has only
// tests, and is a module of its own because the tools' rules come from the tools: kubectl, kstatus (Flux and Helm 4),
// Argo CD's health, Helm's ready checker. The sets come from a simulated cluster, with the status that real plans wrote.
//
//	states_test.go       the sets, and what is true of each
//	tools_test.go        the tools, and how each is asked; kstatus_test.go for the one that looks at pods too
//	exceptions_test.go   where a tool says what is not true, and why
//	verdicts_test.go     the rule: a tool says "done" where it is true, and nowhere else; also at every step of stories and lives
//	page_test.go         the table in test/verdicts/README.md
package verdicts
