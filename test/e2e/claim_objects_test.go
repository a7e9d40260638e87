//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func (s *scene) claim(name string) *corev1.PersistentVolumeClaim {
	s.Helper()
	claim := must(s.client.CoreV1().PersistentVolumeClaims(s.namespace).Get(context.Background(), name, metav1.GetOptions{}))(s)
	return claim
}

// claimNames lists the claims that exist.
func (s *scene) claimNames() string {
	s.Helper()
	list := must(s.client.CoreV1().PersistentVolumeClaims(s.namespace).List(context.Background(), metav1.ListOptions{}))(s)
	var names []string
	for i := range list.Items {
		names = append(names, list.Items[i].Name)
	}
	return strings.Join(names, " ")
}

// claimsBecome waits until exactly these claims exist.
func (s *scene) claimsBecome(want string) {
	s.Helper()
	eventually(s, 60*time.Second, "the claims are "+want, func() error {
		if got := s.claimNames(); got != want {
			return fmt.Errorf("they are %s", got)
		}
		return nil
	})
}

// ownersBecome waits until a claim has these owners.
func (s *scene) ownersBecome(claim, want string) {
	s.Helper()
	eventually(s, 30*time.Second, fmt.Sprintf("the owners of %s are %q", claim, want), func() error {
		if got := owners(s.claim(claim)); got != want {
			return fmt.Errorf("they are %q", got)
		}
		return nil
	})
}

func (s *scene) deleteClaim(name string) {
	s.Helper()
	noError(s, s.client.CoreV1().PersistentVolumeClaims(s.namespace).Delete(context.Background(), name, metav1.DeleteOptions{}))
}

// patchClaim applies a strategic merge patch to a claim.
func (s *scene) patchClaim(name, patch string) {
	s.Helper()
	must(s.client.CoreV1().PersistentVolumeClaims(s.namespace).Patch(context.Background(), name,
		types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{}))(s)
}

// pinClaim keeps a deleted claim terminating until it is unpinned.
func (s *scene) pinClaim(name string) {
	s.Helper()
	s.patchClaim(name, `{"metadata":{"finalizers":["setplan.io/test"]}}`)
}
