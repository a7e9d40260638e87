package engine

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
	"github.com/setplan/setplan/engine/quantity"
)

// claimPolicy is what becomes of claims that differ from their templates. Upstream's claim templates cannot be changed, and claims stay as
// they were made; KEP-4650 proposes the words OnDelete and InPlace. Here a set of any kind has the annotation setplan.io/claim-templates, a
// patch for each template, which new claims follow at once. The policy says whether the others follow too.
type claimPolicy struct {
	follows   bool          // claims follow their templates
	recreates bool          // a pod is recreated where its file system cannot grow while it is mounted
	limit     int           // claims that may be changing at once, once the first one has succeeded
	cooldown  time.Duration // between two changes of one claim
}

// defaultClaimLimit is how many claims change at once.
const defaultClaimLimit = 3

// longestCooldown is far beyond what any provider asks for.
const longestCooldown = 30 * 24 * time.Hour

// readClaimPolicy reads the patches and the policy. Patches that cannot be read change nothing: then claims stay as they are, and new ones are
// made of the set's own templates. Where a policy, a limit or a smaller size cannot be followed, claims that are there stay as they are, and nothing else: which
// templates are added and removed holds, because pods of the newest template may need it.
func readClaimPolicy(v *view, out *draft) {
	if v.asksNothing() {
		return
	}
	of, patch := v.asks(annotationClaimPolicy), v.set.Annotations[annotationClaimTemplates]
	if of.text == "" && patch == "" || !v.s.Policy.WholeSet() {
		return
	}
	v.removals.unread = patch != ""
	p, known := claimPolicy{limit: defaultClaimLimit}, true
	switch of.text {
	case "OnDelete":
	case "", "InPlace":
		p.follows = true
	case "InPlaceOrRecreate":
		p.follows, p.recreates = true, true
	default:
		out.block(blockInvalidClaimPolicy(v.set, of, aClaimPolicy))
		known = false
	}
	if (p.follows || !known) && !out.able(&model.Action{Kind: v.set.Kind, Name: v.set.Name, Op: model.PatchClaim{}}) {
		return
	}
	known = v.readClaimLimits(&p, out) && known
	if readable, followable := readWants(v, patch, of.text != "", out); readable && followable && known {
		v.claimPolicy = p
	}
}

// readClaimLimits reads how many claims change at once, and how often one does.
func (v *view) readClaimLimits(p *claimPolicy, out *draft) bool {
	if of := v.asks(annotationClaimLimit); of.text != "" {
		limit, err := strconv.ParseInt(prose.Cut(of.text, longestAttempts), 10, 32)
		if err != nil || limit < 1 {
			out.block(blockInvalidClaimPolicy(v.set, of, aPositiveOne))
			return false
		}
		p.limit = int(limit)
	}
	if of := v.asks(annotationClaimCooldown); of.text != "" {
		cooldown, err := time.ParseDuration(prose.Cut(of.text, longestTime))
		if err != nil || cooldown < 0 || cooldown > longestCooldown {
			out.block(blockInvalidClaimPolicy(v.set, of, aCooldown))
			return false
		}
		p.cooldown = cooldown
	}
	return true
}

// claimWant is what a template wants of its claims.
type claimWant struct {
	request string // of storage; empty: the template says nothing of it
	amount  quantity.Amount
	class   string // of attributes; empty: the same

	labels, annotations []model.KeyValue // of the patch, or of the template with it, sorted by key
	metadata            string           // a digest of these; empty: there are none
	patched             bool             // they are those of a patch

	stays bool // nobody has asked for claims of this template to follow it
}

// readWants reads the patches, and what each template wants with them. followable is false if a patch asks for less than its template has, which then stays as
// it is. The labels and annotations of a template itself are wanted only if the set states a policy: whoever patches a size is not to have every claim
// written once more for labels that it was made with.
func readWants(v *view, patch string, stated bool, out *draft) (readable, followable bool) {
	patches, err := v.parsePatches(patch)
	if err != nil {
		out.block(blockInvalidClaimTemplates(v.set, err))
		return false, false
	}
	added := v.additions(patches)
	if slices.ContainsFunc(added, func(t addedTemplate) bool { return t.asked }) && !out.showsAdded() {
		return false, false
	}
	added = v.unlessUnasked(added)
	own := v.ownTemplates()
	by := make([]jsontree.Value, own)
	removed := make(removedTemplates, own+len(added))
	for _, m := range patches.Members() {
		if i, known := v.templateNamed(m.Key); known && i < own {
			by[i], removed[i] = m.Value, m.Value.Kind == jsontree.Null
		}
	}
	wants, sources := make([]claimWant, own+len(added)), make([][]byte, own)
	followable = true
	for i := range sources {
		t := &v.templates[i]
		tree, err := jsontree.Parse(t.source)
		if err != nil {
			out.block(blockInvalidClaimTemplate(v.set, i, err))
			return false, false
		}
		is, readable := wantOf(tree)
		wants[i], sources[i] = is, t.source
		if by[i].Kind != jsontree.Null {
			tree = patchedTemplate(tree, by[i])
			wants[i], readable = wantOf(tree)
			sources[i] = jsontree.Append(nil, tree)
		}
		if class := wants[i].class; len(class) > longestName {
			out.block(blockInvalidClaimTemplate(v.set, i, errLongClass(t.name, class)))
			return false, false
		}
		wants[i].patched = !by[i].Get("metadata").IsEmpty()
		if !stated {
			tree = by[i]
		}
		wants[i].readMetadata(v, tree.Get("metadata"))
		if !readable {
			out.block(blockInvalidClaimTemplate(v.set, i, errNoQuantity(t.name, storageOf(tree).Text)))
			return false, false
		}
		if asks := wants[i].request; asks != is.request && wants[i].amount.Compare(is.amount) < 0 {
			out.block(blockPatchShrinks(v.set, t.name, asks, is.request))
			wants[i], sources[i], followable = is, t.source, false
		}
		if !stated && by[i].Kind == jsontree.Null {
			wants[i] = claimWant{stays: true}
		}
	}
	for i := range sources {
		v.templates[i].source = sources[i]
	}
	if len(added) > 0 {
		v.addTemplates(added)
	}
	for i, t := range added { // sorted by now
		if removed[own+i] = !t.asked; t.asked {
			wants[own+i], _ = wantOf(t.tree) // it was checked
			wants[own+i].readMetadata(v, t.tree.Get("metadata"))
		}
	}
	v.wants, v.removals = wants, removals{asked: removed}
	return true, followable
}

// wantOf reads a template. ok is false if what it asks for cannot be read.
func wantOf(tree jsontree.Value) (w claimWant, ok bool) {
	w.class = tree.Get("spec").Get("volumeAttributesClassName").Text
	storage := storageOf(tree)
	if storage.Kind == jsontree.Null {
		return w, true
	}
	if w.amount, ok = quantity.Parse(storage.Text); ok {
		w.request = storage.Text
	}
	return w, ok
}

// readMetadata reads the labels and annotations that claims get. Those of a patch were checked; the set's own template may have any.
func (w *claimWant) readMetadata(v *view, metadata jsontree.Value) {
	w.labels, w.annotations = v.settable(metadata, "labels"), v.settable(metadata, "annotations")
	if len(w.labels)+len(w.annotations) == 0 {
		return
	}
	var texts []string
	for _, list := range [...][]model.KeyValue{w.labels, w.annotations} {
		for _, entry := range list {
			texts = append(texts, entry.Key, entry.Value)
		}
		texts = append(texts, "")
	}
	w.metadata = digestOf(texts...)
}

// settable lists the labels or annotations of a claim template that a claim can get.
func (v *view) settable(metadata jsontree.Value, kind string) []model.KeyValue {
	of := metadata.Get(kind)
	list := make([]model.KeyValue, 0, len(of.Members()))
	for _, member := range of.Members() {
		if v.checkEntry("", kind, member) == nil {
			list = append(list, model.KeyValue{Key: member.Key, Value: member.Value.Text})
		}
	}
	sortList(list, func(a, b model.KeyValue) int { return strings.Compare(a.Key, b.Key) })
	return list
}
