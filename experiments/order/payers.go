package order

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tarry/experiments/sweep"
	"tarry/internal/stats"
	rows "tarry/output/results"
)

// payers adds the tables of which jobs lose: the mean completion time against Dally, by what jobs
// ask for, by how long they run, and by user.
func payers(ctx context.Context, d *sweep.Data, out map[string]string) error {
	all, err := sweep.Rows[rows.Job](ctx, d)
	if err != nil || len(all) == 0 {
		return err
	}
	j := newJobTable(d, all)
	if len(j.policies) == 0 {
		return nil
	}
	out["who_gpus"] = j.classes("GPUs", gpuClasses(), func(k *jobPair) int { return gpuClass(k.gpus) })
	out["who_run"] = j.classes("run time at full speed", runClasses(),
		func(k *jobPair) int { return runClass(k.workS) })
	out["who_users"] = j.users()
	return nil
}

func gpuClasses() []string { return []string{"1", "2 to 4", "5 to 8", "more"} }

func gpuClass(n int64) int {
	switch {
	case n <= 1:
		return 0
	case n <= 4:
		return 1
	case n <= 8:
		return 2
	}
	return 3
}

func runClasses() []string {
	return []string{"under 10 minutes", "10 minutes to 1 hour", "1 to 8 hours", "longer"}
}

func runClass(s float64) int {
	switch {
	case s < 600:
		return 0
	case s < 3600:
		return 1
	case s < 8*3600:
		return 2
	}
	return 3
}

// jobPair is a job under a policy and under Dally.
type jobPair struct {
	window       int64
	user         string
	gpus         int64
	workS        float64
	jct, dallyS  float64
	policyNumber int
}

// jobTable has the jobs of a sweep whose trials are kept.
type jobTable struct {
	policies []string
	pairs    []jobPair
	windows  int
}

func newJobTable(d *sweep.Data, all []rows.Job) *jobTable {
	j := &jobTable{}
	type key struct {
		window int64
		job    string
	}
	base := map[key]*rows.Job{}
	for i := range all {
		if c, ok := d.Cell(all[i].Keys); ok && c.Axes["kept"] != "" && all[i].Policy == "dally" {
			base[key{all[i].Replicate, all[i].ID}] = &all[i]
			j.windows = max(j.windows, int(all[i].Replicate)+1)
		}
	}
	for i := range all {
		r := &all[i]
		c, ok := d.Cell(r.Keys)
		if !ok || c.Axes["kept"] == "" || r.Policy == "dally" {
			continue
		}
		with := base[key{r.Replicate, r.ID}]
		if with == nil || !(r.JCT > 0) || !(with.JCT > 0) {
			continue
		}
		name := r.Policy
		if !strings.HasPrefix(name, "dally") {
			name = c.Axes["learner"]
		}
		at := slices.Index(j.policies, name)
		if at < 0 {
			at = len(j.policies)
			j.policies = append(j.policies, name)
		}
		// Communication does not count: placement differs between policies, and classes must not.
		j.pairs = append(j.pairs, jobPair{r.Replicate, r.User, r.GPUs, with.Compute, r.JCT, with.JCT, at})
	}
	return j
}

// classes is a table with a row per class: how many jobs, and the mean completion time against
// Dally's in per cent.
func (j *jobTable) classes(what string, names []string, class func(*jobPair) int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | share of jobs, %% | %s |\n|---|---:|%s\n", what, strings.Join(j.policies, " | "),
		strings.Repeat("---:|", len(j.policies)))
	for k, name := range names {
		n, total := 0, 0
		for i := range j.pairs {
			if j.pairs[i].policyNumber == 0 {
				total++
				if class(&j.pairs[i]) == k {
					n++
				}
			}
		}
		fmt.Fprintf(&b, "| %s | %.0f |", name, 100*float64(n)/float64(max(1, total)))
		for p := range j.policies {
			iv, ok := j.change(func(q *jobPair) bool { return q.policyNumber == p && class(q) == k })
			if !ok {
				b.WriteString(" - |")
				continue
			}
			fmt.Fprintf(&b, " %.1f [%.1f, %.1f] |", iv.Point, iv.Lo, iv.Hi)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// change is how far the mean over the jobs that keep names is above Dally's, in per cent, with an
// interval over windows.
func (j *jobTable) change(keep func(*jobPair) bool) (stats.Interval, bool) {
	jct, base := make([]float64, j.windows), make([]float64, j.windows)
	for i := range j.pairs {
		if q := &j.pairs[i]; keep(q) {
			jct[q.window] += q.jct
			base[q.window] += q.dallyS
		}
	}
	var x, y []float64
	for i := range jct {
		if base[i] > 0 {
			x, y = append(x, jct[i]), append(y, base[i])
		}
	}
	if len(x) < 2 {
		return stats.Interval{}, false
	}
	iv, err := stats.Percent(stats.Grid{x}, stats.Grid{y})
	return iv, err == nil
}

// users is a table with a row per policy: how many users of a window are worse off than under Dally
// by more than 5 %, and the mean over users of their change.
func (j *jobTable) users() string {
	var b strings.Builder
	b.WriteString("| policy | users of a window | better off by 5 % and more, % | worse off by 5 % and more, % | " +
		"median user's change, % | the worst tenth's change, % |\n|---|---:|---:|---:|---:|---:|\n")
	for p, name := range j.policies {
		type key struct {
			window int64
			user   string
		}
		var order []key
		sums := map[key]*[2]float64{}
		for i := range j.pairs {
			q := &j.pairs[i]
			if q.policyNumber != p {
				continue
			}
			k := key{q.window, q.user}
			if sums[k] == nil {
				sums[k] = &[2]float64{}
				order = append(order, k)
			}
			sums[k][0] += q.jct
			sums[k][1] += q.dallyS
		}
		better, worse := make([]float64, j.windows), make([]float64, j.windows)
		users := make([]float64, j.windows)
		var changes []float64
		for _, k := range order {
			change := 100 * (sums[k][0]/sums[k][1] - 1)
			changes = append(changes, change)
			users[k.window]++
			if change <= -5 {
				better[k.window]++
			}
			if change >= 5 {
				worse[k.window]++
			}
		}
		for w := range users {
			better[w], worse[w] = 100*better[w]/max(1, users[w]), 100*worse[w]/max(1, users[w])
		}
		up, down := stats.Student(better), stats.Student(worse)
		q := stats.Quantiles(changes, 0.5, 0.9)
		fmt.Fprintf(&b, "| %s | %.0f | %.0f [%.0f, %.0f] | %.0f [%.0f, %.0f] | %.1f | %.1f |\n", name,
			stats.Mean(users), up.Point, up.Lo, up.Hi, down.Point, down.Lo, down.Hi, q[0], q[1])
	}
	return b.String()
}
