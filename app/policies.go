package app

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
	first := map[string]string{} // parameters -> the policy that showed them
	for _, p := range baselines.All() {
		more := []string{p.Paper}
		switch {
		case p.Params == "":
		case first[p.Params] != "":
			more = append(more, "parameters: as "+first[p.Params])
		default:
			first[p.Params] = p.Name
			more = append(more, p.Params)
		}
		out = append(out, entry{p.Name, p.Doc, strings.Join(more, "\n"), p.Knows().String()})
	}
	return out
}
