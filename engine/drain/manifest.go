package drain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// drainManifest is the drain pod of an ordinal: the template with the replica's name, host name, subdomain and claims.
// The name keeps a replica from being created beside it. Its owner is not a controller: the garbage collector removes it with the
// set, yet it is no replica. If the set itself is drained, it has no owner, because a foreground deletion would delete it at once.
func (dr *Drain) drainManifest(p *drainPlace, claims []*model.Claim) []byte {
	str := jsontree.NewString
	template := dr.Template
	meta := template.Get("metadata")
	uids := make([]string, len(claims))
	for i, c := range claims {
		uids[i] = c.UID
	}
	listed := strings.Join(uids, ",")
	metadata := jsontree.NewObject(
		jsontree.Member{Key: "name", Value: str(p.name)},
		jsontree.Member{Key: "namespace", Value: str(dr.view.Set.Namespace)},
		jsontree.Member{Key: "annotations", Value: meta.Get("annotations").
			With(state.AnnotationDrainClaims, str(listed)).
			With(state.AnnotationDrainSet, str(dr.Mark))},
		jsontree.Member{Key: "labels", Value: dr.drainLabels(meta.Get("labels"), p)},
	)
	if finalizers := meta.Get("finalizers"); finalizers.Kind != jsontree.Null {
		metadata = metadata.With("finalizers", finalizers)
	}
	if !dr.Emptying {
		metadata = metadata.With("ownerReferences", plainOwner(dr.view))
	}

	spec := template.Get("spec")
	own := jsontree.NewObject(jsontree.Member{Key: "hostname", Value: str(p.name)},
		jsontree.Member{Key: "volumes", Value: jsontree.NewArray(dr.view.Volumes(spec.Get("volumes"), str(p.name), dr.without(p))...)})
	if dr.view.Set.ServiceName != "" {
		own = own.With("subdomain", str(dr.view.Set.ServiceName))
	}
	if spec.Get("restartPolicy").Kind == jsontree.Null {
		own = own.With("restartPolicy", str("OnFailure"))
	}
	if dr.Proof {
		token := DrainToken(dr.Mark, listed)
		for _, list := range []string{"initContainers", "containers"} {
			if containers := spec.Get(list); containers.Kind == jsontree.Array {
				own = own.With(list, dr.withToken(containers, token))
			}
		}
	}
	spec = jsontree.WithAll(spec, own, "subdomain")
	return jsontree.Append(nil, jsontree.NewObject(
		jsontree.Member{Key: "apiVersion", Value: str("v1")},
		jsontree.Member{Key: "kind", Value: str(model.KindPod)},
		jsontree.Member{Key: "metadata", Value: metadata},
		jsontree.Member{Key: "spec", Value: spec},
	))
}

// without are the claim templates, removed or added, whose claims do not exist at a place: its drain does not need them. Pods of another revision
// may have had them, and this one's not.
func (dr *Drain) without(p *drainPlace) claimtemplate.RemovedTemplates {
	without := dr.view.WithoutAdded()
	if without == nil {
		without = slices.Clone(dr.view.Removals.Now)
	}
	for i, removed := range dr.view.Removals.Now {
		without[i] = without[i] || removed
	}
	if len(without) > 0 {
		for _, placed := range p.claims {
			without[placed.Template] = false
		}
	}
	return without
}

// drainLabels adds the labels of the ordinal, unless they would make the selector match.
func (dr *Drain) drainLabels(labels jsontree.Value, p *drainPlace) jsontree.Value {
	named := labels.With(model.LabelPodName, jsontree.NewString(p.name)).
		With(model.LabelPodIndex, jsontree.NewString(strconv.Itoa(int(p.ordinal))))
	if dr.view.SelectsTree(named) {
		return labels.With(model.LabelRevision, jsontree.Value{}).Without(model.LabelRevision) // an object even where it was null
	}
	return named
}

func plainOwner(v *claims.Claims) jsontree.Value {
	return jsontree.NewArray(jsontree.NewObject(
		jsontree.Member{Key: "apiVersion", Value: jsontree.NewString(v.Set.APIVersion)},
		jsontree.Member{Key: "kind", Value: jsontree.NewString(v.Set.Kind)},
		jsontree.Member{Key: "name", Value: jsontree.NewString(v.Set.Name)},
		jsontree.Member{Key: "uid", Value: jsontree.NewString(v.Set.UID)},
	))
}
