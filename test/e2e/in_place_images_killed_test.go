//go:build e2e

package e2e

import (
	"net/http"
	"testing"
)

// TestInPlaceImagesKilled: the adapter is killed after each of its writes, while images change in place, cannot be pulled, and are taken back, and
// after the first write of a label. What is under way stands in the pods: the next adapter goes on from there, and no pod is made anew or touched twice.
func TestInPlaceImagesKilled(t *testing.T) {
	t.Parallel()
	s := lab(t)
	k := &eachWrite{scene: s, proxy: newProxy(t, s.config)}
	k.config = s.adapterConfig("proxied", k.proxy.URL)
	h := newHosts(s)
	then := s.toldInPlace()
	s.create(webSet("web", 2, withoutClaims, annotated("setplan.io/in-place", "InPlaceOnly")))
	k.settles()
	pods, kills := s.podUIDs(), k.kills

	s.image("web", image2)
	k.settles()
	then("image web-1", "there web-1", "image web-0", "there web-0")

	s.image("web", missing)
	k.until(func() error { return s.waitsFor("web-1", "ImagePullBackOff") })
	s.image("web", image2)
	k.settles()
	then("image web-1", "image web-1", "there web-1")

	before, label := len(k.proxy.writes()), k.proxy.freeze(0, true, atPath(http.MethodPatch, "pods/web-1"))
	s.patch("web", `{"spec":{"template":{"metadata":{"labels":{"tier":"gold"}}}}}`)
	label.wait(s)
	k.now.kill()
	k.proxy.set(nil)
	s.ownAdapter("last", k.config, nil, unelected...)
	s.settled("web")
	for name := range pods {
		writes := 0
		for _, c := range k.proxy.writes()[before:] {
			if c.what() == "PATCH pods/"+name {
				writes++
			}
		}
		if tier := s.pod(name).Labels["tier"]; writes != 1 || tier != "gold" {
			t.Errorf("%s was written %d times for its label, and has tier %q", name, writes, tier)
		}
	}

	s.samePods(pods)
	s.unbroken()
	k.proxy.preconditions(t)
	for _, lie := range h.untrue() {
		t.Error(lie)
	}
	// Before the label: two revisions and the new number of one, the marks of two pods, four times images, three times the end.
	if k.kills-kills < 12 {
		t.Errorf("it was killed %d times, there are more writes", k.kills-kills)
	}
	t.Logf("it was killed %d times", k.kills-kills)
}
