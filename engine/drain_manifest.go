package engine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
)

// drainManifest is the drain pod of an ordinal: the template with the replica's name, host name, subdomain and claims.
// The name keeps a replica from being created beside it. Its owner is not a controller: the garbage collector removes it with the
// set, yet it is no replica. If the set itself is drained, it has no owner, because a foreground deletion would delete it at once.
func (dr *drain) drainManifest(p *drainPlace, claims []*model.Claim) []byte {
	str := jsontree.NewString
	template := dr.template
	meta := template.Get("metadata")
	uids := make([]string, len(claims))
	for i, c := range claims {
		uids[i] = c.UID
	}
	listed := strings.Join(uids, ",")
	metadata := jsontree.NewObject(
		jsontree.Member{Key: "name", Value: str(p.name)},
		jsontree.Member{Key: "namespace", Value: str(dr.view.set.Namespace)},
		jsontree.Member{Key: "annotations", Value: meta.Get("annotations").
			With(annotationDrainClaims, str(listed)).
			With(annotationDrainSet, str(dr.mark))},
		jsontree.Member{Key: "labels", Value: dr.drainLabels(meta.Get("labels"), p)},
	)
	if finalizers := meta.Get("finalizers"); finalizers.Kind != jsontree.Null {
		metadata = metadata.With("finalizers", finalizers)
	}
	if !dr.emptying {
		metadata = metadata.With("ownerReferences", dr.view.plainOwner())
	}

	spec := template.Get("spec")
	own := jsontree.NewObject(jsontree.Member{Key: "hostname", Value: str(p.name)},
		jsontree.Member{Key: "volumes", Value: jsontree.NewArray(dr.view.volumes(spec.Get("volumes"), str(p.name), dr.without(p))...)})
	if dr.view.set.ServiceName != "" {
		own = own.With("subdomain", str(dr.view.set.ServiceName))
	}
	if spec.Get("restartPolicy").Kind == jsontree.Null {
		own = own.With("restartPolicy", str("OnFailure"))
	}
	if dr.proof {
		token := drainToken(dr.mark, listed)
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
func (dr *drain) without(p *drainPlace) removedTemplates {
	without := dr.view.withoutAdded()
	if without == nil {
		without = slices.Clone(dr.view.removals.now)
	}
	for i, removed := range dr.view.removals.now {
		without[i] = without[i] || removed
	}
	if len(without) > 0 {
		for _, placed := range p.claims {
			without[placed.template] = false
		}
	}
	return without
}

// drainLabels adds the labels of the ordinal, unless they would make the selector match.
func (dr *drain) drainLabels(labels jsontree.Value, p *drainPlace) jsontree.Value {
	named := labels.With(model.LabelPodName, jsontree.NewString(p.name)).
		With(model.LabelPodIndex, jsontree.NewString(strconv.Itoa(int(p.ordinal))))
	if dr.view.selectsTree(named) {
		return labels.With(model.LabelRevision, jsontree.Value{}).Without(model.LabelRevision) // an object even where it was null
	}
	return named
}

func (v *view) plainOwner() jsontree.Value {
	return jsontree.NewArray(jsontree.NewObject(
		jsontree.Member{Key: "apiVersion", Value: jsontree.NewString(v.set.APIVersion)},
		jsontree.Member{Key: "kind", Value: jsontree.NewString(v.set.Kind)},
		jsontree.Member{Key: "name", Value: jsontree.NewString(v.set.Name)},
		jsontree.Member{Key: "uid", Value: jsontree.NewString(v.set.UID)},
	))
}
