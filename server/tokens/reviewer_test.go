package tokens

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// verify is what a server does with a token.
func verify(t *testing.T, r *Reviewer, token string) error {
	return verifyFrom(t.Context(), r, token, "10.0.0.1")
}

func verifyFrom(ctx context.Context, r *Reviewer, token, address string) error {
	claims, err := r.Read(token)
	if err != nil {
		return err
	}
	return r.Verify(ctx, token, claims, netip.MustParseAddr(address))
}

// TestClaims: what a token says of itself spares the API server questions, and nothing else.
func TestClaims(t *testing.T) {
	f := newFake(t)
	r, _ := f.reviewer(t)
	for text, want := range map[string]string{
		good(1): "",
		token(`{"sub":"`+adapterAccount+`","aud":"setplan","exp":1003600}`, 1):              "",
		token(`{"sub":"`+adapterAccount+`","aud":["other","setplan"],"exp":1003600.5}`, 1):  "",
		token(`{"sub":"`+adapterAccount+`","aud":["https://kubernetes"],"exp":1003600}`, 1): `not for the audience "setplan"`,
		token(`{"sub":"`+adapterAccount+`","exp":1003600}`, 1):                              "not for the audience",
		token(`{"sub":"`+adapterAccount+`","aud":["setplan"],"exp":1000000}`, 1):            "has expired",
		token(`{"sub":"`+adapterAccount+`","aud":["setplan"]}`, 1):                          "has expired",
		token(`{"sub":"`+adapterAccount+`","aud":["setplan"],"exp":"x"}`, 1):                "not a service account token",
		token(`{"sub":"alice","aud":["setplan"],"exp":1003600}`, 1):                         "not a service account token",
		token(`{`, 1):                           "not a service account token",
		"":                                      "not a service account token",
		"opaque":                                "not a service account token",
		"..":                                    "not a service account token",
		"a.b":                                   "not a service account token",
		strings.Repeat("a.", maxToken):          "not a service account token",
		good(1) + strings.Repeat("a", maxToken): "not a service account token",
		// An API server takes what stands before a space, so that one token would have any number of spellings.
		good(1) + " another":           "not a service account token",
		" " + good(1):                  "not a service account token",
		good(1) + "\x00":               "not a service account token",
		good(1) + "\n":                 "not a service account token",
		good(1) + "%20":                "not a service account token",
		good(1)[:len(good(1))-1] + "B": "not a service account token", // one of four that decode to the same
	} {
		claims, err := r.Read(text)
		switch {
		case want == "" && (err != nil || claims.Identity() != "TOKEN="+adapterAccount):
			t.Errorf("%.60s: %v, %v", text, claims, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%.60s: %v, want %q", text, err, want)
		}
	}
	if f.questions() > 0 {
		t.Error("to read a token the API server was asked")
	}
}

// TestAnswers: only one answer lets a token in, and no error has the token.
func TestAnswers(t *testing.T) {
	const refused, unknown = "refused", "cannot be asked"
	for reason, test := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request, *review)
		want   string
	}{
		"yes": {yes(adapterAccount), ""},
		"no": {func(w http.ResponseWriter, r *http.Request, asked *review) {
			w.WriteHeader(http.StatusCreated)
			_, _ = w.Write([]byte(`{"status":{"error":"` + asked.Spec.Token + `"}}`))
		}, refused},
		"somebody else's": {yes("system:serviceaccount:setplan-system:default"), refused},
		"for another audience": {func(w http.ResponseWriter, r *http.Request, asked *review) {
			asked.Spec.Audiences = []string{"other"}
			yes(adapterAccount)(w, r, asked)
		}, refused},
		"for no audience: an API server that knows none": {func(w http.ResponseWriter, r *http.Request, asked *review) {
			asked.Spec.Audiences = nil
			yes(adapterAccount)(w, r, asked)
		}, refused},
		"yes, with an error": {func(w http.ResponseWriter, r *http.Request, asked *review) {
			asked.Status.Error = asked.Spec.Token
			yes(adapterAccount)(w, r, asked)
		}, unknown},
		"we may not ask": {func(w http.ResponseWriter, r *http.Request, asked *review) {
			http.Error(w, asked.Spec.Token, http.StatusForbidden)
		}, unknown},
		"200, which creates nothing": {func(w http.ResponseWriter, _ *http.Request, _ *review) {
			_, _ = w.Write([]byte(`{"status":{"authenticated":true,"audiences":["setplan"],"user":{"username":"` + adapterAccount + `"}}}`))
		}, unknown},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request, _ *review) {
			http.Redirect(w, r, "https://elsewhere.example/", http.StatusTemporaryRedirect)
		}, unknown},
		"no JSON": {func(w http.ResponseWriter, _ *http.Request, asked *review) {
			w.WriteHeader(http.StatusCreated)
			_, _ = w.Write([]byte(asked.Spec.Token))
		}, unknown},
		"without end": {func(w http.ResponseWriter, _ *http.Request, _ *review) {
			w.WriteHeader(http.StatusCreated)
			_, _ = w.Write([]byte(`{"status":{"authenticated":true,"audiences":["setplan"],"user":{"username":"` + adapterAccount + `"}},"x":"`))
			_, _ = w.Write(make([]byte, 2*maxAnswer))
		}, unknown},
	} {
		t.Run(reason, func(t *testing.T) {
			f := newFake(t)
			f.says(test.answer)
			r, _ := f.reviewer(t)
			err := verify(t, r, good(1))
			got := ""
			if no := (*Refused)(nil); errors.As(err, &no) {
				got = refused
			} else if err != nil {
				got = unknown
			}
			if got != test.want {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
			if err != nil && strings.Contains(err.Error(), "secret0001") {
				t.Errorf("the token is in %q", err)
			}
			if f.asked[0].Spec.Token != good(1) || !cmp.Equal(f.asked[0].Spec.Audiences, []string{"setplan"}) || f.own[0] != "Bearer own-1" {
				t.Errorf("asked was %+v as %s", f.asked[0], f.own[0])
			}
		})
	}
}

// TestMemory: an answer counts for ten seconds, and an expired token is not accepted from memory.
func TestMemory(t *testing.T) {
	f := newFake(t)
	r, clock := f.reviewer(t)
	ask := func(want string, questions int) {
		t.Helper()
		if err := verify(t, r, good(1)); (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if f.questions() != questions {
			t.Errorf("%d questions, want %d", f.questions(), questions)
		}
	}
	ask("", 1)
	f.says(yes("nobody")) // the pod is deleted
	*clock = clock.Add(trust - 1)
	ask("", 1)
	*clock = clock.Add(1)
	ask("does not know it", 2)
	f.says(yes(adapterAccount))
	*clock = clock.Add(distrust - 1)
	ask("does not know it", 2)
	*clock = clock.Add(1)
	ask("", 3)
	f.Close() // the API server is away: what is remembered counts, and no more
	ask("", 3)
	*clock = clock.Add(trust)
	ask("tokenreviews", 3)
	*clock = time.Unix(1003600, 0)
	ask("has expired", 3)
}

// TestSlowAnswer: an answer counts from the question on. When the API server decided is not known, and the account may be gone since.
func TestSlowAnswer(t *testing.T) {
	f := newFake(t)
	r, clock := f.reviewer(t)
	var late atomic.Int64 // seconds
	r.now = func() time.Time { return clock.Add(time.Duration(late.Load()) * time.Second) }
	f.says(func(w http.ResponseWriter, q *http.Request, asked *review) {
		late.Add(4)
		yes(adapterAccount)(w, q, asked)
	})
	if err := verify(t, r, good(1)); err != nil {
		t.Fatal(err)
	}
	f.says(yes("nobody"))
	late.Store(int64(trust / time.Second))
	if err := verify(t, r, good(1)); err == nil {
		t.Error("a token is good for longer than ten seconds after the question")
	}
}

// TestFilesAreReadAgain: the server's own token and the authorities are replaced from time to time.
func TestFilesAreReadAgain(t *testing.T) {
	f := newFake(t)
	r, _ := f.reviewer(t)
	if err := verify(t, r, good(1)); err != nil {
		t.Fatal(err)
	}
	f.write(t, "token", []byte("own-2"))
	if err := verify(t, r, good(2)); err != nil || f.own[1] != "Bearer own-2" {
		t.Errorf("asked as %s: %v", f.own[1], err)
	}
	f.write(t, "ca.crt", []byte("none"))
	if err := verify(t, r, good(3)); err == nil || !strings.Contains(err.Error(), "no certificate in") {
		t.Errorf("without authorities: %v", err)
	}
}

// TestStrangersAreFew: a flood of tokens reaches the API server a few times a second. Those who are known get through, and so do those who
// come from elsewhere with a new token, as every adapter does once an hour.
func TestStrangersAreFew(t *testing.T) {
	f := newFake(t)
	r, clock := f.reviewer(t)
	if err := verify(t, r, good(0)); err != nil {
		t.Fatal(err)
	}
	*clock = clock.Add(trust)
	f.says(yes("nobody"))
	flood := func(from func(n int) string) (asked int) {
		before := f.questions()
		for n := range 3 * remembered {
			if err := verifyFrom(t.Context(), r, good(1+n), from(n)); err == nil {
				t.Fatal("a bad token is accepted")
			}
		}
		return f.questions() - before
	}
	if asked := flood(func(int) string { return "2001:db8::1" }); asked != strangersOfOne.atOnce {
		t.Errorf("%d questions at once for one address", asked)
	}
	if asked := flood(func(n int) string { return fmt.Sprintf("2001:db8::%x", n+2) }); asked != 0 {
		t.Errorf("%d questions at once for a machine with many addresses", asked)
	}
	f.says(yes(adapterAccount))
	for n, from := range []string{"2001:db8::1", "2001:db8:0:1::1", "10.0.0.2"} { // known; new, in another network
		if err := verifyFrom(t.Context(), r, good(n*10*remembered), from); err != nil {
			t.Errorf("from %s beside the flood: %v", from, err)
		}
	}
	f.says(yes("nobody"))
	if asked := flood(func(n int) string { return fmt.Sprintf("10.1.%d.%d", n>>8, n&255) }); asked > strangersOfAll.atOnce {
		t.Errorf("%d questions at once for many addresses", asked)
	}
	if n := len(r.others.of); n > remembered {
		t.Errorf("%d addresses are remembered", n)
	}
	f.says(yes(adapterAccount))
	if err := verify(t, r, good(0)); err != nil {
		t.Errorf("a known caller beside many: %v", err)
	}
}

// TestAccountWithManyTokens: good tokens of one account take no reviews of another's.
func TestAccountWithManyTokens(t *testing.T) {
	f := newFake(t)
	r, clock := f.reviewer(t)
	for n := range 300 {
		*clock = clock.Add(time.Second)
		if err := verify(t, r, good(n)); err != nil {
			t.Fatal(err)
		}
	}
	const other = "system:serviceaccount:annex:adapter"
	f.says(yes(other))
	others := token(`{"sub":"`+other+`","aud":["setplan"],"exp":1003600}`, 0)
	if err := verify(t, r, others); err != nil {
		t.Fatal(err)
	}
	*clock = clock.Add(trust)
	f.says(yes(adapterAccount))
	before := f.questions()
	for n := range 300 {
		_ = verify(t, r, good(n))
	}
	if asked := f.questions() - before; asked != friendsOfOne.atOnce {
		t.Errorf("%d questions at once for one account", asked)
	}
	f.says(yes(other))
	if err := verify(t, r, others); err != nil {
		t.Errorf("another account: %v", err)
	}
}

// TestWaitingIsBounded: while the API server does not answer, few calls of one address wait, and none after its caller has gone.
func TestWaitingIsBounded(t *testing.T) {
	f := newFake(t)
	come, goOn := make(chan struct{}, 10), make(chan struct{})
	f.says(func(w http.ResponseWriter, r *http.Request, asked *review) {
		come <- struct{}{}
		<-goOn
		yes(adapterAccount)(w, r, asked)
	})
	defer close(goOn)
	r, _ := f.reviewer(t)
	ctx, cancel := context.WithCancel(t.Context())
	const calls = 10 * waitingOfOne
	ended := make(chan error, calls)
	for range calls {
		go func() { ended <- verifyFrom(ctx, r, good(1), "10.0.0.1") }()
	}
	for range calls - waitingOfOne {
		if err := <-ended; !errors.Is(err, ErrTooMany) {
			t.Fatalf("a call too many: %v", err)
		}
	}
	<-come
	cancel()
	for range waitingOfOne {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Fatalf("a call whose caller has gone: %v", err)
		}
	}
	if r.others.waiting != 0 {
		t.Errorf("%d calls wait", r.others.waiting)
	}
}

// TestMemoryIsBounded: whatever is sent, no more than so many tokens are remembered.
func TestMemoryIsBounded(t *testing.T) {
	r, clock := newFake(t).reviewer(t)
	for n := range 3 * remembered {
		*clock = clock.Add(time.Millisecond)
		r.refused.add(hash{byte(n), byte(n >> 8), 1}, answer{at: *clock}, distrust)
	}
	if len(r.refused) != remembered {
		t.Errorf("%d tokens are remembered, want %d", len(r.refused), remembered)
	}
	*clock = clock.Add(time.Hour)
	r.refused.add(hash{}, answer{at: *clock}, distrust)
	if len(r.refused) != 1 {
		t.Errorf("%d tokens are remembered that are of no use", len(r.refused)-1)
	}
}

// TestManyTokensPushNobodyOut: an account with any number of good tokens makes nobody else unknown.
func TestManyTokensPushNobodyOut(t *testing.T) {
	r, clock := newFake(t).reviewer(t)
	other := hash{0: 1}
	r.accepted.add(other, answer{*clock, "other"}, acquaintance)
	for n := range 4 * remembered {
		*clock = clock.Add(time.Millisecond)
		r.accepted.add(hash{byte(n), byte(n >> 8), 1}, answer{*clock, adapterAccount}, acquaintance)
	}
	if !r.met(other) || len(r.accepted) != remembered {
		t.Errorf("another account is known: %v; %d tokens are remembered", r.met(other), len(r.accepted))
	}
}

// TestOneQuestion: callers that come together with the same token ask once.
func TestOneQuestion(t *testing.T) {
	f := newFake(t)
	come, goOn := make(chan struct{}, 10), make(chan struct{})
	f.says(func(w http.ResponseWriter, r *http.Request, asked *review) {
		come <- struct{}{}
		<-goOn
		yes(adapterAccount)(w, r, asked)
	})
	r, _ := f.reviewer(t)
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			if err := verify(t, r, good(1)); err != nil {
				t.Error(err)
			}
		})
	}
	<-come
	close(goOn)
	all.Wait()
	if f.questions() != 1 {
		t.Errorf("%d questions", f.questions())
	}
}

// TestWhereToAsk: outside of a cluster, and over plain HTTP, nobody is asked; nor about tokens that are good for the API server itself.
func TestWhereToAsk(t *testing.T) {
	f := newFake(t)
	for want, o := range map[string]Options{
		"KUBERNETES_SERVICE_HOST": {Audience: "a", Folder: f.folder},
		"https":                   {Audience: "a", Folder: f.folder, Server: strings.Replace(f.URL, "https", "http", 1)},
		"ca.crt":                  {Audience: "a", Folder: t.TempDir(), Server: f.URL},
	} {
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	f.write(t, "token", []byte(token(`{"sub":"system:serviceaccount:a:planner","aud":["https://kubernetes.default.svc","a"],"exp":1}`, 1)+"\n"))
	for audience, refused := range map[string]bool{"a": true, "https://kubernetes.default.svc": true, "setplan": false} {
		if _, err := New(Options{Audience: audience, Server: f.URL, Folder: f.folder}); (err != nil) != refused {
			t.Errorf("audience %q: %v", audience, err)
		} else if err != nil && strings.Contains(err.Error(), "secret1") {
			t.Errorf("the token is in %q", err)
		}
	}
	t.Setenv("KUBERNETES_SERVICE_HOST", "10.96.0.1")
	t.Setenv("KUBERNETES_SERVICE_PORT", "443")
	o, err := Options{Audience: "a"}.withDefaults()
	if want := (Options{"a", "https://10.96.0.1:443", mounted}); err != nil || o != want {
		t.Errorf("in a cluster: %+v, %v", o, err)
	}
}
