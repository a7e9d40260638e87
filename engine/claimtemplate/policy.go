package claimtemplate

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/prose"
	"github.com/setplan/setplan/engine/quantity"
	"github.com/setplan/setplan/engine/state"
)

// The annotations of a claim by which a plan knows what an earlier one asked of it. They are written with the change itself, so an adapter
// that is killed at any moment leaves either both or neither.
const (
	AnnotationClaimRequest  = "setplan.io/claim-request"  // the request that a template asked for last
	AnnotationClaimChanged  = "setplan.io/claim-changed"  // when that changed a claim that was there
	AnnotationClaimMetadata = "setplan.io/claim-metadata" // the digest of the labels and annotations that a patch has set
)

// ClaimPolicy is what becomes of claims that differ from their templates. Upstream's claim templates cannot be changed, and claims stay as
// they were made; KEP-4650 proposes the words OnDelete and InPlace. Here a set of any kind has the annotation setplan.io/claim-templates, a
// patch for each template, which new claims follow at once. The policy says whether the others follow too.
type claimPolicy struct {
	Follows   bool          // claims follow their templates
	Recreates bool          // a pod is recreated where its file system cannot grow while it is mounted
	Limit     int           // claims that may be changing at once, once the first one has succeeded
	Cooldown  time.Duration // between two changes of one claim
}

// defaultClaimLimit is how many claims change at once.
const defaultClaimLimit = 3

// longestCooldown is far beyond what any provider asks for.
const longestCooldown = 30 * 24 * time.Hour

// ReadPolicy reads the patches and the policy. Patches that cannot be read change nothing: then claims stay as they are, and new ones are
// made of the set's own templates. Where a policy, a limit or a smaller size cannot be followed, claims that are there stay as they are, and nothing else: which
// templates are added and removed holds, because pods of the newest template may need it.
func ReadPolicy(v *Known, out *state.Draft) {
	if v.AsksNothing() {
		return
	}
	of, patch := v.Asks(policy.ClaimPolicy), v.Set.Annotations[policy.ClaimTemplates]
	if of.Text == "" && patch == "" || !v.Snap.Policy.WholeSet() {
		return
	}
	v.Removals.unread = patch != ""
	p, known := claimPolicy{Limit: defaultClaimLimit}, true
	switch of.Text {
	case "OnDelete":
	case "", "InPlace":
		p.Follows = true
	case "InPlaceOrRecreate":
		p.Follows, p.Recreates = true, true
	default:
		out.Block(blockInvalidClaimPolicy(v.Set, of, aClaimPolicy))
		known = false
	}
	if (p.Follows || !known) && !out.Able(&model.Action{Kind: v.Set.Kind, Name: v.Set.Name, Op: model.PatchClaim{}}) {
		return
	}
	known = v.readClaimLimits(&p, out) && known
	if readable, followable := readWants(v, patch, of.Text != "", out); readable && followable && known {
		v.ClaimPolicy = p
	}
}

// readClaimLimits reads how many claims change at once, and how often one does.
func (v *Known) readClaimLimits(p *claimPolicy, out *state.Draft) bool {
	if of := v.Asks(policy.ClaimLimit); of.Text != "" {
		limit, err := strconv.ParseInt(prose.Cut(of.Text, state.LongestAttempts), 10, 32)
		if err != nil || limit < 1 {
			out.Block(blockInvalidClaimPolicy(v.Set, of, APositiveOne))
			return false
		}
		p.Limit = int(limit)
	}
	if of := v.Asks(policy.ClaimCooldown); of.Text != "" {
		cooldown, err := time.ParseDuration(prose.Cut(of.Text, state.LongestTime))
		if err != nil || cooldown < 0 || cooldown > longestCooldown {
			out.Block(blockInvalidClaimPolicy(v.Set, of, aCooldown))
			return false
		}
		p.Cooldown = cooldown
	}
	return true
}

// ClaimWant is what a template wants of its claims.
type ClaimWant struct {
	Request string // of storage; empty: the template says nothing of it
	Amount  quantity.Amount
	Class   string // of attributes; empty: the same

	Labels, Annotations []model.KeyValue // of the patch, or of the template with it, sorted by key
	Metadata            string           // a digest of these; empty: there are none
	Patched             bool             // they are those of a patch

	Stays bool // nobody has asked for claims of this template to follow it
}

// readWants reads the patches, and what each template wants with them. followable is false if a patch asks for less than its template has, which then stays as
// it is. The labels and annotations of a template itself are wanted only if the set states a policy: whoever patches a size is not to have every claim
// written once more for labels that it was made with.
func readWants(v *Known, patch string, stated bool, out *state.Draft) (readable, followable bool) {
	patches, err := v.parsePatches(patch)
	if err != nil {
		out.Block(blockInvalidClaimTemplates(v.Set, err))
		return false, false
	}
	added := v.additions(patches)
	if slices.ContainsFunc(added, func(t addedTemplate) bool { return t.asked }) && !showsAdded(out, v) {
		return false, false
	}
	added = v.unlessUnasked(added)
	own := v.OwnTemplates()
	by := make([]jsontree.Value, own)
	removed := make(RemovedTemplates, own+len(added))
	for _, m := range patches.Members() {
		if i, known := v.TemplateNamed(m.Key); known && i < own {
			by[i], removed[i] = m.Value, m.Value.Kind == jsontree.Null
		}
	}
	wants, sources := make([]ClaimWant, own+len(added)), make([][]byte, own)
	followable = true
	for i := range sources {
		t := &v.Templates[i]
		tree, err := jsontree.Parse(t.Source)
		if err != nil {
			out.Block(blockInvalidClaimTemplate(v.Set, i, err))
			return false, false
		}
		is, readable := wantOf(tree)
		wants[i], sources[i] = is, t.Source
		if by[i].Kind != jsontree.Null {
			tree = patchedTemplate(tree, by[i])
			wants[i], readable = wantOf(tree)
			sources[i] = jsontree.Append(nil, tree)
		}
		if class := wants[i].Class; len(class) > longestName {
			out.Block(blockInvalidClaimTemplate(v.Set, i, errLongClass(t.Name, class)))
			return false, false
		}
		wants[i].Patched = !by[i].Get("metadata").IsEmpty()
		if !stated {
			tree = by[i]
		}
		wants[i].readMetadata(v, tree.Get("metadata"))
		if !readable {
			out.Block(blockInvalidClaimTemplate(v.Set, i, errNoQuantity(t.Name, storageOf(tree).Text)))
			return false, false
		}
		if asks := wants[i].Request; asks != is.Request && wants[i].Amount.Compare(is.Amount) < 0 {
			out.Block(blockPatchShrinks(v.Set, t.Name, asks, is.Request))
			wants[i], sources[i], followable = is, t.Source, false
		}
		if !stated && by[i].Kind == jsontree.Null {
			wants[i] = ClaimWant{Stays: true}
		}
	}
	for i := range sources {
		v.Templates[i].Source = sources[i]
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
	v.Wants, v.Removals = wants, removals{asked: removed}
	return true, followable
}

// wantOf reads a template. ok is false if what it asks for cannot be read.
func wantOf(tree jsontree.Value) (w ClaimWant, ok bool) {
	w.Class = tree.Get("spec").Get("volumeAttributesClassName").Text
	storage := storageOf(tree)
	if storage.Kind == jsontree.Null {
		return w, true
	}
	if w.Amount, ok = quantity.Parse(storage.Text); ok {
		w.Request = storage.Text
	}
	return w, ok
}

// readMetadata reads the labels and annotations that claims get. Those of a patch were checked; the set's own template may have any.
func (w *ClaimWant) readMetadata(v *Known, metadata jsontree.Value) {
	w.Labels, w.Annotations = v.settable(metadata, "labels"), v.settable(metadata, "annotations")
	if len(w.Labels)+len(w.Annotations) == 0 {
		return
	}
	var texts []string
	for _, list := range [...][]model.KeyValue{w.Labels, w.Annotations} {
		for _, entry := range list {
			texts = append(texts, entry.Key, entry.Value)
		}
		texts = append(texts, "")
	}
	w.Metadata = plan.Digest(texts...)
}

// settable lists the labels or annotations of a claim template that a claim can get.
func (v *Known) settable(metadata jsontree.Value, kind string) []model.KeyValue {
	of := metadata.Get(kind)
	list := make([]model.KeyValue, 0, len(of.Members()))
	for _, member := range of.Members() {
		if v.checkEntry("", kind, member) == nil {
			list = append(list, model.KeyValue{Key: member.Key, Value: member.Value.Text})
		}
	}
	plan.Sort(list, func(a, b model.KeyValue) int { return strings.Compare(a.Key, b.Key) })
	return list
}
