package differences

import "github.com/setplan/setplan/test/oracle/world"

// Row is one rule by which presets differ.
type Row struct {
	// Rule is a field of model.Rules.
	Rule string
	// Upstream and Ours say what each does in general, Why what makes ours right.
	Upstream, Ours, Why string
	// Issue is a public issue, or says that we know of none.
	Issue string
	// Scene describes the world, Make makes it.
	Scene string
	Make  func() *world.World
	// Theirs, Newer and Planned are what the code of Kubernetes 1.36.3, that of 1.37.2 and SETPLAN do in that world; nil: 1.37.2 does the same.
	Theirs, Newer, Planned []string
}

// upstream is what the code that is compiled does.
func (r *Row) upstream(since137 bool) []string {
	if since137 && r.Newer != nil {
		return r.Newer
	}
	return r.Theirs
}

const noIssue = "No public issue is known to us."

// Rows has one entry for each field of model.Rules, in their order.
var Rows = []Row{
	{
		Rule: "MaxUnavailable",
		Upstream: "Kubernetes 1.36 has the gate `MaxUnavailableStatefulSet` off, ignores `maxUnavailable` and updates one pod at a " +
			"time.",
		Ours:  "SETPLAN honours `maxUnavailable`, rounded down and at least 1.",
		Why:   "Sets that do not set the field are unaffected. An API server whose gate is off drops the field; then both are the same.",
		Issue: "kubernetes/enhancements#961; on by default from 1.37 on, kubernetes/kubernetes#139466.",
		Scene: "Three available pods, an edited template, `maxUnavailable: 2`, the gate off.",
		Make:  twoMayBeUnavailable,
		Theirs: []string{
			"delete pod web-2",
			"update status: currentReplicas 3 -> 2",
		},
		Planned: []string{
			"delete pod web-2",
			"delete pod web-1",
			"update status: currentReplicas 3 -> 1",
			"block UPDATE_BUDGET web-0",
		},
	},
	{
		Rule: "BrokenPodsOutsideBudget",
		Upstream: "With the gate on, upstream does nothing while as many pods are unavailable as `maxUnavailable` allows, even if these " +
			"are the pods that the update would fix: a rollback under Parallel stays stuck.",
		Ours: "SETPLAN replaces an outdated pod that is not ready although the budget is spent, once it is shown to be broken: it has never " +
			"been ready, or not for a minute. One goes at a time, and none while another pod of the range is being deleted, starts, or " +
			"starts again in place. The deletion requires that the pod has not changed.",
		Why: "Nothing else can fix such a pod. A pod that was ready a moment ago may be again in a moment, as members of a quorum are, so it " +
			"counts like one that is; so does a pod that is ready and not available yet, and one whose node does not answer.",
		Issue: "kubernetes/kubernetes#137409; answered for Parallel in 1.37 by kubernetes/kubernetes#137666.",
		Scene: "Three pods under Parallel, an edited template, `web-2` not ready for a second, `web-1` and `web-0` not ready for minutes, the gate on.",
		Make:  brokenPodSpendsTheBudget,
		Theirs: []string{
			"writes nothing",
		},
		Newer: []string{
			"delete pod web-2",
			"delete pod web-1",
			"delete pod web-0",
			"update status: currentReplicas 3 -> 0",
		},
		Planned: []string{
			"delete pod web-1",
			"update status: currentReplicas 3 -> 2",
			"block POD_NOT_READY web-0",
			"block UPDATE_BUDGET web-2",
		},
	},
	{
		Rule: "UnavailableFirst",
		Upstream: "Before 1.37, a Parallel set updates pods from the highest ordinal down while fewer than `maxUnavailable` are unavailable. Since 1.37 " +
			"it deletes all outdated pods that are not available first, whatever the budget.",
		Ours: "SETPLAN counts them against the budget as long as they are not shown to be broken; see BrokenPodsOutsideBudget.",
		Why: "Members of a quorum become unready together, for a moment, when its leader moves. Deleted together they do not come back to a " +
			"quorum.",
		Issue: "kubernetes/kubernetes#137666 brought it to 1.37; it answers kubernetes/kubernetes#137409.",
		Scene: "Three pods under Parallel, an edited template, `web-1` and `web-0` not ready for a second, the gate on.",
		Make:  blipOfTwo,
		Theirs: []string{
			"writes nothing",
		},
		Newer: []string{
			"delete pod web-1",
			"delete pod web-0",
			"update status: currentReplicas 3 -> 1",
		},
		Planned: []string{
			"writes nothing",
			"block POD_NOT_READY web-0",
			"block UPDATE_BUDGET web-1",
			"block UPDATE_BUDGET web-2",
		},
	},
	{
		Rule: "DeletesDespiteFailedCreates",
		Upstream: "Under Parallel, upstream stops at the first pod or claim that cannot be created, before it deletes pods outside the " +
			"range. If a quota is used up, scaling down, which would free it, never happens.",
		Ours: "SETPLAN continues with the later phases, and one ordinal's stuck claim holds back only that ordinal. What was refused the " +
			"last time, but for creations, is tried after the rest of its phase.",
		Why:   "Parallel promises that pods do not wait for each other, and the pods to delete are what uses up the quota.",
		Issue: "kubernetes/kubernetes#140858; fixed after 1.36 by kubernetes/kubernetes#141057.",
		Scene: "A Parallel set scaled from four to two, `web-0` lost, and a quota that refuses its creation.",
		Make:  quotaIsUsedUp,
		Theirs: []string{
			"create pod web-0: refused, Forbidden",
			"fails, and tries the same again later",
		},
		Planned: []string{
			"create pod web-0: refused, Forbidden",
			"delete pod web-3",
			"delete pod web-2",
		},
	},
	{
		Rule:     "CanonicalOrdinalsOnly",
		Upstream: "Upstream reads `web-01` as ordinal 1 and tries to rename it to `web-1`, which the API server always refuses.",
		Ours:     "SETPLAN leaves such a pod alone, and releases it if the set owns it.",
		Why:      "No controller has ever created a pod of that name, and ordinal 1 gets its pod.",
		Issue:    "kubernetes/kubernetes#141094",
		Scene:    "Two replicas, the pods `web-0` and `web-01`.",
		Make:     leadingZero,
		Theirs: []string{
			"update pod web-1: refused, NotFound",
			"fails, and tries the same again later",
		},
		Planned: []string{
			"release pod web-01",
			"create pod web-1",
			"update status: availableReplicas 2 -> 1, currentReplicas 2 -> 1, readyReplicas 2 -> 1, replicas 2 -> 1, updatedReplicas 2 -> 1",
		},
	},
	{
		Rule: "Recreates",
		Upstream: "Kubernetes 1.36 does not know `updateStrategy.type: Recreate`: its API server refuses it, and its controller would take it for " +
			"RollingUpdate. In 1.37 the controller does nothing for a set that has it while the gate `StatefulSetRecreateStrategy` is off.",
		Ours:  "SETPLAN [plans it](order.md#recreate), as 1.37 does with the gate on. The presets of Kubernetes have the block INVALID_SPEC.",
		Why:   "Some programs must not run at two versions at once.",
		Issue: "kubernetes/enhancements#3541.",
		Scene: "Three pods under `Recreate`, an edited template, the gate off.",
		Make:  recreatesAll,
		Theirs: []string{
			"delete pod web-2",
			"update status: currentReplicas 3 -> 2",
		},
		Newer: []string{
			"fails, and tries the same again later",
		},
		Planned: []string{
			"delete pod web-0",
			"delete pod web-1",
			"delete pod web-2",
			"update status: condition Progressing True, RecreateInProgress",
			"block RECREATE_WAITS web",
		},
	},
	{
		Rule: "EndedPodsHoldNothing",
		Upstream: "Under OrderedReady a pod outside the range that is not available waits for a lower one that is not available either. " +
			"If that lower one has failed or was evicted it never will be, and upstream waits forever.",
		Ours:  "SETPLAN deletes the ended pod.",
		Why:   "It is outside the range, nothing runs in it, and inside the range upstream itself would delete it at once.",
		Issue: noIssue,
		Scene: "Two pods, scaled to none; `web-0` has failed, `web-1` is not ready.",
		Make:  failedPodBelow,
		Theirs: []string{
			"writes nothing",
		},
		Planned: []string{
			"delete pod web-0",
		},
	},
	{
		Rule: "PacesReplacements",
		Upstream: "A pod that has failed, been evicted or succeeded is replaced at once. Where its node rejects it, or evicts it as soon as it runs, upstream " +
			"deletes and creates one pod after another, several in a second.",
		Ours:  "SETPLAN replaces a pod that has ended once it is ten seconds old. An older one is replaced at once.",
		Why:   "Nothing has changed since the pod was created, so the next one is likely to end the same way, and each one is work for the API server, the scheduler and the node.",
		Issue: "kubernetes/kubernetes#89067.",
		Scene: "One pod, created four seconds ago, has failed.",
		Make:  failedAtOnce,
		Theirs: []string{
			"delete pod web-0",
		},
		Planned: []string{
			"writes nothing",
			"block POD_ENDED web-0",
		},
	},
	{
		Rule: "WantedClaimsStay",
		Upstream: "Scaling down under `whenScaled: Delete` hands the claims to their pods, so that they go with them. When the set is " +
			"scaled up again before such a pod has gone, upstream takes the claim back from a healthy pod. A pod that has failed it " +
			"deletes at once, and the garbage collector deletes the claim with it: the ordinal begins with an empty volume. The same " +
			"happens under OrderedReady to the claim of a pod that is being deleted, or that comes after one that is not ready. " +
			"Upstream creates a pod on a claim that goes with an earlier set of the name, which was deleted under `whenDeleted: Delete`. " +
			"And when `whenDeleted` becomes `Retain`, it leaves claims outside the range to the set, and all claims to a set that is being deleted by then, and they are deleted with it.",
		Ours: "SETPLAN first releases the claims that the retention policy keeps from their pods, from pods that have gone and from " +
			"the set, in the range and outside it, also where only the policy was edited, and from a set that is being deleted as long as a finalizer holds it. It creates no pod on a claim that still goes with an " +
			"earlier pod or set. It deletes no pod, for whatever cause, that runs on a claim that is being deleted, is lost or missing, or goes with an earlier set, nor " +
			"while the snapshot shows a claim of its ordinal that would go with it against the policy; the deletion comes with the plan after the " +
			"release. What another process hands over meanwhile, and a cache does not show yet, it cannot keep; when an adapter begins " +
			"it waits until its caches show what was there. If another set in the namespace uses the same claim names, no claim is deleted with an owner, and a block says so.",
		Why:   "The ordinal is wanted, and its data with it. What the policy deletes is the data of ordinals that are outside the range.",
		Issue: noIssue,
		Scene: "One pod under `whenScaled: Delete`, scaled to none and back; its claim refers to the pod, which has failed.",
		Make:  claimGoesAlong,
		Theirs: []string{
			"delete pod web-0",
		},
		Planned: []string{
			"update claim data-web-0",
			"block POD_ENDED web-0",
		},
	},
	{
		Rule: "NamesakesKeepApart",
		Upstream: "The API server keeps names apart within one kind. A set of apps/v1 and one of another kind may have one name, and both call " +
			"their pods and claims the same. Upstream creates every missing pod, also on a claim that holds the other set's data, and under " +
			"`whenDeleted: Delete` the claim goes with that set.",
		Ours: "While a set of this name and of another kind controls a pod with one of its names, SETPLAN touches no pod, drains " +
			"nothing, and takes the set's references off all claims; those to the other set and its pods stay. The same applies if neither " +
			"has a pod and the other set has the older revisions: then that one was there first. A block names it. SETPLAN makes no pod " +
			"on a claim that such a set owns: the claim goes with that set.",
		Why:   "It is not known whose data is in the claims. Only a user knows which of the sets is meant.",
		Issue: noIssue,
		Scene: "Three pods under Parallel. `web-2` belongs to a StatefulSet `web` of another kind, and `web-1` is lost; its claim still exists.",
		Make:  namesake,
		Theirs: []string{
			"create pod web-1",
			"update status: availableReplicas 3 -> 1, currentReplicas 3 -> 1, readyReplicas 3 -> 1, replicas 3 -> 1, updatedReplicas 3 -> 1",
		},
		Planned: []string{
			"update status: availableReplicas 3 -> 1, currentReplicas 3 -> 1, readyReplicas 3 -> 1, replicas 3 -> 1, updatedReplicas 3 -> 1",
			"block POD_NAME_TAKEN web-2",
		},
	},
	{
		Rule: "UneditedSetKeepsRevision",
		Upstream: "A newer API server may write the same template in other bytes. Then a controller has to tell whether someone has " +
			"edited it. Upstream 1.36 reads both with its own types, applies defaults and compares; if they still differ, it rolls " +
			"the set.",
		Ours: "SETPLAN first checks whether the status names the newest revision for this generation of the set. If so, no one has " +
			"edited anything, and the revision stays.",
		Why:   "Upgrading a controller is not an edit and must not restart databases.",
		Issue: "kubernetes/kubernetes#134773 was such a case, in which comparing what the types read helps.",
		Scene: "Two pods; the template has a `stopSignal`, which the controller that wrote the revision did not know yet. No one has " +
			"edited the set since.",
		Make: fieldUnknownToTheOldController,
		Theirs: []string{
			"create revision web-cbf99d6d5",
			"delete pod web-1",
			"update status: currentReplicas 2 -> 1, updateRevision web-656b6d6c54 -> web-cbf99d6d5, updatedReplicas 2 -> 0",
		},
		Planned: []string{
			"writes nothing",
		},
	},
	{
		Rule:     "DeletingSetStatusOnly",
		Upstream: "While a set is being deleted, upstream may still create a revision and trim the history.",
		Ours:     "SETPLAN writes its status only, and releases claims that the retention policy keeps.",
		Why:      "Nothing is created from that revision any more, and the garbage collector has one more object to delete.",
		Issue:    noIssue,
		Scene:    "One pod; the set was edited and is being deleted.",
		Make:     editedAndDeleted,
		Theirs: []string{
			"create revision web-db4dfb78c",
			"update status: observedGeneration 1 -> 2, updateRevision web-656b6d6c54 -> web-db4dfb78c, updatedReplicas 1 -> 0",
		},
		Planned: []string{
			"update status: observedGeneration 1 -> 2",
			"block SET_DELETING web",
		},
	},
	{
		Rule: "ReplaceNeverReady",
		Upstream: "After a bad template is corrected, upstream under OrderedReady waits for the pod of the bad template before it does " +
			"anything else, and that pod never becomes ready. Its manual tells people to delete the pod.",
		Ours: "SETPLAN replaces a pod that has never been ready and would be recreated at another revision. The annotation " +
			"`setplan.io/repair` of a set overrides this, under either behavior: [Repair](repair.md).",
		Why:   "It costs no available pod, and correcting the template is how people correct the set.",
		Issue: "kubernetes/kubernetes#67250",
		Scene: "Three pods; `web-2` was made from a template whose pods never become ready, and the template has been corrected since.",
		Make:  mendedTemplate,
		Theirs: []string{
			"writes nothing",
		},
		Planned: []string{
			"delete pod web-2",
			"block POD_NOT_READY web-2",
		},
	},
	{
		Rule: "LostRevisionHolds",
		Upstream: "If the revision that `status.currentRevision` names is missing, upstream uses the update revision instead, and a pod " +
			"lost below the partition is recreated at that one. A controller that has just started may merely not have seen the " +
			"revision yet.",
		Ours: "SETPLAN keeps the name, and creates no pod from it until the revision is there. Everything else continues, and a " +
			"block says what to do if the revision was deleted.",
		Why:   "The partition promises that pods below it stay as they are, and an update cannot be undone.",
		Issue: "No public issue is known to us.",
		Scene: "Two replicas, `partition: 1`, an update that is done above it; the old revision is not there, and `web-0` is lost.",
		Make:  currentRevisionIsLost,
		Theirs: []string{
			"create pod web-0",
			"update status: currentReplicas 0 -> 1, currentRevision web-656b6d6c54 -> web-db4dfb78c",
		},
		Planned: []string{
			"writes nothing",
			"block INVALID_REVISION web-656b6d6c54",
		},
	},
	{
		Rule: "NoFutileWrites",
		Upstream: "A pod's volumes cannot be changed. If they do not match the claims, upstream tries to change them anyway, fails, and " +
			"retries. An owner reference of a claim with the set's uid and another name it rewrites unchanged, again and again.",
		Ours: "SETPLAN reports the pod instead ([IDENTITY_MISMATCH](blocks.md)), and the rest of the set continues. It replaces or " +
			"removes such a reference.",
		Why:   "The API server has never accepted the first write, and the second changes nothing.",
		Issue: "kubernetes/kubernetes#141876",
		Scene: "A set with a claim template, re-created around a pod that has no volume for it.",
		Make:  podWithoutItsClaim,
		Theirs: []string{
			"update pod web-0: refused, Invalid",
			"fails, and tries the same again later",
		},
		Planned: []string{
			"writes nothing",
			"block IDENTITY_MISMATCH web-0",
		},
	},
	{
		Rule: "KnownLimits",
		Upstream: "A set's name may have 63 characters, and so may a label that holds the name, a dash and a hash of up to ten more. Upstream makes " +
			"claims for pods that the API server always refuses, and an update whose hash is longer than the last one deletes a pod that cannot come back.",
		Ours: "SETPLAN makes no pod, claim or revision that would be refused for this, for the host name, the subdomain, the name of a volume or annotations of more " +
			"than 256 KiB, and deletes no pod for one: the pods stay, and come back, at the current revision. A block says the number of characters or bytes and the limit.",
		Why:   "The limits are known before the first write, and a deleted pod does not come back by itself.",
		Issue: "kubernetes/kubernetes#64023",
		Scene: "A new set whose name has 53 characters.",
		Make:  longName,
		Theirs: []string{
			"create revision wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww-656b6d6c54",
			"create pod wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww-0",
			"update status: currentRevision 0 -> wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww-656b6d6c54, updateRevision 0 -> wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww-656b6d6c54",
		},
		Planned: []string{
			"update status: updateRevision 0 -> wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww-656b6d6c54",
			"block INVALID_SPEC wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
		},
	},
	{
		Rule:     "CompletionNeedsAvailability",
		Upstream: "Upstream calls an update complete when all pods are ready, without waiting for `minReadySeconds`.",
		Ours:     "SETPLAN waits until they are available.",
		Why:      "Lost pods below a partition are recreated at `currentRevision`, so a template that fails within `minReadySeconds` must not become it.",
		Issue:    "kubernetes/kubernetes#136831",
		Scene:    "One pod, updated, ready for three seconds, `minReadySeconds: 10`.",
		Make:     readyForThreeSeconds,
		Theirs: []string{
			"update status: currentReplicas 0 -> 1, currentRevision web-656b6d6c54 -> web-db4dfb78c",
		},
		Planned: []string{
			"writes nothing",
			"block POD_NOT_AVAILABLE web-0",
		},
	},
	{
		Rule: "CompletesByHand",
		Upstream: "Before 1.37, `status.currentRevision` of a set with `OnDelete` stays at the old revision when every pod has been updated, and " +
			"the history keeps it. Since 1.37 the update completes under every strategy.",
		Ours:  "SETPLAN completes it, too.",
		Why:   "Nobody has the old revision any more, and `kubectl rollout status` and others compare the two.",
		Issue: noIssue,
		Scene: "One pod under `OnDelete`, updated and available.",
		Make:  updatedByHand,
		Theirs: []string{
			"writes nothing",
		},
		Newer: []string{
			"update status: currentReplicas 0 -> 1, currentRevision web-656b6d6c54 -> web-db4dfb78c",
		},
		Planned: []string{
			"update status: currentReplicas 0 -> 1, currentRevision web-656b6d6c54 -> web-db4dfb78c",
		},
	},
	{
		Rule: "CountersStayTrue",
		Upstream: "Upstream takes one off `status.currentReplicas` for each pod that it deletes for an update, even if the pod was not " +
			"counted there, and the API server rejects a status with -1. Under Parallel it also deletes a pod that has ended twice " +
			"in one pass, the second time for the update.",
		Ours:  "SETPLAN subtracts only what was counted and was not refused the last time, and deletes once.",
		Why:   "A rejected status informs no one and fails the pass.",
		Issue: "openshift/origin#17435; kubernetes/kubernetes#75498 would have fixed it.",
		Scene: "One pod at a revision that is neither the current nor the update one.",
		Make:  podOfAThirdRevision,
		Theirs: []string{
			"delete pod web-0",
			"update status: currentReplicas 0 -> -1: refused, Invalid",
			"fails, and tries the same again later",
		},
		Planned: []string{
			"delete pod web-0",
		},
	},
	{
		Rule: "StatusCountsCreated",
		Upstream: "A pod that a pass creates is counted by the next pass, which writes the status again. Until then `replicas` is too " +
			"small.",
		Ours: "SETPLAN counts a pod of an OrderedReady set in the status of the same plan. That status is written only if the create " +
			"succeeds; the plan after a failure counts what is there and writes it in any case.",
		Why:   "An ordered start of three pods takes four writes of the status instead of seven, and the counts are not later.",
		Issue: "No public issue is known to us.",
		Scene: "Two replicas; the pod `web-1` is lost.",
		Make:  podIsLost,
		Theirs: []string{
			"create pod web-1",
			"update status: availableReplicas 2 -> 1, currentReplicas 2 -> 1, readyReplicas 2 -> 1, replicas 2 -> 1, updatedReplicas 2 -> 1",
		},
		Planned: []string{
			"create pod web-1",
			"update status: availableReplicas 2 -> 1, readyReplicas 2 -> 1",
		},
	},
	{
		Rule:     "StatusConditions",
		Upstream: "Upstream writes no conditions: a stuck set looks like one that makes progress.",
		Ours: "SETPLAN writes [Reconciling and Blocked](conditions.md). A set at rest gets none when it is taken over, until " +
			"something happens, and the built-in controller drops them with its first write when the set is handed back.",
		Why: "People and tools can wait for the end of a rollout and see that manual action is needed. The other rows leave " +
			"conditions and the row before out.",
		Issue: "kubernetes/kubernetes#58004",
		Scene: "Two replicas; the pod `web-1` belongs to someone else.",
		Make:  strangerBearsAName,
		Theirs: []string{
			"create pod web-1: refused, AlreadyExists",
			"update status: availableReplicas 2 -> 1, currentReplicas 2 -> 1, readyReplicas 2 -> 1, replicas 2 -> 1, updatedReplicas 2 -> 1",
			"fails, and tries the same again later",
		},
		Planned: []string{
			"update status: availableReplicas 2 -> 1, condition Reconciling True, Scaling, condition Blocked True, PodNameTaken, currentReplicas 2 -> 1, readyReplicas 2 -> 1, replicas 2 -> 1, updatedReplicas 2 -> 1",
			"block POD_NAME_TAKEN web-1",
		},
	},
}
