package kube

import (
	"context"
	"errors"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// The resources that are watched beside the sets.
var (
	podsGVR      = corev1.SchemeGroupVersion.WithResource("pods")
	claimsGVR    = corev1.SchemeGroupVersion.WithResource("persistentvolumeclaims")
	revisionsGVR = appsv1.SchemeGroupVersion.WithResource("controllerrevisions")
)

// errBehind is why a term ended before anything was done.
var errBehind = errors.New("the caches of this replica were behind")

// takeOver starts the guard, and returns when the caches show everything that existed when this process began or got the lease.
// Nothing is planned before that.
func (a *Adapter) takeOver(ctx context.Context) error {
	if a.config.Election == nil {
		return a.takeOverWithin(ctx)
	}
	patience := a.config.Election.usedTimes().behind
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := a.takeOverWithin(within)
	if err != nil && ctx.Err() == nil {
		a.config.Log.Warn("the caches are behind; releasing the lease for a replica that can act", "for", patience)
		a.behindUntil.Store(time.Now().Add(patience).UnixNano())
		return errBehind
	}
	return err
}

func (a *Adapter) takeOverWithin(ctx context.Context) error {
	if a.guardCheck() != nil {
		a.guard.Begin()
	}
	catchUp := a.newCatchUp()
	now, err := catchUp.now(ctx)
	if err != nil {
		return err
	}
	// Versions of a kind have one order across namespaces, so any watched namespace will do.
	for namespace := range a.caches.scopes {
		a.guard.TakeOver(Versions{Sets: now[watched{a.config.Kind.GVR(), namespace}], Pods: now[watched{podsGVR, namespace}]})
		break
	}
	then := now
	if a.began != nil {
		then = a.began
	}
	return catchUp.wait(ctx, then)
}

// mayLead returns why this process could not work if it had the lease.
func (a *Adapter) mayLead(ctx context.Context) error {
	if time.Now().UnixNano() < a.behindUntil.Load() {
		return errBehind
	}
	return a.planner.reachable(ctx)
}
