package conformance

import (
	"context"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/test/need"
)

var identityCases = []conformanceCase{
	{"Set and LiveSet agree once the caches are filled", "", func(t reporter, b *bench) {
		b.WaitSynced()
		cached := need.Value(b.Source().Set(context.Background(), b.key))(t)
		live := need.Value(b.Source().LiveSet(context.Background(), b.key))(t)
		want := adapters.SetIdentity{UID: string(b.set.UID), Generation: b.set.Generation}
		if cached != want || live != want {
			t.Errorf("cached %+v and live %+v instead of %+v", cached, live, want)
		}
	}},
	{"Set and LiveSet tell the policy that the annotations make", "", func(t reporter, b *bench) {
		b.Delete(kindSet, "web")
		b.set = b.create(b.annotated(b.setJSON("web"), adapters.AnnotationRepair, "Never"))
		b.WaitSynced()
		want := adapters.PolicyOf(map[string]string{adapters.AnnotationRepair: "Never"})
		for name, read := range map[string]func(context.Context, adapters.Key) (adapters.SetIdentity, error){"Set": b.Source().Set, "LiveSet": b.Source().LiveSet} {
			if got, err := read(context.Background(), b.key); err != nil || got.Policy != want || want == "" {
				t.Errorf("%s: policy %q instead of %q, error %v", name, got.Policy, want, err)
			}
		}
	}},
	{"LiveSet of a set that is gone is ErrGone at once", "", func(_ reporter, b *bench) {
		b.WaitSynced()
		b.Delete(kindSet, "web")
		_, err := b.Source().LiveSet(context.Background(), b.key)
		b.gone(err)
	}},
	{"Observed once the caches show a write", "", func(t reporter, b *bench) {
		created := b.done(createPod("web-1", b.podJSON("web-1", "data-web-1", b.ownerJSON())))
		b.wantObserved(t, created)
		b.wantObserved(t, b.done(patchPod(b.get(kindPod, "web-1"), "app", "new")))
		b.wantObserved(t, b.done(updateStatus(b.get(kindSet, "web"), 1)))
		b.wantObserved(t, b.done(createClaim("data-web-1", b.claimJSON("data-web-1", "[]"))))
		b.wantObserved(t, b.done(createRevision("web-1", b.revisionJSON("web-1", b.ownerJSON(), "a"))))
		b.wantObserved(t, b.done(deletePod(b.get(kindPod, "web-1"))))
	}},
	{"Observed is false for a delete that has not happened", "", func(t reporter, b *bench) {
		pod := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.WaitSynced()
		write := adapters.Write{Kind: kindPod, Name: "web-1", UID: string(pod.UID), Deleted: true}
		if b.Source().Observed(context.Background(), b.key, write) {
			t.Error("the delete of a pod that is there counts as observed")
		}
	}},
}

func (b *bench) wantObserved(t reporter, write *adapters.Write) {
	t.Helper()
	b.WaitSynced()
	if write == nil {
		t.Fatal("the action reports no write")
	}
	if !b.Source().Observed(context.Background(), b.key, *write) {
		t.Errorf("the caches show everything, and %+v does not count as observed", *write)
	}
}
