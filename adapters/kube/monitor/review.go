package monitor

import (
	"context"
	"fmt"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	authenticationclient "k8s.io/client-go/kubernetes/typed/authentication/v1"
	authorizationclient "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/rest"
)

// answer is what the API server says about a token and a path.
type answer string

const (
	unknownCaller answer = "unknown"   // the token is not valid
	notAllowed    answer = "forbidden" // the caller is known and not allowed
	allowed       answer = "allowed"
)

// review asks whether the bearer of a token may read a path.
type review func(ctx context.Context, token, path string) (answer, error)

// reviewTimeout bounds both requests of a review together.
const reviewTimeout = 10 * time.Second

// askAPIServer reviews by TokenReview and SubjectAccessReview, with a rate limit of its own: requests for metrics must not delay
// pods.
func askAPIServer(config *rest.Config, agent string) (review, error) {
	config = rest.CopyConfig(config)
	config.UserAgent, config.RateLimiter, config.QPS, config.Burst = agent, nil, -1, 0
	tokens, err := authenticationclient.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("client for token reviews: %w", err)
	}
	access, err := authorizationclient.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("client for access reviews: %w", err)
	}
	return func(ctx context.Context, token, path string) (answer, error) {
		known, err := tokens.TokenReviews().Create(ctx, &authenticationv1.TokenReview{
			Spec: authenticationv1.TokenReviewSpec{Token: token},
		}, metav1.CreateOptions{})
		if err != nil {
			return "", fmt.Errorf("token review: %w", err)
		}
		if !known.Status.Authenticated {
			return unknownCaller, nil
		}
		may, err := access.SubjectAccessReviews().Create(ctx, &authorizationv1.SubjectAccessReview{
			Spec: accessOf(&known.Status.User, path),
		}, metav1.CreateOptions{})
		if err != nil {
			return "", fmt.Errorf("access review: %w", err)
		}
		if !may.Status.Allowed {
			return notAllowed, nil
		}
		return allowed, nil
	}, nil
}

func accessOf(user *authenticationv1.UserInfo, path string) authorizationv1.SubjectAccessReviewSpec {
	extra := map[string]authorizationv1.ExtraValue{}
	for key, values := range user.Extra {
		extra[key] = authorizationv1.ExtraValue(values)
	}
	return authorizationv1.SubjectAccessReviewSpec{
		User: user.Username, UID: user.UID, Groups: user.Groups, Extra: extra,
		NonResourceAttributes: &authorizationv1.NonResourceAttributes{Path: path, Verb: "get"},
	}
}
