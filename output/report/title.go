package report

import (
	"fmt"
	"slices"
	"strings"

	"tarry/internal/rundir"
)

// title names the page after what is in it, not after where it lies.
func (f *folder) title(g *groups) {
	p := f.page
	switch {
	case f.kind == rundir.Sweep:
		p.Title = f.sweep.Name
		if p.Title == "" {
			p.Title = "Sweep"
		}
	case p.Title != "": // has one
	case len(f.runs) == 0 && len(f.costs) > 0:
		env, _, _ := strings.Cut(f.costs[0].row.Trace, ":")
		p.Title = "Costs in " + env
	case len(f.runs) == 0:
		p.Title = "No trials"
	default:
		k := f.runs[0].row.Keys
		called, stated := slices.Clone(g.policies), slices.Clone(g.policies)
		for i, policy := range g.policies {
			if called[i] = g.called(policy); called[i] != policy {
				stated[i] = called[i] + ": " + policy
			}
		}
		p.Title = fmt.Sprintf("%d policies on %s", len(g.policies), k.Trace)
		if len(g.policies) < 4 {
			p.Title = strings.Join(called, ", ") + " on " + k.Trace
		}
		p.Asked = append(p.Asked, Entry{"policies", strings.Join(stated, "\n")}, Entry{"jobs", k.Trace},
			Entry{"cluster", k.Cluster},
			Entry{"speed model", k.Speed}, Entry{"placement", k.Placement}, Entry{"trials", fmt.Sprint(len(f.runs))})
		p.Asked = append(p.Asked, f.facts...)
	}
}
