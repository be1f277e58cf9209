package quota

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/origin"
	"tarry/sim/tenant"
)

// Of makes the tenants of a workload on a cluster. An error is quotas that add up to more GPUs than
// there are, or a workload without virtual clusters that are to share it.
func (r *Rule) Of(w *sim.Workload, top *cluster.Topology) (*tenant.Set, error) {
	rows := slices.Clone(r.rows)
	if r.kind != "" {
		var err error
		if rows, err = r.divide(w, top); err != nil {
			return nil, err
		}
	} else if r.fit {
		fit(rows, top.GPUs())
	}
	s, err := tenant.New(rows)
	if err != nil {
		return nil, fmt.Errorf("quotas %q: %w", r.text, err)
	}
	if n := s.GPUs(); n > top.GPUs() {
		return nil, fmt.Errorf("quotas %q: they add up to %d GPUs, expected at most the cluster's %d (fit=true "+
			"scales them)", r.text, n, top.GPUs())
	}
	return s, nil
}

// Priorities gives jobs that have no priority their tenant's; the workload itself where no
// tenant has one.
func Priorities(w *sim.Workload, s *tenant.Set) (*sim.Workload, error) {
	changed := func(j *sim.Job) bool { return j.Priority == 0 && s.Priority(j.VC, j.User) != 0 }
	if !slices.ContainsFunc(w.Jobs, func(j sim.Job) bool { return changed(&j) }) {
		return w, nil
	}
	jobs := slices.Clone(w.Jobs)
	for i := range jobs {
		if j := &jobs[i]; changed(j) {
			j.Priority = s.Priority(j.VC, j.User)
		}
	}
	return sim.NewWorkload(w.Name, jobs, append(slices.Clone(w.Origins),
		origin.Origin{Field: "priority", Source: "the tenant's, where the trace has none"})...)
}

// divide hands the cluster out among the virtual clusters of the jobs.
func (r *Rule) divide(w *sim.Workload, top *cluster.Topology) ([]tenant.Tenant, error) {
	work := map[string]float64{}
	for i := range w.Jobs {
		if j := &w.Jobs[i]; j.VC != "" {
			// whole microseconds: exact while the sum is below 2^53, and else in the order of the
			// jobs
			work[j.VC] += float64(j.Work)
		}
	}
	if len(work) == 0 {
		return nil, fmt.Errorf("quotas %q: no job names a virtual cluster, expected some", r.text)
	}
	var rows []tenant.Tenant
	var parts []float64
	for vc := range work {
		rows = append(rows, tenant.Tenant{VC: strings.Clone(vc)})
	}
	slices.SortFunc(rows, func(a, b tenant.Tenant) int { return cmp.Compare(a.VC, b.VC) })
	for i := range rows {
		if r.kind == equal {
			parts = append(parts, 1)
		} else {
			parts = append(parts, work[rows[i].VC])
		}
	}
	unit := 1
	if r.machines {
		for m := range top.Machines() {
			lo, hi := top.MachineGPUs(m)
			unit = max(unit, int(hi-lo))
		}
	}
	total := int(float64(r.part * float64(top.GPUs())))
	for i, n := range apportion(parts, total/unit) {
		rows[i].GPUs = n * unit
	}
	return rows, nil
}

// fit scales quotas so that they add up to the GPUs of the cluster.
func fit(rows []tenant.Tenant, gpus int) {
	var at []int
	var parts []float64
	for i := range rows {
		if rows[i].GPUs > 0 {
			at, parts = append(at, i), append(parts, float64(rows[i].GPUs))
		}
	}
	for k, n := range apportion(parts, gpus) {
		rows[at[k]].GPUs = n
	}
}

// apportion hands out units in proportion to the parts (> 0): exactly all of them, one at least to
// each while there are enough, and then so that no tenant is further below or above its part than
// need be. Ties go to the first.
func apportion(parts []float64, units int) []int {
	out := make([]int, len(parts))
	sum, given := 0.0, 0
	for _, p := range parts {
		sum += p
	}
	least := 0
	if units >= len(parts) {
		least = 1
	}
	exact := make([]float64, len(parts))
	for i, p := range parts {
		exact[i] = float64(p / sum * float64(units))
		out[i] = max(least, int(exact[i]))
		given += out[i]
	}
	for step := 1; given != units && len(parts) > 0; given += step {
		if step = 1; given > units {
			step = -1
		}
		best := -1
		for i := range out {
			if step < 0 && out[i] <= least {
				continue
			}
			if best < 0 || float64(step)*(exact[i]-float64(out[i])) > float64(step)*(exact[best]-float64(out[best])) {
				best = i
			}
		}
		out[best] += step
	}
	return out
}
