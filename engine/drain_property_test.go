package engine

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// wasDrained tells whether a pod of the snapshot has drained a claim of the set: written as simply as can be, and with
// nothing of the engine's own reading.
func wasDrained(s *Snapshot, uid string) bool {
	mark := s.Set.Name + "/" + s.Set.UID
	covered := slices.ContainsFunc(s.Claims, func(c Claim) bool {
		return c.UID == uid && said(c.Annotations, "drain-set") == mark && c.DeletedAt.IsZero()
	})
	return covered && s.Drain != nil && len(s.Drain.PodTemplate) > 0 && slices.ContainsFunc(s.Pods, func(p Pod) bool {
		claims := said(p.Annotations, "drain-claims")
		if said(p.Annotations, "drain-set") != mark || !slices.Contains(strings.Split(claims, ","), uid) || p.Phase != PodSucceeded ||
			!p.DeletedAt.IsZero() || controllerOf(p.Owners) != nil {
			return false
		}
		if s.Drain.Proof == "" {
			return !p.Disrupted
		}
		return p.Ended != nil && len(p.Ended.Messages) > 0 && !slices.ContainsFunc(p.Ended.Messages, func(m string) bool {
			return strings.TrimSpace(m) != tokenIn(mark, claims)
		})
	})
}

// shareNotes has pods and claims that say the same share their annotations.
func shareNotes(s *Snapshot) {
	known := map[string]*Annotations{}
	share := func(a *Annotations) *Annotations {
		if a == nil {
			return nil
		}
		text := fmt.Sprintf("%q", a.Values)
		if known[text] == nil {
			known[text] = a
		}
		return known[text]
	}
	for i := range s.Pods {
		s.Pods[i].Annotations = share(s.Pods[i].Annotations)
	}
	for i := range s.Claims {
		s.Claims[i].Annotations = share(s.Claims[i].Annotations)
	}
}

func said(a *Annotations, name string) string {
	if a == nil {
		return ""
	}
	return a.Values["setplan.io/"+name]
}

// tokenIn is the token of a drain pod with these annotations, as SPEC.md has it.
func tokenIn(mark, claims string) string {
	sum := sha256.Sum256([]byte(mark + "\n" + claims))
	return fmt.Sprintf("%x", sum[:16])
}

// drawDrain gives half of the snapshots a policy, odd values among them, and all of them traces of one.
func drawDrain(t *rapid.T, w *world, pick func(string, ...string) string) {
	if rapid.Bool().Draw(t, "drain") {
		w.Drain = &Drain{PodTemplate: []byte(pick("template", drainTemplate, drainTemplate, "", "{")), ScaleUp: pick("scale-up", "", "Cancel", "Finish", "odd"),
			MaxParallel: pick("most", "", "1", "2", "odd"), Leftovers: pick("leftovers", "", "true", "odd"),
			Proof:    pick("proof", "", "", "Token", "Token", "odd"),
			OnDelete: pick("on-delete", "", "true", "true", "odd"), Ask: pick("ask", "", "", "true", "odd"), Alone: rapid.IntRange(0, 4).Draw(t, "alone") == 0}
	}
	w.Set.Finalizers = map[string][]string{"none": nil, "ours": {finalizerDrain}, "orphan": {finalizerOrphan, finalizerDrain},
		"other": {"other"}}[pick("finalizers", "none", "none", "ours", "orphan", "other")]
	if rapid.IntRange(0, 2).Draw(t, "traces") == 0 {
		return
	}
	for i := range w.Claims {
		c := &w.Claims[i]
		c.note(annotationDrainSet, pick("mark", webMark, webMark, webMark, "", "web/earlier", "b-web/other", "odd"))
		c.note(annotationDrainAttempts, pick("attempts", "", "", "1", "3", "odd"))
		c.note(annotationDrainBegun, pick("begun", "", "", "2026-03-01T11:59:30Z", "odd"))
		w.Set.ClaimTemplates = [][]byte{[]byte(`{"metadata":{"name":"www"}}`)}
	}
	for i := range w.Pods {
		p := &w.Pods[i]
		switch pick("drain of pod", "no", "no", "drain pod", "drain pod", "asked") {
		case "drain pod":
			p.Owners = nil
			p.Labels = &Labels{Values: map[string]string{"app": pick("label", "drainer", "web")}}
			list := pick("list", "uid-www-"+p.Name, "uid-www-"+p.Name, "uid-www-web-0,uid-www-web-1", "a,,b,c,d,uid-www-"+p.Name)
			p.drains(list)
			p.note(annotationDrainSet, pick("its set", webMark, webMark, "web/earlier"))
			p.Disrupted = rapid.IntRange(0, 3).Draw(t, "disrupted") == 0
			for range rapid.IntRange(0, 2).Draw(t, "containers") {
				if p.Ended == nil {
					p.Ended = &PodEnded{}
				}
				p.Ended.Messages = append(p.Ended.Messages, pick("message", tokenIn(webMark, list), tokenIn(webMark, list), "", "odd"))
			}
		case "asked":
			p.asked("1-q", pick("answer", "", "1-q", "0-q"))
		}
	}
}
