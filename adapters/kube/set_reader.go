package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// typesMinor is the minor version of Kubernetes whose types this build has: that of k8s.io/api in go.mod.
const typesMinor = "37"

// setReader lists and watches StatefulSets, as protobuf if that loses nothing, and otherwise as JSON. Protobuf costs both sides far
// less, but it is read into Go types, which drop what they do not know. So two things must hold:
//
//   - The API server has the minor version of our types. A newer one may have fields that they lack. An older one may have fields
//     that they no longer have, and its JSON differs in what is null and what is left out; its own controller has made revisions
//     of that JSON.
//   - Each set that was read gives the same bytes when it is written: see wholeDecoder. If several API servers share an address,
//     the one that reports its version may not be the one that sends the sets. After the first loss everything is JSON.
//
// It asks for the version before each list and each watch, and so after each lost connection.
type setReader struct {
	binary, text cache.ListerWatcherWithContext
	minor        func(context.Context) (string, error)
	lossy        *atomic.Bool
}

// from returns the source to read from now.
func (r *setReader) from(ctx context.Context) cache.ListerWatcherWithContext {
	if r.lossy.Load() {
		return r.text
	}
	if minor, err := r.minor(ctx); err != nil || minor != typesMinor {
		return r.text
	}
	return r.binary
}

func (r *setReader) list(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	from := r.from(ctx)
	list, err := from.ListWithContext(ctx, options)
	if r.onlyText(err) {
		return r.text.ListWithContext(ctx, options)
	}
	return list, err
}

func (r *setReader) watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	events, err := r.from(ctx).WatchWithContext(ctx, options)
	if r.onlyText(err) {
		return r.text.WatchWithContext(ctx, options)
	}
	return events, err
}

// onlyText reports whether an error means that the request must be repeated for JSON. A loss during a watch shows later: the watch ends,
// and the informer begins a new one where it was.
func (r *setReader) onlyText(err error) bool {
	return err != nil && (r.lossy.Load() || apierrors.IsNotAcceptable(err) || apierrors.IsUnsupportedMediaType(err))
}

// versionPatience bounds a request that costs the API server nothing. Without an answer, sets are read as JSON.
const versionPatience = 5 * time.Second

// minor is the API server's minor version, without the "+" of custom builds.
func (a *API) minor(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, versionPatience)
	defer cancel()
	body, err := a.client.Get().AbsPath("/version").SetHeader("Accept", runtime.ContentTypeJSON).Do(ctx).Raw()
	if err != nil {
		return "", err
	}
	var info version.Info
	if err := json.Unmarshal(body, &info); err != nil {
		return "", fmt.Errorf("the API server's version: %w", err)
	}
	if info.Major != "1" {
		return "", fmt.Errorf("the API server is of version %q", info.GitVersion)
	}
	return strings.TrimSuffix(info.Minor, "+"), nil
}
