// Package differences has the table of all points in which SETPLAN departs from KUBERNETES_1_36 and KUBERNETES_1_37. Each row has a world in which
// upstream's own code does one thing and ours another; the tests run both. The page docs/rules.md is made from the table and
// the oracle's list of allowed differences.
package differences
