package tokens

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

const (
	// trust is how long a yes counts. After a pod or its service account is deleted, its token is good for so long, and for as long as the
	// API server itself remembers (10 s).
	trust = 10 * time.Second
	// distrust is the same for a no.
	distrust = 10 * time.Second
	// acquaintance is how long a token that was accepted is reviewed before strangers.
	acquaintance = time.Hour
	// patience bounds one question.
	patience = 5 * time.Second
)

// Reviews for tokens that were accepted lately, of each account and together, and for all others, from each address and together. So a flood
// of bad tokens reaches the API server a few times a second, and keeps out neither those who are known nor new ones from elsewhere; nor
// does an account with many good tokens.
var (
	friendsOfOne   = share{5, 20}
	friendsOfAll   = share{100, 200}
	strangersOfOne = share{2, 10}
	strangersOfAll = share{20, 50}
)

// ErrTooMany means that the limit of reviews is reached.
var ErrTooMany = errors.New("too many tokens to review")

// Reviewer checks tokens with the API server. It is safe for concurrent use.
type Reviewer struct {
	options  Options
	audience string
	client   *http.Client
	now      func() time.Time
	friends  *turns // by account
	others   *turns // by network
	underWay singleflight.Group

	mu       sync.Mutex
	accepted memory
	refused  memory
}

// New makes a reviewer. It fails if a file cannot be read, or if this process's own token is for the audience.
func New(o Options) (*Reviewer, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if _, err := o.authorities(); err != nil {
		return nil, err
	}
	own, err := os.ReadFile(o.tokenFile())
	if err != nil {
		return nil, err
	}
	if mine, _ := payloadOf(strings.TrimSpace(string(own))); slices.Contains(mine.Audience, o.Audience) {
		return nil, fmt.Errorf("%q is an audience of the API server: adapters would send tokens that are valid there too, and not only for the planner", o.Audience)
	}
	return &Reviewer{options: o, audience: o.Audience, client: o.client(), now: time.Now,
		friends: newTurns(friendsOfOne, friendsOfAll), others: newTurns(strangersOfOne, strangersOfAll),
		accepted: memory{}, refused: memory{}}, nil
}

// Verify checks that a token, sent from an address, belongs to the account in its claims. It asks the API server unless a recent answer is
// known. The error is a *Refused, ErrTooMany, the context's, or says why the API server could not be asked. After any error the token is not
// accepted.
func (r *Reviewer) Verify(ctx context.Context, token string, claims Claims, from netip.Addr) error {
	of := hash(sha256.Sum256([]byte(token)))
	if known, err := r.recall(of); known {
		return err
	}
	turns, who := r.others, network(from)
	if r.met(of) {
		turns, who = r.friends, claims.Subject
	}
	done, ok := turns.wait(who, r.now())
	if !ok {
		return ErrTooMany
	}
	defer done()
	answer := r.underWay.DoChan(string(of[:]), func() (any, error) {
		if known, err := r.recall(of); known {
			return nil, err // an equal question has just been answered
		}
		if !turns.take(who, r.now()) {
			return nil, ErrTooMany
		}
		// Others may wait for the answer after the first caller has gone.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		return nil, r.verify(ctx, of, token, claims)
	})
	select {
	case <-ctx.Done():
		return ctx.Err()
	case result := <-answer:
		return result.Err
	}
}

// errNobodys does not tell which of the reasons it is: the API server does not say.
var errNobodys = &Refused{"the API server does not know it: it is forged, or its pod or service account is gone"}

func (r *Reviewer) verify(ctx context.Context, of hash, token string, claims Claims) error {
	asked := r.now() // the API server decided later, nobody knows when
	user, err := r.ask(ctx, token)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if user != claims.Subject {
		delete(r.accepted, of)
		r.refused.add(of, answer{at: asked}, distrust)
		return errNobodys
	}
	r.accepted.add(of, answer{asked, user}, acquaintance)
	return nil
}

// recall reports whether a recent answer is known, and which. Whether a token has expired is no question of memory: see Read.
func (r *Reviewer) recall(of hash) (known bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	if yes, ok := r.accepted[of]; ok && now.Before(yes.at.Add(trust)) {
		return true, nil
	}
	if no, ok := r.refused[of]; ok && now.Before(no.at.Add(distrust)) {
		return true, errNobodys
	}
	return false, nil
}

// met reports whether a token was accepted lately.
func (r *Reviewer) met(of hash) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	yes, ok := r.accepted[of]
	return ok && r.now().Before(yes.at.Add(acquaintance))
}
