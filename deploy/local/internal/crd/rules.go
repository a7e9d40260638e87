package crd

import "fmt"

func rule(expression, message string) object {
	return object{"rule": expression, "message": message}
}

// immutable are the fields of the spec that apps/v1 does not change.
var immutable = []string{"selector", "serviceName", "podManagementPolicy", "volumeClaimTemplates"}

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
