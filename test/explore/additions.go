package explore

// AdditionConfigs are both management policies of sets that have no claim template, and whose template B is template A with a volume of one that the
// annotation adds. As the annotation says so only with B, pods of B are made without it as well. Revisions are kept, or deleted as soon as nobody needs them.
func AdditionConfigs(bounds Bounds) []Config {
	var configs []Config
	for _, config := range RemovalConfigs(bounds) {
		config.Removes, config.Adds = false, true
		configs = append(configs, config)
	}
	return configs
}

// addition is the annotation that adds the template.
const addition = `{"` + claimName + `":{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}}`

// volumeOf is the volume of a pod template that asks for the added template.
func (config *Config) volumeOf(r revision) string {
	if !config.Adds || config.isWithout(r) {
		return ""
	}
	return `,"volumes":[{"name":"` + claimName + `","persistentVolumeClaim":{"claimName":"` + claimName + `"}}]`
}

// ownTemplates are the claim templates of the set itself.
func (config *Config) ownTemplates() [][]byte {
	if config.Adds {
		return nil
	}
	return [][]byte{[]byte(`{"metadata":{"name":"` + claimName + `"},"spec":{"accessModes":["ReadWriteOnce"]` + config.claimSize() + `}}`)}
}

// without lists the revisions whose pods have no claim.
func (config *Config) without() (names []string) {
	for r := revision(1); r <= revisionCount; r++ {
		if config.isWithout(r) {
			names = append(names, r.String())
		}
	}
	return names
}

// knowsClaims reports whether claims are those of the set: one that was added is nobody's where neither the set nor a revision has its template.
func (config *Config) knowsClaims(c *cluster) bool {
	return !config.Adds || !config.isWithout(c.template) || c.ranks[changedRevision] > 0
}
