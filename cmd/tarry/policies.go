package main

import (
	"strings"

	"tarry/baselines"
	"tarry/sim"
	"tarry/sim/cluster"
)

// parsePolicy makes a policy of the catalogue.
func parsePolicy(spec string, rule cluster.Rule) (sim.Policy, error) {
	_, build, err := baselines.Parse(spec, rule)
	if err != nil {
		return nil, err
	}
	return build()
}

// policyEntries lists the catalogue with papers, what a policy knows, and parameters.
func policyEntries() []entry {
	var out []entry
	for _, p := range baselines.All() {
		more := []string{p.Paper + "; knows about jobs: " + p.Knows}
		if p.Params != "" {
			more = append(more, p.Params)
		}
		out = append(out, entry{p.Name, p.Doc, strings.Join(more, "\n")})
	}
	return out
}
