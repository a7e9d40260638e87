package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"
)

const account = "/var/run/secrets/kubernetes.io/serviceaccount/"

// label keeps the pod's label role true: leader where its member leads, follower elsewhere. A member that was added begins as a learner.
func label(ctx context.Context) error {
	p, err := self()
	if err != nil {
		return err
	}
	ca, err := os.ReadFile(account + "ca.crt")
	if err != nil {
		return err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	api := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	c, err := connect("http://127.0.0.1:2379")
	if err != nil {
		return err
	}
	defer c.Close()
	for written := ""; ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
		short, cancel := context.WithTimeout(ctx, time.Second)
		status, err := c.Status(short, "http://127.0.0.1:2379")
		cancel()
		if err != nil {
			continue // the readiness probe tells of it
		}
		if status.IsLearner {
			log.Print("promote: ", p.promote(ctx, status.Header.MemberId))
			continue
		}
		role := "follower"
		if status.Leader == status.Header.MemberId {
			role = "leader"
		}
		if role == written {
			continue
		}
		if err := patch(ctx, api, role); err != nil {
			log.Print("label: ", err)
			continue
		}
		log.Print(role)
		written = role
	}
	return nil
}

func patch(ctx context.Context, api *http.Client, role string) error {
	token, err := os.ReadFile(account + "token")
	if err != nil {
		return err
	}
	url := fmt.Sprintf("https://%s:%s/api/v1/namespaces/%s/pods/%s", os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT"), os.Getenv("NAMESPACE"), os.Getenv("POD"))
	body := fmt.Appendf(nil, `{"metadata":{"labels":{"role":%q}}}`, role)
	r, err := http.NewRequestWithContext(ctx, http.MethodPatch, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/merge-patch+json")
	r.Header.Set("Authorization", "Bearer "+string(token))
	response, err := api.Do(r)
	if err != nil {
		return err
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the API server answers %s", response.Status)
	}
	return nil
}
