//go:build e2e

package e2e

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// provider does with the claims www of a scene what the program of a storage provider does (kubernetes-csi/external-resizer, with RecoverVolumeExpansionFailure),
// and then the kubelet of the pod: the local control plane has neither. A claim gets what it asks for, unless the provider is told otherwise.
type provider struct {
	*scene

	mu      sync.Mutex
	does    map[string]dealing   // by claim
	others  dealing              // with all other claims
	mounted map[string]types.UID // the pod that had a volume mounted when it grew, by claim
}

// dealing is what becomes of that which a claim asks for.
type dealing int

const (
	gives    dealing = iota
	works            // until it is told otherwise
	declines         // for good
	// the volume at once, and its file system when another pod mounts it
	growsNoFile // the volume at once, and its file system never
)

// newProvider looks at the claims until the test ends.
func newProvider(s *scene) *provider {
	p := &provider{scene: s, does: map[string]dealing{}, mounted: map[string]types.UID{}}
	s.again(50*time.Millisecond, p.look)
	return p
}

// will says how the provider deals with some claims from now on; without a name, with all.
func (p *provider) will(do dealing, claims ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, claim := range claims {
		p.does[claim] = do
	}
	if len(claims) == 0 {
		p.does, p.others = map[string]dealing{}, do
	}
}

func (p *provider) dealsWith(claim string) dealing {
	p.mu.Lock()
	defer p.mu.Unlock()
	if do, told := p.does[claim]; told {
		return do
	}
	return p.others
}

// look lets each claim take a step.
func (p *provider) look(ctx context.Context) {
	claims := p.client.CoreV1().PersistentVolumeClaims(p.namespace)
	list, err := claims.List(ctx, metav1.ListOptions{})
	for i := 0; err == nil && i < len(list.Items); i++ {
		claim := &list.Items[i]
		before := claim.Status.DeepCopy()
		if claim.Status.Phase == corev1.ClaimBound {
			p.resize(ctx, claim)
			p.modify(ctx, claim)
		}
		if !equality.Semantic.DeepEqual(before, &claim.Status) {
			_, _ = claims.UpdateStatus(ctx, claim, metav1.UpdateOptions{}) // again in a moment
		}
	}
}
