package vectors

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/tools/record"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli"
	"github.com/setplan/setplan/clients/cli/live"
	"github.com/setplan/setplan/clients/cli/narrate"
	"github.com/setplan/setplan/clients/cli/show"
	"github.com/setplan/setplan/server"
	"github.com/setplan/setplan/test/need"
)

// TestTexts reads all that users are told of the plans of all stories: commands, pictures, conditions and events.
func TestTexts(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join(root, "test/story/testdata/stories/*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no stories", err)
	}
	every, n := 1, 0
	if testing.Short() {
		every = 61
	}
	read := map[string]bool{}
	for _, path := range paths {
		script := need.Value(os.ReadFile(path))(t)
		all := need.Value(moments(string(script)))(t)
		for i := range all {
			if n++; n%every != 0 {
				continue
			}
			m, now := &all[i], all[i].request.GetSnapshot().GetObservedAt().AsTime()
			for what, text := range m.texts(t) {
				for line := range strings.Lines(text) {
					if wrong := nonsense(line, now); wrong != "" && !read[wrong+line] {
						read[wrong+line] = true
						t.Errorf("%s, %s: %s, %s: %s: %s", filepath.Base(path), m.during, what, now.Format(time.RFC3339), wrong, line)
					}
				}
			}
		}
	}
	t.Logf("%d plans", n/every)
}

// texts are all that users are told of a plan, by where.
func (m *moment) texts(t *testing.T) map[string]string {
	snapshot := m.request.GetSnapshot()
	set := snapshot.GetSet()
	key, at := adapters.Key{Namespace: set.GetNamespace(), Name: set.GetName()}, snapshot.GetObservedAt().AsTime()
	objects := need.Value(m.seen.objects())(t)
	file := &strings.Builder{}
	fmt.Fprintf(file, "%s\n", objects.Set)
	for _, list := range [][]json.RawMessage{objects.Others, objects.Pods, objects.Claims, objects.Revisions} {
		for _, object := range list {
			fmt.Fprintf(file, "%s\n", object)
		}
	}
	behavior := strings.TrimPrefix(snapshot.GetPolicy().GetBehavior().String(), "BEHAVIOR_")
	texts := map[string]string{}
	for _, line := range []string{"plan -f -", "why -f -", "why -o wide -f -", "forecast --objects -"} {
		streams, in, out, problems := genericiooptions.NewTestIOStreams()
		in.WriteString(file.String())
		command := cli.Command(cli.Config{Embedded: func() cli.PlannerInProcess { return server.NewService(server.ServiceOptions{}) }, Streams: streams})
		command.SetArgs(append(strings.Fields(line), set.GetName(), "--behavior", behavior, "--at", at.Format(time.RFC3339Nano)))
		if err := command.Execute(); err != nil {
			texts[line] = err.Error()
			continue
		}
		texts[line] = out.String() + problems.String()
	}
	told := &strings.Builder{}
	narrator, recorder := narrate.New(told, func() time.Time { return at }), record.NewFakeRecorder(10_000)
	events := kube.NewEvents(recorder, func(adapters.Key) *corev1.ObjectReference { return nil })
	narrator.Planned(key, snapshot, m.plan)
	events.Planned(key, snapshot, m.plan)
	for _, stage := range m.plan.GetStages() {
		for _, step := range stage.GetSteps() {
			for _, action := range step.GetActions() {
				narrator.Applied(key, snapshot, action, adapters.Result{})
				events.Applied(key, snapshot, action, adapters.Result{})
			}
		}
	}
	texts["watch, without a terminal"] = told.String()
	texts["watch"] = live.NewView(snapshot, m.plan).Text(show.Style{}, &live.Pace{}, at, 0)
	for len(recorder.Events) > 0 {
		texts["events"] += <-recorder.Events + "\n"
	}
	said := &strings.Builder{}
	sayAll(said, m.plan.ProtoReflect())
	texts["the plan itself"] = said.String()
	return texts
}

// sayAll writes the sentences of a message: of blocks, causes and conditions.
func sayAll(b *strings.Builder, m protoreflect.Message) {
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.Kind() == protoreflect.MessageKind && field.IsList():
			for i := range value.List().Len() {
				sayAll(b, value.List().Get(i).Message())
			}
		case field.Kind() == protoreflect.MessageKind && !field.IsMap():
			sayAll(b, value.Message())
		case field.Name() == "message", field.Name() == "remedy":
			b.WriteString("| " + value.String() + "\n")
		}
		return true
	})
}

// What no sentence has, and where.
var wrongTexts = map[string]*regexp.Regexp{
	"a value that is not one":   regexp.MustCompile(`<invalid>|<nil>|%!|\bmap\[|\bNaN\b|0001-01-01|1970-01-01`),
	"a negative time":           regexp.MustCompile(`(?i)\b(for|in|after|ago|within|since|old|least|most|at) -\d|-\d+[smhd]\d* (ago|old|later)`),
	"no time":                   regexp.MustCompile(`(?i)\b(for|in|after|within) 0s\b|\b0s (ago|old)|\b0 seconds`),
	"one of several":            regexp.MustCompile(`(^|[^-.\w])1 (more )?(pods|times|claims|ordinals|actions|replicas|members|containers|revisions|objects|blocks|others|templates|sets|steps|reasons|nodes|characters|gates|are|have|were)\b`),
	"several of one":            regexp.MustCompile(`(^|[^-.\w])(0|[2-9]|[1-9]\d+) (more )?(pod|time|claim|ordinal|action|replica|member|container|revision|object|block|template|set|step|reason)\b`),
	"a mark too many":           regexp.MustCompile(`[^.]\.\.($|[^.])|\.\.\.\.|,,|,\.|;\.|: ?:|:\.$| [.,;:]( |$)|\(\)|\. ?\.( |$)`),
	"a word twice":              regexp.MustCompile(`(?i)\b(the the|is is|a a|of of|to to|it it|in in|pod pod|be be|that that that)\b`),
	"an article before a vowel": regexp.MustCompile(`\ba (event|update|ordinal|action|outdated|old|unknown|available|empty)\b`),
}

var (
	bar       = regexp.MustCompile(`\[[#.]+\]`) // of progress
	stop      = regexp.MustCompile("[.?`]$")    // or the end of a command
	spaces    = regexp.MustCompile(`\S  +\S`)
	sinceWhen = regexp.MustCompile(`(?i)\bsince:? +(\d{4}-\d\d-\d\dT[\d:.]+Z)`)
)

// nonsense is what is wrong with a line of text at a time; "" is nothing.
func nonsense(line string, now time.Time) string {
	line = bar.ReplaceAllString(strings.TrimRight(line, "\n"), "")
	for what, pattern := range wrongTexts {
		if found := pattern.FindString(line); found != "" {
			return what + ", " + found
		}
	}
	upstreams := strings.HasSuffix(line, "evision pods") || strings.HasSuffix(line, "pods to be created") || strings.HasSuffix(line, "recreated successfully")
	if strings.HasPrefix(line, "| ") && !stop.MatchString(line) && !upstreams {
		return "no full stop"
	}
	if strings.HasPrefix(line, "| ") && spaces.MatchString(line[2:]) { // the others are tables
		return "spaces"
	}
	for _, m := range sinceWhen.FindAllStringSubmatch(line, -1) {
		if at, err := time.Parse(time.RFC3339, m[1]); err != nil || at.After(now) {
			return "since a time to come"
		}
	}
	return ""
}
