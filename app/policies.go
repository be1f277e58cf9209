package app

import "strings"

// policyEntries lists the catalogue with papers, what a policy knows, and parameters.
func (from program) policyEntries() []entry {
	var out []entry
	first := map[string]string{} // parameters -> the policy that showed them
	for _, p := range from.Policies {
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
