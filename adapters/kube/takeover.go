package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// listVersion is the version of a list of a kind that is made now: whatever has an older version was written before. It is
// read past every cache.
func (a *API) listVersion(ctx context.Context, in resource) (string, error) {
	path := strings.Replace(in.path, "/namespaces//", "/", 1) // of all namespaces
	result := a.client.Get().AbsPath(path).Param("limit", "1").
		SetHeader("Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json").Do(ctx)
	if err := result.Error(); err != nil {
		return "", err
	}
	body, err := result.Raw()
	if err != nil {
		return "", err
	}
	list := &metav1.PartialObjectMetadataList{}
	if err := json.Unmarshal(body, list); err != nil {
		return "", fmt.Errorf("the API server's answer is no list: %w", err)
	}
	return list.ResourceVersion, nil
}

// takeOver starts the guard. Versions of a kind have one order in all namespaces, so any of those that are watched will do.
func (a *Adapter) takeOver(ctx context.Context) {
	a.guard.Begin()
	var namespace string
	var scope *scopeCache
	for namespace, scope = range a.caches.scopes {
		break
	}
	version := func(in resource, cached kindCache) string {
		version, err := a.clients.API.listVersion(ctx, in)
		if err != nil {
			// Older than what is true at most: a write may count that was history.
			version = cached.LastStoreSyncResourceVersion()
			a.config.Log.Warn("the version of the take-over could not be read; what the caches have shown so far counts as history",
				"kind", in.kind, "version", version, "error", err)
		}
		return version
	}
	a.guard.TakeOver(Versions{Sets: version(a.config.Kind.in(namespace), scope.sets), Pods: version(pods(namespace), scope.pods)})
}
