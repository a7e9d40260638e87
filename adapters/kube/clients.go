package kube

import (
	"fmt"
	"net/http"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"
)

// Clients are the connections to one API server. They share the limits of the configuration they are made from.
type Clients struct {
	// Core reads pods and claims, as protobuf: they are many, and only typed fields of them are used.
	Core coreclient.CoreV1Interface
	// Apps reads revisions, as JSON: their data must come as the API server's JSON has it.
	Apps appsclient.AppsV1Interface
	// Dynamic reads sets without a Go type, so that no field of a template is lost.
	Dynamic dynamic.Interface
	// API writes bytes as they are.
	API *API
}

// NewClients connects to nothing yet; the first request does.
func NewClients(config *rest.Config) (*Clients, error) {
	config = rest.CopyConfig(config)
	config.UserAgent = Manager
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return termTransport{next} })
	if config.RateLimiter == nil && config.QPS > 0 {
		// One bucket for all: four clients with a bucket each would send four times what was asked for.
		config.RateLimiter = flowcontrol.NewTokenBucketRateLimiter(config.QPS, config.Burst)
	}

	binary := rest.CopyConfig(config)
	binary.ContentType = runtime.ContentTypeProtobuf
	binary.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	core, err := coreclient.NewForConfig(binary)
	if err != nil {
		return nil, fmt.Errorf("client for pods and claims: %w", err)
	}

	text := rest.CopyConfig(config)
	text.ContentType, text.AcceptContentTypes = runtime.ContentTypeJSON, runtime.ContentTypeJSON
	apps, err := appsclient.NewForConfig(text)
	if err != nil {
		return nil, fmt.Errorf("client for revisions: %w", err)
	}
	sets, err := dynamic.NewForConfig(text)
	if err != nil {
		return nil, fmt.Errorf("client for sets: %w", err)
	}
	api, err := NewAPI(text)
	if err != nil {
		return nil, err
	}
	return &Clients{Core: core, Apps: apps, Dynamic: sets, API: api}, nil
}
