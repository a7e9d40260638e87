package kube

import (
	"fmt"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
	authorizationclient "k8s.io/client-go/kubernetes/typed/authorization/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	storageclient "k8s.io/client-go/kubernetes/typed/storage/v1"
	"k8s.io/client-go/rest"
)

// Clients are the connections to one API server. Except for events none has a rate limit of its own. Actions have waited for
// their turn before they are sent. Lists, watches and reads of one object are few, must not queue behind writes, and are
// limited by the API server itself.
type Clients struct {
	// Core reads pods and claims as protobuf: there are many, and only their typed fields are used.
	Core coreclient.CoreV1Interface
	// Apps reads revisions as protobuf: only their typed fields are used, and data, which is bytes in both encodings; see asText.
	Apps appsclient.AppsV1Interface
	// Storage reads storage classes as protobuf.
	Storage storageclient.StorageV1Interface
	// Sets reads sets of the built-in kind as protobuf, completely or not at all: see setReader.
	Sets rest.Interface
	// Dynamic reads sets without a Go type, so that no field of a template is lost.
	Dynamic dynamic.Interface
	// API writes bytes as they are.
	API *API
	// Access asks what this client is allowed to do.
	Access authorizationclient.SelfSubjectAccessReviewInterface
	// Events writes events, within the limits of the configuration.
	Events coreclient.CoreV1Interface

	lossy *atomic.Bool // Sets has met a set that it could not read completely
}

// NewClients does not connect; the first request does.
func NewClients(config *rest.Config) (*Clients, error) {
	config = rest.CopyConfig(config)
	config.UserAgent = Manager
	limited := rest.CopyConfig(config)
	config.RateLimiter, config.QPS = nil, -1

	binary := rest.CopyConfig(config)
	binary.ContentType = runtime.ContentTypeProtobuf
	binary.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	core, err := coreclient.NewForConfig(binary)
	if err != nil {
		return nil, fmt.Errorf("client for pods and claims: %w", err)
	}

	apps, err := appsclient.NewForConfig(binary)
	if err != nil {
		return nil, fmt.Errorf("client for revisions: %w", err)
	}
	storage, err := storageclient.NewForConfig(binary)
	if err != nil {
		return nil, fmt.Errorf("client for storage classes: %w", err)
	}
	lossy := &atomic.Bool{}
	binarySets, err := binarySets(binary, func() { lossy.Store(true) })
	if err != nil {
		return nil, fmt.Errorf("client for sets as protobuf: %w", err)
	}

	text := rest.CopyConfig(config)
	text.ContentType, text.AcceptContentTypes = runtime.ContentTypeJSON, runtime.ContentTypeJSON
	sets, err := dynamic.NewForConfig(text)
	if err != nil {
		return nil, fmt.Errorf("client for sets: %w", err)
	}
	api, err := NewAPI(text)
	if err != nil {
		return nil, err
	}
	access, err := authorizationclient.NewForConfig(binary)
	if err != nil {
		return nil, fmt.Errorf("client for access reviews: %w", err)
	}
	limited.ContentType, limited.AcceptContentTypes = binary.ContentType, binary.AcceptContentTypes
	events, err := coreclient.NewForConfig(limited)
	if err != nil {
		return nil, fmt.Errorf("client for events: %w", err)
	}
	return &Clients{Core: core, Apps: apps, Storage: storage, Sets: binarySets, Dynamic: sets, API: api, Access: access.SelfSubjectAccessReviews(), Events: events,
		lossy: lossy}, nil
}
