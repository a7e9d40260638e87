package docs

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/setplan/setplan/test/need"
)

// TestGoClientPage: the page of the Go client shows its examples as they are. The pages of the other languages have tests of their own.
func TestGoClientPage(t *testing.T) {
	page := need.Value(os.ReadFile("../../clients/go/README.md"))(t)
	var shown, are []string
	for _, block := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(page, -1) {
		shown = append(shown, string(block[1]))
	}
	for _, example := range []string{"look", "errors"} {
		text := need.Value(os.ReadFile("../../clients/examples/" + example + "/main.go"))(t)
		are = append(are, string(text))
	}
	if !slices.Equal(shown, are) {
		t.Error("clients/go/README.md does not show clients/examples as they are")
	}
}
