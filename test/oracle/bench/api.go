package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// apiServer lists the objects of some sets, so that the adapter's own informers fill its caches, with their indexes and
// transforms. Nothing changes, so its watches send nothing.
func apiServer(sets []*work) *httptest.Server {
	meta := metav1.ListMeta{ResourceVersion: "1"}
	pods := &corev1.PodList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodList"}, ListMeta: meta}
	claims := &corev1.PersistentVolumeClaimList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaimList"}, ListMeta: meta}
	revisions := &appsv1.ControllerRevisionList{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "ControllerRevisionList"}, ListMeta: meta}
	all := &appsv1.StatefulSetList{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSetList"}, ListMeta: meta}
	for _, w := range sets {
		all.Items = append(all.Items, *w.set)
		revisions.Items = append(revisions.Items, *w.revision)
		for _, pod := range w.pods {
			pods.Items = append(pods.Items, *pod)
		}
		for _, claim := range w.claims {
			claims.Items = append(claims.Items, *claim)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("GET /api/v1/pods", lists(pods))
	mux.Handle("GET /api/v1/persistentvolumeclaims", lists(claims))
	mux.Handle("GET /apis/apps/v1/controllerrevisions", lists(revisions))
	mux.Handle("GET /apis/apps/v1/statefulsets", lists(all))
	return httptest.NewServer(mux)
}

// lists answers a list, refuses to stream one, as servers before 1.27 do, and keeps watches open.
func lists(list any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch query := r.URL.Query(); {
		case query.Get("watch") == "":
			_ = json.NewEncoder(w).Encode(list)
		case query.Get("sendInitialEvents") != "":
			w.WriteHeader(http.StatusUnprocessableEntity)
			_ = json.NewEncoder(w).Encode(metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
				Status: metav1.StatusFailure, Reason: metav1.StatusReasonInvalid, Code: http.StatusUnprocessableEntity})
		default:
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}
	}
}
