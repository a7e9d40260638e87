package tokens

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// fake is an API server that answers TokenReviews as the test says.
type fake struct {
	*httptest.Server
	folder string // with the files of a service account

	mu     sync.Mutex
	asked  []review
	own    []string // Authorization of the questions
	answer func(w http.ResponseWriter, r *http.Request, asked *review)
}

func newFake(t *testing.T) *fake {
	t.Helper()
	f := &fake{folder: t.TempDir(), answer: yes(adapterAccount)}
	f.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var asked review
		if err := json.Unmarshal(body, &asked); err != nil || r.URL.Path != "/apis/authentication.k8s.io/v1/tokenreviews" {
			http.Error(w, "what?", http.StatusBadRequest)
			return
		}
		f.mu.Lock()
		f.asked, f.own = append(f.asked, asked), append(f.own, r.Header.Get("Authorization"))
		answer := f.answer
		f.mu.Unlock()
		answer(w, r, &asked)
	}))
	t.Cleanup(f.Close)
	f.write(t, "token", []byte("own-1\n"))
	f.write(t, "ca.crt", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: f.Certificate().Raw}))
	return f
}

func (f *fake) write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(f.folder, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// questions is how many there were.
func (f *fake) questions() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.asked)
}

func (f *fake) says(answer func(http.ResponseWriter, *http.Request, *review)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answer = answer
}

// reviewer asks the fake, by a clock that the test sets.
func (f *fake) reviewer(t *testing.T) (r *Reviewer, clock *time.Time) {
	t.Helper()
	r, err := New(Options{Audience: "setplan", Server: f.URL, Folder: f.folder})
	if err != nil {
		t.Fatal(err)
	}
	clock = new(time.Time)
	*clock = time.Unix(1_000_000, 0)
	r.now = func() time.Time { return *clock }
	return r, clock
}

const adapterAccount = "system:serviceaccount:setplan-system:setplan-adapter"

// yes accepts every token as an account's.
func yes(account string) func(http.ResponseWriter, *http.Request, *review) {
	return func(w http.ResponseWriter, _ *http.Request, asked *review) {
		asked.Status.Authenticated, asked.Status.User.Username, asked.Status.Audiences = true, account, asked.Spec.Audiences
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(asked)
	}
}

// token has these claims, and a signature that only the fake takes for one.
func token(claims string, n int) string {
	return "e30." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + fmt.Sprintf(".secret%04dA", n)
}

func good(n int) string {
	return token(`{"sub":"`+adapterAccount+`","aud":["setplan"],"exp":1003600}`, n)
}
