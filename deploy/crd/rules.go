package crd

import (
	"fmt"
	"strings"
)

func rule(expression, message string) object {
	return object{"rule": expression, "message": message}
}

// created is a rule for new sets only: one that was there before the rule can still be edited, and deleted.
func created(expression, message string) object {
	return object{"rule": "oldSelf.hasValue() || " + expression, "message": message, "optionalOldSelf": true}
}

// immutable are the fields of the spec that apps/v1 does not change, and neither does our own kind. See claimRule for the fourth of apps/v1.
var immutable = []string{"selector", "serviceName", "podManagementPolicy"}

// claimRule lets a set change what its claims can follow, if it says whether they do: storage requests, the class of attributes, labels and annotations.
// What else a template of the set has stays, in the same order.
func claimRule() object {
	const field = "volumeClaimTemplates"
	var fixed []string
	for _, path := range []string{
		"apiVersion", "kind", "metadata.finalizers", "metadata.name", "metadata.ownerReferences", "spec.accessModes", "spec.dataSource", "spec.dataSourceRef", "spec.resources.limits", "spec.selector", "spec.storageClassName",
		"spec.volumeMode", "spec.volumeName",
	} {
		parts, there := strings.Split(path, "."), []string{}
		for i := range parts {
			there = append(there, "has(t."+strings.Join(parts[:i+1], ".")+")")
		}
		fixed = append(fixed, fmt.Sprintf("%s ? [dyn(t.%s)] : []", strings.Join(there, " && "), path))
	}
	same := fmt.Sprintf("%%s.%s.map(t, [%s])", field, strings.Join(fixed, ", "))
	return rule(fmt.Sprintf("has(self.%[1]s) == has(oldSelf.%[1]s) && (!has(self.%[1]s) || self.%[1]s == oldSelf.%[1]s || "+
		"has(self.claimUpdatePolicy) && self.claimUpdatePolicy != '' && %[2]s == %[3]s)", field, fmt.Sprintf(same, "self"), fmt.Sprintf(same, "oldSelf")),
		field+": with 'claimUpdatePolicy' set, 'spec.resources.requests', 'spec.volumeAttributesClassName', 'metadata.labels' and 'metadata.annotations' of a claim "+
			"template may change; without it, and in all other fields, nothing may. To add or remove a template, use the annotation 'setplan.io/claim-templates'")
}

// specRules are what apps/v1 refuses of a spec. What it refuses of a template the API server says when it is asked for its defaults.
func specRules() []any {
	const forbidden = "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
		"'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
	var rules []any
	for _, field := range immutable {
		rules = append(rules, rule(fmt.Sprintf("has(self.%[1]s) == has(oldSelf.%[1]s) && (!has(self.%[1]s) || self.%[1]s == oldSelf.%[1]s)", field),
			field+": "+forbidden))
	}
	return append(rules,
		claimRule(),
		rule("has(self.selector.matchLabels) && self.selector.matchLabels.size() > 0 || has(self.selector.matchExpressions) && self.selector.matchExpressions.size() > 0",
			"selector: empty selector is invalid for statefulset"),
		rule("!has(self.selector.matchLabels) || self.selector.matchLabels.all(k, has(self.template.metadata) && has(self.template.metadata.labels) && "+
			"k in self.template.metadata.labels && self.template.metadata.labels[k] == self.selector.matchLabels[k])",
			"template.metadata.labels: `selector` does not match template `labels`"),
		rule("!has(self.updateStrategy.rollingUpdate) || !has(self.updateStrategy.type) || self.updateStrategy.type == 'RollingUpdate'",
			"updateStrategy.rollingUpdate: only allowed for updateStrategy 'RollingUpdate'"),
		rule("!has(self.updateStrategy.rollingUpdate) || !has(self.updateStrategy.rollingUpdate.maxUnavailable) || (type(self.updateStrategy.rollingUpdate.maxUnavailable) == int ? "+
			"self.updateStrategy.rollingUpdate.maxUnavailable > 0 : self.updateStrategy.rollingUpdate.maxUnavailable.matches('^([1-9][0-9]?|100)%$'))",
			"updateStrategy.rollingUpdate.maxUnavailable: must be a number above 0, or a percentage from 1% to 100%"),
		rule("!has(self.template.spec.restartPolicy) || self.template.spec.restartPolicy == 'Always'",
			"template.spec.restartPolicy: must be Always"),
		rule("!has(self.template.spec.activeDeadlineSeconds)",
			"template.spec.activeDeadlineSeconds: activeDeadlineSeconds in StatefulSet is not Supported"),
	)
}
