package docs

import (
	"strings"
	"testing"
)

// TestVerdicts: the table in test/verdicts/README.md is the one that the tools' own rules gave.
func TestVerdicts(t *testing.T) {
	if !strings.Contains(page(t, "../test/verdicts/README.md"), page(t, "../test/verdicts/testdata/table.md")) {
		t.Error("the table in test/verdicts/README.md is not that of test/verdicts: make rewrite WHAT=verdicts")
	}
}
