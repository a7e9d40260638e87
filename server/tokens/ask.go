package tokens

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Options say which tokens are accepted, and which API server is asked. Audience is required; empty other fields mean the API server of the
// cluster that this process runs in.
type Options struct {
	Audience string // that tokens must be for
	Server   string // URL of the API server
	Folder   string // with the files token and ca.crt, which are read again when they are used
}

// mounted is where pods find their service account.
const mounted = "/var/run/secrets/kubernetes.io/serviceaccount"

func (o Options) withDefaults() (Options, error) {
	if o.Folder == "" {
		o.Folder = mounted
	}
	if o.Server == "" {
		host, port := os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT")
		if host == "" || port == "" {
			return o, errors.New("tokens are checked by the API server of the server's own cluster, but the server does not run in a cluster: " +
				"KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set")
		}
		o.Server = "https://" + net.JoinHostPort(host, port)
	}
	if !strings.HasPrefix(o.Server, "https://") {
		return o, errors.New("the API server must be reached over https, because tokens are sent to it")
	}
	return o, nil
}

func (o Options) tokenFile() string { return filepath.Join(o.Folder, "token") }

// authorities reads whom to trust.
func (o Options) authorities() (*x509.CertPool, error) {
	pem, err := os.ReadFile(filepath.Join(o.Folder, "ca.crt"))
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("no certificate in %s", filepath.Join(o.Folder, "ca.crt"))
	}
	return pool, nil
}

// client asks the API server. Questions are few, so each has a connection of its own: none is stale, and the authorities are read for each.
func (o Options) client() *http.Client {
	return &http.Client{
		// A redirect would send the token elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DisableKeepAlives: true,
			DialTLSContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				pool, err := o.authorities()
				if err != nil {
					return nil, err
				}
				dialer := tls.Dialer{Config: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}
				return dialer.DialContext(ctx, network, address)
			},
		},
	}
}

// review is the part of a TokenReview that is used.
type review struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Spec       struct {
		Token     string   `json:"token"`
		Audiences []string `json:"audiences"`
	} `json:"spec"`
	Status struct {
		Authenticated bool     `json:"authenticated"`
		Error         string   `json:"error"`
		Audiences     []string `json:"audiences"`
		User          struct {
			Username string `json:"username"`
		} `json:"user"`
	} `json:"status"`
}

// maxAnswer bounds an answer of the API server, in bytes. It repeats the token.
const maxAnswer = 1 << 20

// ask returns whose a token is; empty: nobody's, or not for the audience. Errors have nothing of the token.
func (r *Reviewer) ask(ctx context.Context, token string) (user string, err error) {
	question := review{APIVersion: "authentication.k8s.io/v1", Kind: "TokenReview"}
	question.Spec.Token, question.Spec.Audiences = token, []string{r.audience}
	body, err := json.Marshal(question)
	if err != nil {
		return "", err
	}
	own, err := os.ReadFile(r.options.tokenFile())
	if err != nil {
		return "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.options.Server+"/apis/authentication.k8s.io/v1/tokenreviews", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(own)))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "setplan-server")
	response, err := r.client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return "", err
	}
	if response.StatusCode != http.StatusCreated {
		return "", fmt.Errorf("the API server answers a TokenReview with %s", response.Status)
	}
	var answer review
	if json.Unmarshal(text, &answer) != nil {
		return "", errors.New("the API server's answer to a TokenReview is not valid JSON") // the reason could quote it
	}
	// An API server that knows no audiences leaves them out, and accepts tokens for others.
	if !answer.Status.Authenticated || !slices.Contains(answer.Status.Audiences, r.audience) {
		return "", nil
	}
	if answer.Status.Error != "" { // and not the text, which could quote the token
		return "", errors.New("the API server accepted the token, but also reported an error")
	}
	return answer.Status.User.Username, nil
}
