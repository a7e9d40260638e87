package engine

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// wasDrained reports whether a pod of the snapshot has drained a claim of the set. It is as simple as possible, and uses nothing of the
// engine's own reading.
func wasDrained(s *model.Snapshot, uid string) bool {
	mark := s.Set.Name + "/" + s.Set.UID
	covered := slices.ContainsFunc(s.Claims, func(c model.Claim) bool {
		return c.UID == uid && said(c.Annotations, "drain-set") == mark && c.DeletedAt.IsZero()
	})
	template, proof := s.Set.Annotations[policy.DrainTemplate], s.Set.Annotations[policy.DrainProof]
	if s.Policy.Drain.PodTemplate != nil {
		template = string(s.Policy.Drain.PodTemplate)
	}
	if s.Policy.Drain.Proof != model.DrainProofUnspecified {
		proof = map[model.DrainProof]string{model.DrainProofToken: "Token"}[s.Policy.Drain.Proof]
	}
	return covered && template != "" && slices.ContainsFunc(s.Pods, func(p model.Pod) bool {
		claims := said(p.Annotations, "drain-claims")
		if said(p.Annotations, "drain-set") != mark || !slices.Contains(strings.Split(claims, ","), uid) || p.Phase != model.PodSucceeded ||
			!p.DeletedAt.IsZero() || state.ControllerOf(p.Owners) != nil {
			return false
		}
		if proof == "" {
			return !p.Disrupted
		}
		return p.Ended != nil && len(p.Ended.Messages) > 0 && !slices.ContainsFunc(p.Ended.Messages, func(m string) bool {
			return strings.TrimSpace(m) != tokenIn(mark, claims)
		})
	})
}

// shareNotes lets pods and claims with equal annotations share them.
func shareNotes(s *model.Snapshot) {
	known := map[string]*model.Annotations{}
	share := func(a *model.Annotations) *model.Annotations {
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

func said(a *model.Annotations, name string) string {
	if a == nil {
		return ""
	}
	return a.Values["setplan.io/"+name]
}

// tokenIn is the token of a drain pod with these annotations, as SPEC.md defines it.
func tokenIn(mark, claims string) string {
	sum := sha256.Sum256([]byte(mark + "\n" + claims))
	return fmt.Sprintf("%x", sum[:16])
}

// drawDrain gives half of the snapshots a policy, sometimes with odd values, and all of them traces of one.
func drawDrain(t *rapid.T, w *world, pick func(string, ...string) string) {
	if rapid.Bool().Draw(t, "drain") {
		maps.Copy(w.Set.Annotations, map[string]string{
			policy.DrainTemplate: pick("template", drainTemplate, drainTemplate, "", "{"), policy.DrainScaleUp: pick("scale-up", "", "Cancel", "Finish", "odd"),
			policy.DrainMaxParallel: pick("most", "", "1", "2", "odd"), policy.DrainLeftovers: pick("leftovers", "", "true", "odd"),
			policy.DrainProof:    pick("proof", "", "", "Token", "Token", "odd"),
			policy.DrainOnDelete: pick("on-delete", "", "true", "true", "odd"), policy.DrainAsk: pick("ask", "", "", "true", "odd"),
		})
		w.Policy.Scope = rapid.SampledFrom([]model.Scope{model.ScopeUnspecified, model.ScopeUnspecified, model.ScopeWholeSet, model.ScopeDrainOnly}).Draw(t, "scope")
	}
	if rapid.IntRange(0, 2).Draw(t, "typed") == 0 {
		yes, no := true, false
		bools := []*bool{nil, &yes, &no}
		w.Policy.Drain = model.DrainPolicy{
			PodTemplate: rapid.SampledFrom([][]byte{nil, []byte(drainTemplate), {}, []byte("{")}).Draw(t, "typed template"),
			ScaleUp:     model.DrainScaleUp(rapid.IntRange(0, 2).Draw(t, "typed scale-up")), MaxParallel: rapid.Int32Range(0, 2).Draw(t, "typed most"),
			Leftovers: rapid.SampledFrom(bools).Draw(t, "typed leftovers"), OnDelete: rapid.SampledFrom(bools).Draw(t, "typed on-delete"),
			Ask: rapid.SampledFrom(bools).Draw(t, "typed ask"), Proof: model.DrainProof(rapid.IntRange(0, 2).Draw(t, "typed proof")),
		}
	}
	w.Set.Finalizers = map[string][]string{"none": nil, "ours": {model.FinalizerDrain}, "orphan": {model.FinalizerOrphan, model.FinalizerDrain},
		"other": {"other"}}[pick("finalizers", "none", "none", "ours", "orphan", "other")]
	if rapid.IntRange(0, 2).Draw(t, "traces") == 0 {
		return
	}
	for i := range w.Claims {
		c := &w.Claims[i]
		noteClaim(c, state.AnnotationDrainSet, pick("mark", webMark, webMark, webMark, "", "web/earlier", "b-web/other", "odd"))
		noteClaim(c, state.AnnotationDrainAttempts, pick("attempts", "", "", "1", "3", "odd"))
		noteClaim(c, state.AnnotationDrainBegun, pick("begun", "", "", "2026-03-01T11:59:30Z", "odd"))
		w.Set.ClaimTemplates = [][]byte{[]byte(`{"metadata":{"name":"www"}}`)}
	}
	for i := range w.Pods {
		p := &w.Pods[i]
		switch pick("drain of pod", "no", "no", "drain pod", "drain pod", "asked") {
		case "drain pod":
			p.Owners = nil
			p.Labels = &model.Labels{Values: map[string]string{"app": pick("label", "drainer", "web")}}
			list := pick("list", "uid-www-"+p.Name, "uid-www-"+p.Name, "uid-www-web-0,uid-www-web-1", "a,,b,c,d,uid-www-"+p.Name)
			markDrains(p, list)
			notePod(p, state.AnnotationDrainSet, pick("its set", webMark, webMark, "web/earlier"))
			p.Disrupted = rapid.IntRange(0, 3).Draw(t, "disrupted") == 0
			for range rapid.IntRange(0, 2).Draw(t, "containers") {
				if p.Ended == nil {
					p.Ended = &model.PodEnded{}
				}
				p.Ended.Messages = append(p.Ended.Messages, pick("message", tokenIn(webMark, list), tokenIn(webMark, list), "", "odd"))
			}
		case "asked":
			markAsked(p, "1-"+signOf(p.UID), pick("answer", "", "1-"+signOf(p.UID), "0-q"))
		}
	}
}
