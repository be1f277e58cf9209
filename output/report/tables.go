package report

import (
	"fmt"
	"math"
	"slices"

	"tarry/internal/stats"
)

// columnsOf are the axes of the settings, for tables: axes that any group has, in their order.
func (g *groups) columnsOf() []string {
	var names []string
	for _, s := range g.settings {
		for _, p := range g.policies {
			if one := g.by[[2]string{s, p}]; one != nil {
				for _, a := range one.axes {
					if a.Name != "policy" && !slices.Contains(names, a.Name) {
						names = append(names, a.Name)
					}
				}
			}
		}
	}
	return names
}

// head starts a table: columns of the setting, the policy, and how many units.
func (g *groups) head(id, title string) table {
	t := table{ID: id, Title: title, Rows: [][]cell{}}
	for _, name := range g.columnsOf() {
		t.Columns = append(t.Columns, column{Name: name})
	}
	t.Columns = append(t.Columns, column{Name: "policy"}, column{Name: "n", Num: true,
		Help: "independent observations: seeds, or replicates (windows) of one seed; of what was not trained or " +
			"tuned, beside what was, windows"})
	return t
}

// lead gives the first cells of a group's row.
func (g *groups) lead(one *group1) []cell {
	var row []cell
	for _, name := range g.columnsOf() {
		value := ""
		for _, a := range one.axes {
			if a.Name == name {
				value = a.Value
			}
		}
		row = append(row, cell{Text: value})
	}
	return append(row, cell{Text: g.shown(one.policy)}, cell{V: number(float64(one.n()))})
}

// each visits the groups in the order of tables until the bound; it notes what is left out.
func (g *groups) each(f *folder, title string, visit func(*group1)) {
	n := 0
	for _, s := range g.settings {
		for _, p := range g.policies {
			one := g.by[[2]string{s, p}]
			if one == nil {
				continue
			}
			if n++; n <= maxRows {
				visit(one)
			}
		}
	}
	if n > maxRows {
		f.note("table %q: %d rows are left out, the page takes %d", title, n-maxRows, maxRows)
	}
}

// means is the table of every group's metrics, each with Student's interval over its units.
func (g *groups) means(f *folder) table {
	t := g.head("means", "Results by policy")
	t.Note = "Means over seeds, or over the replicates or windows of one seed, with Student's 95 % interval on the " +
		"logarithm below; of fewer than 10 skewed numbers it holds less. Percentiles are means of each trial's " +
		"percentile." + g.bothLevels() + g.key()
	for _, m := range metrics() {
		t.Columns = append(t.Columns, column{Name: m.title, Unit: m.unit, Num: true, Help: m.name})
	}
	left := g.anyLeft()
	if left {
		t.Columns = append(t.Columns, column{Name: "finished", Unit: "%", Num: true,
			Help: "share of the jobs that finished; the means are over these"})
		f.note("not all jobs finished (see the column finished): means and percentiles are over jobs that did, and " +
			"policies that finished different jobs are not compared")
	}
	if text := g.overloaded(); text != "" {
		f.note("%s", text)
	}
	g.each(f, t.Title, func(one *group1) {
		row := g.lead(one)
		for m := range metrics() {
			row = append(row, interval(one.estimate(m)))
		}
		if v := one.finishedFrac(); left && v >= 0 {
			row = append(row, cell{V: number(v)})
		} else if left {
			row = append(row, cell{V: number(100)})
		}
		t.Rows = append(t.Rows, row)
	})
	return t
}

// interval is a cell of an estimate.
func interval(i stats.Interval) cell {
	c := cell{V: number(i.Point)}
	if !math.IsNaN(i.Lo) && !math.IsNaN(i.Hi) {
		c.Lo, c.Hi = number(i.Lo), number(i.Hi)
	}
	return c
}

// differences is the table of every policy minus the first, in pairs.
func (g *groups) differences(f *folder) table {
	first := g.firstName()
	t := g.head("differences", "Differences against "+first)
	t.Note = "Each policy minus " + first + " on the same jobs and seeds, with Student's 95 % intervals over the " +
		"pairs, of the ratio on its logarithm. " +
		"An interval marked ▼ lies below zero, one marked ▲ above. With one pair the interval of the mean " +
		"completion time is over its jobs: it states how much jobs differ, not how much another run would." +
		g.bothLevels() + g.key()
	t.Columns = append(t.Columns, column{Name: "over", Help: "what the interval is over"})
	for _, m := range metrics()[:8] {
		t.Columns = append(t.Columns, column{Name: m.title, Unit: m.unit, Num: true, Help: m.name})
	}
	apart := 0
	t.Columns = append(t.Columns, column{Name: "JCT ratio", Num: true, Help: "mean completion time / mean of " + first})
	g.each(f, t.Title, func(one *group1) {
		base := g.base(one.setting)
		if base == nil || one == base {
			return
		}
		if !one.sameJobs(base) {
			if apart++; apart <= maxApart {
				f.note("%s is not compared with %s%s: they did not finish the same jobs", g.called(one.policy),
					g.called(base.policy), where(one.setting))
			}
			return
		}
		if len(one.windows) > 0 {
			t.Rows = append(t.Rows, append(g.lead(one), one.against(base)...))
			return
		}
		a, b := pairs(one, base)
		if len(a) == 0 {
			return
		}
		row := g.lead(one)
		row[len(row)-1] = cell{V: number(float64(len(a)))}
		t.Rows = append(t.Rows, append(row, compare(one, a, b)...))
	})
	if apart > maxApart {
		f.note("%d more pairs of policies are not compared for the same reason", apart-maxApart)
	}
	return t
}

// maxApart bounds the remarks on policies that are not compared.
const maxApart = 20

// where names a setting in a sentence.
func where(setting string) string {
	if setting == "" {
		return ""
	}
	return " at " + setting
}

// pairs gives the units of two groups that have the same key.
func pairs(a, b *group1) (x, y []unit) {
	at := map[string]int{}
	for i, v := range b.units {
		at[v.key] = i
	}
	for _, u := range a.units {
		if i, there := at[u.key]; there {
			x, y = append(x, u), append(y, b.units[i])
		}
	}
	return x, y
}

// compare gives the cells of a paired comparison: over what, one per metric, the ratio.
func compare(one *group1, a, b []unit) []cell {
	over := one.over
	var row []cell
	var ratio stats.Interval
	for m := range metrics()[:8] {
		x, y := make([]float64, len(a)), make([]float64, len(a))
		for i := range a {
			x[i], y[i] = a[i].x[m], b[i].x[m]
		}
		if len(x) == 1 && m == 0 {
			if p, q, ok := jobsOf(a[0], b[0]); ok {
				x, y, over = p, q, "jobs"
			}
		}
		c, err := stats.Paired(x, y)
		if err != nil {
			row = append(row, cell{})
			continue
		}
		k := interval(c.Diff)
		k.Sign = c.Diff.Sign(0) // the bounds are clean of rounding
		if m == 0 {
			ratio = c.Ratio
		}
		row = append(row, k)
	}
	if len(a) == 1 && over != "jobs" {
		over = ""
	}
	return append(append([]cell{{Text: over}}, row...), interval(ratio))
}

// jobsOf gives the completion times of the same jobs under two policies, when each ran once on the
// same workload and the jobs were read.
func jobsOf(a, b unit) (x, y []float64, ok bool) {
	if len(a.runs) != 1 || len(b.runs) != 1 {
		return nil, nil, false
	}
	p, q := a.runs[0], b.runs[0]
	return p.jct, q.jct, len(p.jct) > 1 && len(p.jct) == len(q.jct) && p.row.WorkloadSHA256 == q.row.WorkloadSHA256
}

// hashes lists what identifies the trials.
func (f *folder) hashes() {
	t := table{ID: "hashes", Title: "Configuration hashes", Rows: [][]cell{}, Columns: []column{
		{Name: "trial"}, {Name: "config_sha256"}, {Name: "workload_sha256"}, {Name: "version"}}}
	for i, r := range f.runs {
		if i == maxRows {
			f.note("table %q: %d rows are left out, the page takes %d", t.Title, len(f.runs)-i, maxRows)
			break
		}
		t.Rows = append(t.Rows, []cell{{Text: r.name()}, {Text: r.row.ConfigSHA256}, {Text: r.row.WorkloadSHA256},
			{Text: r.row.Version}})
	}
	if len(t.Rows) > 0 {
		f.page.Hashes = append(f.page.Hashes, t)
	}
}

// name distinguishes a trial from the others.
func (r *run) name() string { return r.named(r.row.Policy) }

// named is the name with another text for the policy.
func (r *run) named(policy string) string {
	if r.id == "" {
		s := policy
		if r.setting != "" {
			s += ", " + r.setting
		}
		return fmt.Sprintf("%s, replicate %d", s, r.row.Replicate)
	}
	return fmt.Sprintf("%s: %s, replicate %d", r.id, policy, r.row.Replicate)
}
