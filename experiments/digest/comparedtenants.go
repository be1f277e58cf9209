package digest

import (
	"math"
	"slices"
	"strings"

	"tarry/experiments/sweep"
	"tarry/internal/stats"
	"tarry/output/figure"
	"tarry/output/results"
)

// mostTenants bounds the tenants of a picture: with most jobs.
const mostTenants = 12

// comparedTenants draws what each tenant waited and, where there are quotas, how much longer than
// in a private cluster; nothing where tenants were not measured.
func comparedTenants(all []Contender) ([]sweep.Figure, error) {
	names := tenantsOf(all)
	if len(names) == 0 {
		return nil, nil
	}
	var out []sweep.Figure
	for _, m := range []struct{ file, name, label, caption string }{
		{"tenants", "queue_mean_s", "mean wait of a job (s)", "What the jobs of each tenant waited."},
		{"tenants_excess", "excess_queue_mean_s", "mean wait beyond that in a private cluster (s)",
			"How much longer they waited than in a private cluster of the tenant's quota."},
	} {
		groups := make([]measure, len(names))
		for i, n := range names {
			groups[i].label = n
		}
		some := false
		f, err := contenders(all, all, groups, func(c *Contender, g measure) (stats.Interval, []float64) {
			var x []float64
			for _, rows := range c.Measures {
				if v := tenantValue(rows, m.name, g.label); !math.IsNaN(v) {
					x = append(x, v)
				}
			}
			some = some || len(x) > 0
			return stats.Amounts(x), x
		}, func([]figure.Series) (figure.Axis, bool) { return figure.Axis{Label: m.label}, false })
		if err != nil {
			return nil, err
		}
		if !some {
			continue
		}
		if f.Note = replicates(all, ": no interval."); len(all[0].Rows) > 1 {
			f.Note = "Means with Student's 95 % intervals on the logarithm over " + replicates(all, ".") +
				singles(len(all[0].Rows))
		}
		out = append(out, sweep.Figure{Name: m.file, Caption: captioned(m.caption, f), Figure: f})
	}
	return out, nil
}

// tenantsOf lists the tenants with most jobs, in order of name.
func tenantsOf(all []Contender) []string {
	jobs := map[string]float64{}
	for _, c := range all {
		for _, rows := range c.Measures {
			for i := range rows {
				if rows[i].Name == "tenant_jobs" {
					jobs[rows[i].Of] += rows[i].Value
				}
			}
		}
	}
	var names []string
	for n := range jobs {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		if jobs[a] != jobs[b] {
			return int(math.Copysign(1, jobs[b]-jobs[a]))
		}
		return strings.Compare(a, b)
	})
	names = names[:min(len(names), mostTenants)]
	slices.Sort(names)
	return names
}

// tenantValue is a measure of a tenant; NaN where there is none.
func tenantValue(rows []results.Measure, name, of string) float64 {
	for i := range rows {
		if rows[i].Name == name && rows[i].Of == of {
			return rows[i].Value
		}
	}
	return math.NaN()
}
