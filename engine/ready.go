package engine

import "github.com/setplan/setplan/engine/claimtemplate"

// readyToMake returns what pods are made of, at the current or the update revision. ok is false, with a block, if the current revision
// is lost or its data cannot be used.
func readyToMake(v *view, mk *claimtemplate.Maker, atCurrent bool) (m *claimtemplate.Manifest, revision string, ok bool) {
	choice, which := v.Update, 1
	if atCurrent && v.Current.Name != v.Update.Name {
		choice, which = v.Current, 0
	}
	if choice.Lost {
		if !mk.LostSaid {
			mk.LostSaid = true
			mk.Out.Block(blockRevisionLost(v.Set, v.Current.Name, v.Update.Name))
		}
		return nil, "", false
	}
	if !v.canBe(choice.Name, mk.Out) {
		return nil, "", false
	}
	made := &mk.Pods[which]
	if made.Manifest.Pieces == nil && !made.Unusable {
		if template, ok := mk.TemplateAt(choice); ok {
			made.Manifest = mk.PodManifest(template, choice.Name)
		} else {
			made.Unusable = true
		}
	}
	return &made.Manifest, choice.Name, !made.Unusable
}
