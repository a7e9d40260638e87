package cluster

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// httpClient trusts any certificate: it talks only to the loopback ports of
// processes that this program has started, and the components make their
// certificates while it waits for them.
var httpClient = &http.Client{
	Timeout: 5 * time.Second,
	Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
		DisableKeepAlives: true,
	},
}

var errExists = errors.New("exists already")

func get(ctx context.Context, url string) ([]byte, error) {
	return call(ctx, http.MethodGet, url, "", nil)
}

// call makes one request and returns the body of an answer that says success.
func call(ctx context.Context, method, url, token string, body any) ([]byte, error) {
	var sent bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			return nil, fmt.Errorf("%s %s: %w", method, url, err)
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, url, &sent)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, url, err)
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := httpClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	received, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, url, err)
	}
	if resp.StatusCode == http.StatusConflict {
		return nil, fmt.Errorf("%s %s: %w", method, url, errExists)
	}
	if resp.StatusCode >= 300 {
		return nil, fmt.Errorf("%s %s: %s: %s", method, url, resp.Status, received)
	}
	return received, nil
}
