package outside

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"k8s.io/client-go/rest"
)

// object is an API object as decoded JSON; numbers keep their text.
type object = map[string]any

// api talks to the cluster directly, not through the gateway.
type api struct {
	host   string
	client *http.Client
}

// errAbsent means that an object does not exist.
var errAbsent = errors.New("there is no such object")

func newAPI(config *rest.Config) (*api, error) {
	transport, err := rest.TransportFor(config)
	if err != nil {
		return nil, err
	}
	return &api{strings.TrimSuffix(config.Host, "/"), &http.Client{Transport: transport, Timeout: 30 * time.Second}}, nil
}

// roots maps resources to the path of their group.
var roots = map[string]string{
	"statefulsets": "/apis/apps/v1", "controllerrevisions": "/apis/apps/v1",
	"pods": "/api/v1", "persistentvolumeclaims": "/api/v1", "events": "/api/v1", "serviceaccounts": "/api/v1",
}

// pathOf returns the path of "pods", "pods/web-0" or "pods/web-0/status" in a namespace.
func pathOf(namespace, what string) string {
	resource, _, _ := strings.Cut(what, "/")
	return roots[resource] + "/namespaces/" + namespace + "/" + what
}

// raw sends a request and returns the answer's bytes.
func (a *api) raw(ctx context.Context, verb, path, media string, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, verb, a.host+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	if media != "" {
		request.Header.Set("Content-Type", media)
	}
	response, err := a.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		return nil, err
	case response.StatusCode == http.StatusNotFound:
		return nil, errAbsent
	case response.StatusCode >= http.StatusBadRequest:
		return nil, fmt.Errorf("%s %s: %s: %s", verb, path, response.Status, answer)
	}
	return answer, nil
}

// do is raw with JSON on both sides; a nil body is none.
func (a *api) do(ctx context.Context, verb, path, media string, body any) (object, error) {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	answer, err := a.raw(ctx, verb, path, media, text)
	if err != nil {
		return nil, err
	}
	return parse(answer)
}

// parse decodes JSON and keeps the text of numbers.
func parse(text []byte) (object, error) {
	var o object
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err := decoder.Decode(&o)
	return o, err
}

// canonical returns a JSON text with sorted keys and without white space; numbers keep their text.
func canonical(text []byte) string {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return "no JSON: " + string(text)
	}
	sorted, _ := json.Marshal(value) // it was read from JSON
	return string(sorted)
}

// inside returns the object under these keys, and creates what is missing.
func inside(o object, keys ...string) object {
	for _, key := range keys {
		next, ok := o[key].(object)
		if !ok {
			next = object{}
			o[key] = next
		}
		o = next
	}
	return o
}

// meta returns a string of an object's metadata.
func meta(o object, field string) string {
	text, _ := inside(o, "metadata")[field].(string)
	return text
}
