package main

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// colour is an escape sequence that changes how text looks, not where it is.
var colour = regexp.MustCompile("\x1b\\[[0-9;]*m")

// up starts each picture after the first: it goes back to the first line of the one before.
var up = regexp.MustCompile("\x1b\\[([0-9]+)A")

// TestColours: there are colours on a terminal, unless the user says no or the terminal has none.
func TestColours(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		environment []string
		want        bool
	}{
		"a terminal":            {[]string{"TERM=xterm"}, true},
		"NO_COLOR":              {[]string{"TERM=xterm", "NO_COLOR=1"}, false},
		"NO_COLOR without text": {[]string{"TERM=xterm", "NO_COLOR="}, true}, // https://no-color.org: present and not empty
		"a dumb terminal":       {[]string{"TERM=dumb"}, false},
	} {
		for _, command := range []string{"plan", "why"} {
			text, err := onTerminal(t, 80, 24, test.environment, command, "web", "-f", stuck).end()
			if err != nil || !strings.Contains(text, "web") || colour.MatchString(text) != test.want {
				t.Errorf("%s, %s: %v, colours %v:\n%q", name, command, err, !test.want, text)
			}
		}
	}
	// Output to a pipe is plain, even if errors go to a terminal.
	_, inner := terminal(t, 80, 24)
	command := exec.Command(os.Args[0], "why", "web", "-f", stuck)
	command.Stderr, command.Env = inner, append(programEnvironment(t), "TERM=xterm")
	if text, err := command.Output(); err != nil || colour.Match(text) {
		t.Errorf("in a pipe: %v:\n%q", err, text)
	}
}

// watchOn starts the watch of the file's set web on a terminal.
func watchOn(t *testing.T, api *apiServer, columns, rows uint16, environment ...string) *running {
	t.Helper()
	return onTerminal(t, columns, rows, append(environment, "TERM=xterm"), "watch", "web", "-n", "default", "--server", api.url())
}

// TestWatchRestarts: the row of a restarted pod has the number of restarts, which no snapshot has.
func TestWatchRestarts(t *testing.T) {
	t.Parallel()
	api := newAPIServer(t)
	pod := api.take("pods", "web-0")
	status := pod["status"].(map[string]any)["containerStatuses"].([]any)[0].(map[string]any)
	status["restartCount"] = 41
	api.put("pods", pod)
	r := watchOn(t, api, 160, 24)
	r.says(" 41 ", r.says("RESTARTS", 0))
	if text, err := r.interrupt(); err != nil {
		t.Errorf("Ctrl-C gives %v:\n%q", err, text)
	}
}

// TestWatchRedraws: a picture replaces the one before, and an error is above the last known state.
func TestWatchRedraws(t *testing.T) {
	t.Parallel()
	api := newAPIServer(t)
	r := watchOn(t, api, 160, 24)
	at := r.says("POD", r.says("default/web", 0))
	api.take("pods", "web-0")
	at = r.says("missing", at)
	api.stop()
	at = r.says("no news for 0s: ", at)
	// The requests in progress ended in another way, so their error comes first.
	at = r.says("the API server "+api.url()+" cannot be reached: connect: connection refused", at)
	at = r.says("missing", at)
	api.start()
	for strings.Contains(lastPicture(r.text()), "no news") {
		at = r.says("\x1b[J", at)
	}
	text, err := r.interrupt()
	if err != nil || strings.Contains(text, "reflector") {
		t.Errorf("Ctrl-C gives %v:\n%q", err, text)
	}
	drawnOver(t, text)
}

// drawnOver checks that every picture begins where the one before began.
func drawnOver(t *testing.T, text string) {
	t.Helper()
	pictures := strings.Split(text, "\x1b[J")
	if len(pictures) < 3 {
		t.Fatalf("%d pictures:\n%q", len(pictures)-1, text)
	}
	for i, picture := range pictures[1 : len(pictures)-1] {
		back := up.FindAllStringSubmatch(picture, -1)
		lines := strings.Count(picture, "\n")
		if len(back) != 1 || back[0][1] != strconv.Itoa(lines) {
			t.Errorf("picture %d has %d lines and ends with %q:\n%q", i, lines, back, picture)
		}
	}
}

func lastPicture(text string) string { return text[strings.LastIndex(text, "\x1b[J")+1:] }

// TestWatchNarrow: nothing is wider or higher than the terminal, not even errors: a wrapped line would be left behind.
func TestWatchNarrow(t *testing.T) {
	t.Parallel()
	const columns, rows = 24, 5
	api := newAPIServer(t)
	r := watchOn(t, api, columns, rows)
	at := r.says("POD", r.says("default/web", 0))
	api.stop()
	r.says("no news for", at)
	text, err := r.interrupt()
	if err != nil {
		t.Errorf("Ctrl-C gives %v", err)
	}
	drawnOver(t, text)
	for picture := range strings.SplitSeq(colour.ReplaceAllString(up.ReplaceAllString(text, ""), ""), "\x1b[J") {
		if lines := strings.Count(picture, "\n"); lines >= rows {
			t.Errorf("%d lines:\n%s", lines, picture)
		}
		for line := range strings.SplitSeq(picture, "\n") {
			if line = strings.TrimSuffix(line, "\r"); len(line) > columns {
				t.Errorf("%d columns: %q", len(line), line)
			}
		}
	}
}

// TestWatchPlain: without colours the picture is still drawn; an output that cannot be drawn over gets lines.
func TestWatchPlain(t *testing.T) {
	t.Parallel()
	api := newAPIServer(t)
	r := watchOn(t, api, 100, 24, "NO_COLOR=1")
	r.says("\x1b[J", r.says("POD", 0)) // before the first picture a slow machine may draw that there is no answer yet
	if text, err := r.interrupt(); err != nil || colour.MatchString(text) || !strings.Contains(text, "POD") {
		t.Errorf("NO_COLOR: %v:\n%q", err, text)
	}
	r = onTerminal(t, 100, 24, []string{"TERM=dumb"}, "watch", "web", "-n", "default", "--server", api.url())
	r.says("pods in the desired state", 0)
	if text, err := r.interrupt(); err != nil || strings.Contains(text, "\x1b") {
		t.Errorf("a dumb terminal: %v:\n%q", err, text)
	}
	r = watching(t, api)
	r.says("pods in the desired state", 0)
	if text, err := r.interrupt(); err != nil || strings.Contains(text, "\x1b") {
		t.Errorf("a pipe: %v:\n%q", err, text)
	}
}
