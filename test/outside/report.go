package outside

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// Text writes a line for a result, and one for each finding.
func Text(w io.Writer, r Result) {
	word := "pass"
	switch {
	case r.Excepted != "":
		word = "EXCEPTED"
	case !r.Passed():
		word = "FAIL"
	}
	fmt.Fprintf(w, "%-8s %-4s %s (%.1f s)\n", word, r.Rule, r.Name, r.Seconds)
	for _, finding := range r.Findings {
		fmt.Fprintf(w, "         %s\n", finding)
	}
	if r.Excepted != "" {
		fmt.Fprintf(w, "         because: %s\n", r.Excepted)
	}
}

// JSON writes all results as one document.
func JSON(w io.Writer, results []Result) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(struct {
		Results []Result `json:"results"`
	}{results})
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Skipped *junitMessage `xml:"skipped,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
}

// JUnit writes all results in the XML format that build servers read.
func JUnit(w io.Writer, results []Result) error {
	suite := junitSuite{Name: "setplan-conformance", Tests: len(results)}
	for _, r := range results {
		c := junitCase{Class: r.Rule, Name: r.Name, Time: fmt.Sprintf("%.3f", r.Seconds)}
		switch {
		case r.Excepted != "":
			suite.Skipped++
			c.Skipped = &junitMessage{r.Excepted}
		case !r.Passed():
			suite.Failures++
			c.Failure = &junitMessage{strings.Join(r.Findings, "\n")}
		}
		suite.Cases = append(suite.Cases, c)
	}
	text, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}
