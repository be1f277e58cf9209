package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/internal/stats"
)

// tenantCols are the measures of tenants in the order of the table's columns, with their titles.
func tenantCols() []struct{ name, title, unit, help string } {
	return []struct{ name, title, unit, help string }{
		{"tenant_jobs", "jobs", "", "that came"},
		{"quota_gpus", "quota", "GPUs", "what it owns"},
		{"gpu_time_frac", "share", "%", "its part of the GPU-time that jobs held"},
		{"energy_busy_kwh", "energy", "kWh", "what the use of GPUs by its jobs adds"},
		{"tenant_replica_gpu_s", "replicas", "GPU s", "what the replicas of its services held"},
		{"tenant_attained_frac", "attained", "%", "requests to its services that were answered in time"},
		{"over_quota_frac", "over quota", "%", "the part of its GPU-time that it held above its quota"},
		{"queue_mean_s", "queueing mean", "s", "of its finished jobs"},
		{"queue_p95_s", "queueing p95", "s", ""},
		{"jct_mean_s", "JCT mean", "s", "of its finished jobs"},
		{"ftf_mean", "fairness mean", "", "finish-time fairness: 1 or less is as good as an own part of the cluster"},
		{"anomaly_frac", "later than alone", "%", "jobs that wait longer than in a private cluster of its quota"},
		{"excess_queue_mean_s", "excess wait", "s", "mean of max(0, wait - wait in the private cluster)"},
		{"saved_queue_mean_s", "saved wait", "s", "mean of max(0, wait in the private cluster - wait)"},
	}
}

// tenantKey is a measure of a tenant.
type tenantKey struct{ of, name string }

// ofTenant reports whether a measure belongs into the table of tenants.
func ofTenant(name string) bool {
	return slices.ContainsFunc(tenantCols(), func(c struct {
		name, title, unit,
		help string
	}) bool {
		return c.name == name
	})
}

// maxTenants bounds the rows of one policy.
const maxTenants = 40

// who gives the tenants with their jobs, and the measures that some tenant has.
func (f *folder) who() (jobs map[string]float64, has map[string]bool) {
	jobs, has = map[string]float64{}, map[string]bool{}
	for _, r := range f.runs {
		for k, v := range r.tenants {
			switch has[k.name] = true; k.name {
			case "tenant_jobs":
				jobs[k.of] += v
			case "tenant_replica_gpu_s": // it may have services alone
				jobs[k.of] += 0
			}
		}
	}
	return jobs, has
}

// tenantTable has a row for each policy and tenant; there is none where tenants were not measured.
func (g *groups) tenantTable(f *folder) []table {
	who, has := f.who()
	if len(who) == 0 {
		return nil
	}
	var names []string
	for n := range who {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int { // tenants with most jobs first
		if who[a] != who[b] {
			if who[a] > who[b] {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	t := g.head("tenants", "Tenants")
	t.Note = "What each tenant got, with most jobs first: means over seeds, or over the replicates or windows " +
		"of one seed, with Student's 95 % interval on the logarithm (docs/reference/tenants.md)." + g.key()
	if n := len(names); n > maxTenants {
		f.note("table %q: %d of %d tenants are left out", t.Title, n-maxTenants, n)
		names = names[:maxTenants]
	}
	t.Columns = append(t.Columns, column{Name: "tenant"})
	cols := slices.DeleteFunc(tenantCols(), func(c struct {
		name, title, unit,
		help string
	}) bool {
		return !has[c.name]
	})
	for _, c := range cols {
		t.Columns = append(t.Columns, column{Name: c.title, Unit: c.unit, Num: true,
			Help: strings.TrimSpace(fmt.Sprintf("%s %s", c.name, c.help))})
	}
	g.each(f, t.Title, func(one *group1) {
		for _, n := range names {
			row := append(g.lead(one), cell{Text: n})
			any := false
			for _, c := range cols {
				x := make([]float64, len(one.units))
				for i := range one.units {
					u := &one.units[i]
					x[i] = u.tenant(tenantKey{n, c.name})
					any = any || !math.IsNaN(x[i])
				}
				v := stats.Amounts(x)
				if c.unit == "%" {
					v.Point, v.Lo, v.Hi = 100*v.Point, 100*v.Lo, 100*v.Hi
				}
				row = append(row, interval(v))
			}
			if any {
				t.Rows = append(t.Rows, row)
			}
		}
	})
	return []table{t}
}

// tenant is the mean of a tenant's measure over the unit's trials that have it.
func (u *unit) tenant(k tenantKey) float64 {
	var x []float64
	for _, r := range u.runs {
		if v, ok := r.tenants[k]; ok && !math.IsNaN(v) {
			x = append(x, v)
		}
	}
	return stats.Mean(x)
}
