//go:build linux

package kubelet

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Ready asks the readiness probe of every container, once.
func (p *Pod) Ready(ctx context.Context) error {
	for _, c := range p.pod.Spec.Containers {
		probe := c.ReadinessProbe.HTTPGet
		port := probe.Port.IntVal
		for _, named := range c.Ports {
			if named.Name == probe.Port.StrVal {
				port = named.ContainerPort
			}
		}
		if _, err := p.Get(ctx, probe.Scheme, port, probe.Path, ""); err != nil {
			return fmt.Errorf("%s %s: %w", p.Name, c.Name, err)
		}
	}
	return nil
}

// Image is the version of a container's image.
func (p *Pod) Image(container string) string {
	for _, c := range p.pod.Spec.Containers {
		if c.Name == container {
			return c.Image[strings.LastIndex(c.Image, ":")+1:]
		}
	}
	return ""
}

// Get fetches a path from a port of the pod, with a bearer token if there is one. As a kubelet's, it takes every certificate.
func (p *Pod) Get(ctx context.Context, scheme corev1.URIScheme, port int32, path, token string) (string, error) {
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port)))
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
		DialContext:       func(context.Context, string, string) (net.Conn, error) { return p.network.dial(address) },
	}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.ToLower(string(scheme))+"://"+address+path, nil)
	if err != nil {
		return "", err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", answer.Status, strings.TrimSpace(string(body)))
	}
	return string(body), err
}
