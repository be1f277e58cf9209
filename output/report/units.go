package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/internal/stats"
	"tarry/output/figure"
	"tarry/output/knows"
	"tarry/output/results"
	"tarry/sim/param"
)

// metric is one number of a trial.
type metric struct {
	name, title, unit string
	get               func(*results.Summary) float64
}

// metrics lists the numbers in the order in which they are shown.
func metrics() []metric {
	type sum = results.Summary
	return []metric{
		{"jct_mean_s", "JCT mean", "s", func(s *sum) float64 { return s.JCTMean }},
		{"jct_p50_s", "JCT p50", "s", func(s *sum) float64 { return s.JCTP50 }},
		{"jct_p95_s", "JCT p95", "s", func(s *sum) float64 { return s.JCTP95 }},
		{"jct_p99_s", "JCT p99", "s", func(s *sum) float64 { return s.JCTP99 }},
		{"queue_mean_s", "queueing mean", "s", func(s *sum) float64 { return s.QueueMean }},
		{"queue_p99_s", "queueing p99", "s", func(s *sum) float64 { return s.QueueP99 }},
		{"makespan_s", "makespan", "s", func(s *sum) float64 { return s.Makespan }},
		{"comm_frac", "communication", "%", func(s *sum) float64 { return 100 * s.CommFrac }},
		{"gpu_util_frac", "GPUs held", "%", func(s *sum) float64 { return 100 * s.GPUUtil }},
		{"slowdown_mean", "slowdown mean", "", func(s *sum) float64 { return s.SlowdownMean }},
		{"preemptions", "preemptions", "", func(s *sum) float64 { return float64(s.Preemptions) }},
	}
}

// join writes axes as load=0.9, cluster=4x4x8, without the one named but.
func join(axes []axisValue, but string) string {
	var parts []string
	for _, a := range axes {
		if a.Name != but {
			parts = append(parts, a.Name+"="+a.Value)
		}
	}
	return strings.Join(parts, ", ")
}

// place reports what the runs of a cell are compared by. A cell with one policy carries the name
// that its axis gives it, or its name without parameters: an axis may vary these.
func place(runs []*run, c *sweepCell, axes []axisValue, number int) {
	policies := map[string]bool{}
	for _, r := range runs {
		policies[r.policy] = true
	}
	for _, r := range runs {
		r.cell, r.id, r.axes = number, c.ID, axes
		if len(policies) == 1 {
			r.policy, _, _ = strings.Cut(r.policy, ":")
			for _, a := range axes {
				if a.Name == "policy" {
					r.policy = a.Value
				}
			}
		}
		r.setting = join(axes, "policy")
		r.seed = c.Seed
	}
}

// settle does so outside sweeps: a setting is what differs in the keys.
func settle(runs []*run) {
	cols := [...]struct {
		name string
		get  func(*results.Keys) string
	}{
		{"trace", func(k *results.Keys) string { return k.Trace }},
		{"cluster", func(k *results.Keys) string { return k.Cluster }},
		{"speed", func(k *results.Keys) string { return k.Speed }},
		{"placement", func(k *results.Keys) string { return k.Placement }},
	}
	for _, c := range cols {
		for _, r := range runs {
			if c.get(&r.row.Keys) != c.get(&runs[0].row.Keys) {
				for _, r := range runs {
					r.axes = append(r.axes, axisValue{c.name, c.get(&r.row.Keys)})
				}
				break
			}
		}
	}
	for _, r := range runs {
		r.setting, r.seed = join(r.axes, ""), r.row.Seed
	}
}

// unit is one independent observation of a policy in a setting: a seed, or a replicate when there
// is one seed. Its numbers are means over its trials.
type unit struct {
	key  string
	runs []*run
	x    []float64       // in the order of metrics
	at   map[string]*run // by window, where intervals are over windows too
}

// group1 is a policy in a setting.
type group1 struct {
	setting, policy string
	axes            []axisValue
	units           []unit
	over            string // what the units are
	// fitted states that it was trained or tuned. windows, when set, states that intervals are over
	// seeds and these windows; found are the estimates made so far, by metric.
	fitted  bool
	windows []string
	found   []stats.Interval
}

// groups holds everything that is compared.
type groups struct {
	settings, policies []string
	by                 map[[2]string]*group1 // setting, policy
	first              string
	chosen             bool              // first was asked for
	colour             map[string]int    // of each policy, as in the figures
	labels             map[string]string // names for readers
	blind              map[string]bool   // policies of which a run does not know the work that is left
	cost               bool              // of costs outside the simulator
}

// group sorts runs into groups; settings are in the order in which they come, policies in the given
// order, others behind in the order in which they come.
func group(runs []*run, opt Options, order []string) (*groups, error) {
	first := opt.First
	g := &groups{by: map[[2]string]*group1{}, blind: map[string]bool{},
		cost: len(runs) > 0 && runs[0].costName != ""}
	raw := map[[2]string][]*run{}
	for _, r := range runs {
		k := [2]string{r.setting, r.policy}
		if raw[k] == nil {
			if !slices.Contains(g.settings, r.setting) {
				g.settings = append(g.settings, r.setting)
			}
			if !slices.Contains(g.policies, r.policy) {
				g.policies = append(g.policies, r.policy)
			}
		}
		raw[k] = append(raw[k], r)
		if !knows.Row(&r.row.Summary, r.row.Policy, opt.Policies) {
			g.blind[r.policy] = true
		}
	}
	rank := func(policy string) int {
		if i := slices.Index(order, policy); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(g.policies, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	g.colour = figure.Appearances(g.policies)
	for k, list := range raw {
		g.by[k] = &group1{setting: k[0], policy: k[1], axes: list[0].axes, fitted: list[0].fitted}
	}
	for _, s := range g.settings {
		g.unite(s, raw)
	}
	if len(g.policies) > 0 {
		g.first = g.policies[0]
	}
	if first != "" && len(runs) > 0 {
		if !slices.Contains(g.policies, first) {
			return nil, asked("no trial of policy %q, expected one of %s%s", first, strings.Join(g.policies, ", "),
				param.Hint(first, g.policies))
		}
		g.first, g.chosen = first, true
	}
	return g, nil
}

// shown is the name of a policy, with a mark if it is clairvoyant.
func (g *groups) shown(policy string) string {
	if g.blind[policy] {
		return g.called(policy)
	}
	return g.called(policy) + knows.Mark
}

// called is the label of a policy, or else its name.
func (g *groups) called(policy string) string { return cmp.Or(g.labels[policy], policy) }

// key explains the mark, as the last sentence of a note; "" = no row has it.
func (g *groups) key() string {
	if slices.ContainsFunc(g.policies, func(p string) bool { return !g.blind[p] }) {
		return " " + knows.Key + "."
	}
	return ""
}

// unite makes the units of all policies of a setting: seeds if any policy has several, and of costs.
func (g *groups) unite(setting string, raw map[[2]string][]*run) {
	seeds, bySeed := map[uint64]bool{}, false
	for _, p := range g.policies {
		for _, r := range raw[[2]string{setting, p}] {
			seeds[r.seed] = true
			bySeed = len(seeds) > 1 || r.costName != ""
		}
	}
	for _, p := range g.policies {
		one := g.by[[2]string{setting, p}]
		if one == nil {
			continue
		}
		one.over = "replicates"
		if bySeed {
			one.over = "seeds"
		}
		at := map[string]int{}
		for _, r := range raw[[2]string{setting, p}] {
			key := strconv.FormatInt(r.row.Replicate, 10)
			if bySeed {
				key = strconv.FormatUint(r.seed, 10)
			}
			i, there := at[key]
			if !there {
				i = len(one.units)
				at[key] = i
				one.units = append(one.units, unit{key: key})
			}
			one.units[i].runs = append(one.units[i].runs, r)
		}
		for i := range one.units {
			one.units[i].average()
		}
	}
	if bySeed {
		g.twoLevels(setting)
	}
}

// value gives a metric of a trial, or the cost.
func (r *run) value(m *metric) float64 {
	if r.costName != "" {
		return r.cost
	}
	return m.get(&r.row.Summary)
}

// average sets the unit's numbers.
func (u *unit) average() {
	for _, m := range metrics() {
		var x []float64
		for _, r := range u.runs {
			if v := r.value(&m); !math.IsNaN(v) {
				x = append(x, v)
			}
		}
		u.x = append(u.x, stats.Mean(x))
	}
}

// values gives a metric of every unit.
func (one *group1) values(m int) []float64 {
	x := make([]float64, len(one.units))
	for i, u := range one.units {
		x[i] = u.x[m]
	}
	return x
}
