package kube

import (
	"context"
	"fmt"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	authorizationclient "k8s.io/client-go/kubernetes/typed/authorization/v1"
)

// mayDeleteClaims asks the API server whether the adapter may delete claims. The role system:basic-user lets every
// authenticated user ask that.
func mayDeleteClaims(client authorizationclient.SelfSubjectAccessReviewInterface) func(context.Context, string) (bool, error) {
	return func(ctx context.Context, namespace string) (bool, error) {
		answer, err := client.Create(ctx, &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: namespace, Verb: "delete", Resource: "persistentvolumeclaims"},
		}}, metav1.CreateOptions{})
		if err != nil {
			return false, fmt.Errorf("access review: %w", err)
		}
		return answer.Status.Allowed, nil
	}
}
