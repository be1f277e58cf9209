package report

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"tarry/internal/stats"
	"tarry/output/results"
)

// costOf is what a policy costs in a window: the agent gets 10 cheaper with each seed, its network
// before training dearer, and the rule is dearer on later windows.
func costOf(policy string, seed, window int) float64 {
	base := 100 + 7*float64(window)
	switch policy {
	case "rule":
		return base + float64(window)
	case "untrained:ppo":
		return base + 50*float64(seed)
	}
	return base - 10*float64(seed)
}

// costRows are the rows of the table evals of one seed, three windows of each policy.
func costRows(env, name string, seed int, policies ...string) (rows []results.Eval) {
	for _, p := range policies {
		e := results.Eval{CostName: name, TrainSeed: uint64(seed)}
		e.Keys = results.Keys{Policy: p, Trace: env, Seed: results.NoSeed}
		switch p {
		case "rule":
			e.TrainSeed = results.NoSeed
		case "untrained:ppo", fmt.Sprintf("untrained:ppo-%d", seed):
		default:
			e.Agent = fmt.Sprintf("ppo of e/Queues-v0, seed %d, best, sha256 ab", seed)
		}
		for w := range 3 {
			kind := p
			if e.Agent == "" && p != "rule" {
				kind = "untrained:ppo"
			}
			e.Replicate, e.Cost = int64(w), costOf(kind, seed, w)
			rows = append(rows, e)
		}
	}
	return rows
}

// newCosts writes a sweep of agents outside the simulator: two settings and two seeds, of which the
// first measured the rule.
func newCosts(t *testing.T, names ...string) fixture {
	f := fixture{t: t, dir: t.TempDir()}
	f.write("sweep.json", `{"name": "costs", "kind": "learn"}`)
	lines := ""
	for i, setting := range []string{"a", "b"} {
		for seed := 1; seed <= 2; seed++ {
			id := fmt.Sprintf("setting=%s/seed=%d", setting, seed)
			lines += fmt.Sprintf(`{"id": %q, "seed": %d}`+"\n", id, seed)
			policies := []string{fmt.Sprintf("ppo-%d-best", seed), "untrained:ppo", "rule"}
			if seed > 1 {
				policies = policies[:2]
			}
			put(t, results.Target{Path: filepath.Join(f.dir, "cells", id, "evals", "part-0.parquet")},
				costRows("e/Queues-v0:part=test", names[i], seed, policies...))
			f.status(id, "done")
		}
	}
	f.write("cells.jsonl", lines)
	return f
}

// costTable gives the table of costs of a page.
func costTable(t *testing.T, p *Page) table {
	t.Helper()
	for _, tab := range p.Tables {
		if tab.ID == "costs" {
			return tab
		}
	}
	t.Fatalf("%d tables, expected one of costs", len(p.Tables))
	return table{}
}

// TestCosts: the table has the means of the table evals and differences in pairs, seeds of an agent
// are one row, the rule is one row that only a seed measured.
func TestCosts(t *testing.T) {
	p := read(t, newCosts(t, "wait_s", "wait_s").dir, Options{})
	tab := costTable(t, p)
	if len(tab.Rows) != 6 {
		t.Fatalf("%d rows, expected three policies in two settings", len(tab.Rows))
	}
	mean := func(policy string, seeds int) (sum float64) {
		for s := 1; s <= seeds; s++ {
			for w := range 3 {
				sum += costOf(policy, s, w)
			}
		}
		return sum / float64(3*seeds)
	}
	first := mean("ppo", 2)
	for _, setting := range []string{"a", "b"} {
		for policy, seeds := range map[string]int{"ppo": 2, "untrained:ppo": 2, "rule": 1} {
			r := row(t, tab, setting, policy)
			if got := float64(*r["mean wait"].V); math.Abs(got-mean(policy, seeds)) > 1e-9 {
				t.Errorf("%s: the mean is %v, expected %v", policy, got, mean(policy, seeds))
			}
			if *r["windows"].V != 3 || policy != "rule" && *r["seeds"].V != 2 || policy == "rule" && r["seeds"].V != nil {
				t.Errorf("%s: seeds and windows are %v", policy, r)
			}
			if policy == "ppo" {
				if r["difference"].V != nil {
					t.Error("the first is compared with itself")
				}
				continue
			}
			if got := float64(*r["difference"].V); math.Abs(got-(mean(policy, seeds)-first)) > 1e-9 {
				t.Errorf("%s: the difference is %v, expected %v", policy, got, mean(policy, seeds)-first)
			}
			if *r["first is better on"].V != 100 {
				t.Errorf("%s: the first is better on %v %%", policy, *r["first is better on"].V)
			}
		}
	}
	grid := stats.Grid{{90, 97, 104}, {80, 87, 94}}
	want, _, err := stats.Against(grid, stats.Grid{{100, 108, 116}})
	r := row(t, tab, "a", "rule")["difference"]
	if err != nil || math.Abs(float64(*r.Lo)-want.Lo) > 1e-9 || math.Abs(float64(*r.Hi)-want.Hi) > 1e-9 {
		t.Errorf("the rule's interval is %v to %v, expected %v", *r.Lo, *r.Hi, want)
	}
	if got := len(p.Hashes); got != 0 {
		t.Errorf("%d tables of hashes of no trial", got)
	}
}

// Costs of several names stand under one head, each beside its name.
func TestCostsOfSeveralNames(t *testing.T) {
	tab := costTable(t, read(t, newCosts(t, "wait_s", "missed_frac").dir, Options{First: "rule"}))
	if got := row(t, tab, "b", "ppo"); got["cost"].Text != "missed_frac" || got["difference"].V == nil ||
		*got["difference"].V != -16 || *got["mean"].V != 92 {
		t.Errorf("the row is %v, expected its cost and 16 less than the rule", got)
	}
	if got := row(t, tab, "a", "rule"); got["cost"].Text != "wait_s" || got["difference"].V != nil {
		t.Errorf("the rule's row is %v, expected no difference", got)
	}
	if _, err := NewReader(newCosts(t, "x", "x").dir, Options{First: "rul"}).Read(t.Context()); err == nil {
		t.Error("an unknown first policy is no error")
	}
}

// TestCostsOfEval: the folder of an evaluation has a page; its configuration states which policies
// are seeds of one agent, without which each has a row.
func TestCostsOfEval(t *testing.T) {
	f := fixture{t: t, dir: t.TempDir()}
	rows := append(costRows("e/Queues-v0:part=test", "wait_s", 1, "ppo-1-best"),
		costRows("e/Queues-v0:observe=all,part=test", "wait_s", 2, "ppo-2-best", "rule")...)
	put(t, results.Target{Path: filepath.Join(f.dir, "evals", "part-0.parquet")}, rows)
	f.write("config.json", `{"baselines": ["rule"]}`)
	p := read(t, f.dir, Options{})
	if tab := costTable(t, p); len(tab.Rows) != 3 || *row(t, tab, "ppo-2-best")["difference"].V != -10 {
		t.Errorf("rows are %v, expected both seeds and the rule, compared", tab.Rows)
	}
	if p.Title != "Costs in e/Queues-v0" {
		t.Errorf("the page is called %q", p.Title)
	}
	f.write("config.json", `{"baselines": ["rule"], "seeds": {"ppo (2 seeds)": ["ppo-1-best", "ppo-2-best"]}}`)
	tab := costTable(t, read(t, f.dir, Options{}))
	if len(tab.Rows) != 2 || *row(t, tab, "ppo (2 seeds)")["mean wait"].V != 92 {
		t.Errorf("rows are %v, expected the seeds together and the rule", tab.Rows)
	}
}

// TestCostsBelowAFolder: evaluations outside the simulator are found below a folder, each compared
// within itself, and a chart has the means of each.
func TestCostsBelowAFolder(t *testing.T) {
	f := fixture{t: t, dir: t.TempDir()}
	for i, name := range []string{"wait_s", "missed_frac"} {
		dir := fmt.Sprint("env", i)
		put(t, results.Target{Path: filepath.Join(f.dir, dir, "evals", "part-0.parquet")},
			costRows("e/Queues-v0:part=test", name, i+1, fmt.Sprintf("ppo-%d-best", i+1), "rule"))
		f.write(dir+"/config.json", `{"baselines": ["rule"]}`)
	}
	p := read(t, f.dir, Options{})
	tab := costTable(t, p)
	if len(tab.Rows) != 4 {
		t.Fatalf("%d rows, expected two policies of two folders", len(tab.Rows))
	}
	r := row(t, tab, "env1", "rule")
	if r["cost"].Text != "missed_frac" || math.Abs(float64(*r["difference"].V)-21) > 1e-9 || *r["windows"].V != 3 {
		t.Errorf("the rule of the second folder is %v, expected 21 above its agent", r)
	}
	c := chartOf(t, p, "cost-policies")
	if len(c.Views) != 2 || len(c.Picks) != 1 || c.Views[0].X.Label != "mean wait" || c.Views[0].X.Unit != "s" ||
		c.Views[1].X.Label != "mean missed_frac" || !slices.Equal(c.Views[1].Y.Ticks, []string{"ppo-2-best", "rule"}) {
		t.Fatalf("the chart is %+v, expected a view of each folder", c)
	}
	if s := c.Views[1].Series; s[0].X[0] != 87 || math.Abs(float64(s[1].X[0])-108) > 1e-9 || !(s[1].Lo[0] < 108) {
		t.Errorf("the means are %v and %v, expected 87 and 108", s[0].X, s[1].X)
	}
}

// TestProfileOfCosts: the profile of an evaluation outside the simulator is of its cost.
func TestProfileOfCosts(t *testing.T) {
	p := read(t, newCosts(t, "wait_s", "wait_s").dir, Options{})
	v := chartOf(t, p, "cost-profile").Views[0]
	if v.X.Label != "cost / least of all policies" || len(v.Series) != 3 || v.Series[0].Y[0] != 1 ||
		v.Series[2].Y[0] != 0 {
		t.Errorf("the profile is %+v, expected the agent to be the cheapest on every window", v)
	}
}
