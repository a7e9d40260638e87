//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestClaimsOfFixedClass: a storage class that lets no volume grow is seen before anything is asked for, by a forecast and by the planner. Once the class
// lets them, they grow.
func TestClaimsOfFixedClass(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	newProvider(s)
	set, class := webSet("web", 2), s.fixedClass()
	ofClass(class)(set)
	s.create(set)
	s.settled("web")
	before := []string{s.claim("www-web-0").ResourceVersion, s.claim("www-web-1").ResourceVersion}

	wanted := s.get("web")
	annotated(claimTemplates, asksFor("2Gi"))(wanted)
	said := s.forecastAnyEnd(s.underKind(wanted, underTest, "StatefulSet"))
	if said.Verdict != waits || len(said.ClaimsChanged) != 0 || len(said.Blocks) != 1 || !strings.Contains(said.Blocks[0].Message, "storage class "+class+" lets no volume grow") {
		t.Errorf("the forecast: %+v", said)
	}
	s.annotateSet("web", claimTemplates, asksFor("2Gi"))
	s.blocked("web", "CLAIM_CHANGE_WAITS", "PersistentVolumeClaim/www-web-1", "storage class "+class+" lets no volume grow", "1 more claim")
	s.stays(2*time.Second, "nothing is asked for", func() error {
		if now := []string{s.claim("www-web-0").ResourceVersion, s.claim("www-web-1").ResourceVersion}; fmt.Sprint(now) != fmt.Sprint(before) {
			return fmt.Errorf("versions %v, were %v", now, before)
		}
		return nil
	})
	if err := s.isBlocked("web", "ACTION_FAILED_BEFORE", "PersistentVolumeClaim/www-web-1"); err == nil {
		t.Error("a write was refused")
	}
	if _, err := s.client.StorageV1().StorageClasses().Patch(context.Background(), class, types.MergePatchType, []byte(`{"allowVolumeExpansion":true}`), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	s.storageBecomes("2Gi/2Gi 2Gi/2Gi")
	s.settled("web")
	s.unbroken()
}

// TestClaimsOfFixedClassAtStart: an adapter that starts, and gets the list of storage classes late, asks for nothing that a class does not let grow.
func TestClaimsOfFixedClassAtStart(t *testing.T) {
	t.Parallel()
	s := lab(t)
	p := newProxy(t, s.config)
	config, class := s.adapterConfig("proxied", p.URL), s.fixedClass()
	a := s.ownAdapter("first", config, nil, unelected...)
	s.create(webSet("web", 2, ofClass(class)))
	s.settled("web")
	a.kill()
	s.annotateSet("web", claimTemplates, asksFor("2Gi"))
	before := len(p.writes())
	p.set(func(r *http.Request, c call) outcome {
		if strings.HasSuffix(c.path, "/storageclasses") {
			time.Sleep(time.Second)
		}
		return outcome{}
	})
	s.ownAdapter("second", config, nil, unelected...)
	s.blocked("web", "CLAIM_CHANGE_WAITS", "PersistentVolumeClaim/www-web-1", "storage class "+class+" lets no volume grow", "1 more claim")
	for _, c := range p.writes()[before:] {
		if strings.HasPrefix(c.path, "persistentvolumeclaims/") {
			t.Errorf("it asked: %s", c)
		}
	}
	s.unbroken()
}

// fixedClass makes a storage class that lets no volume grow. Only its test uses it: classes have no namespace.
func (s *scene) fixedClass() (class string) {
	s.Helper()
	classes, class := s.client.StorageV1().StorageClasses(), s.namespace
	if _, err := classes.Create(context.Background(), &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: class}, Provisioner: "kwok.x-k8s.io/volume"},
		metav1.CreateOptions{}); err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = classes.Delete(context.Background(), class, metav1.DeleteOptions{}) })
	return class
}

// ofClass gives the claims of a set a storage class.
func ofClass(class string) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) { set.Spec.VolumeClaimTemplates[0].Spec.StorageClassName = &class }
}
