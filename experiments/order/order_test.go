package order

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarry/baselines/score"
	"tarry/catalogue/shipped"
	"tarry/experiments/questions"
	"tarry/experiments/sweep"
	rows "tarry/output/results"
	"tarry/sim/param"
)

// grid gives the cells of the question's sweeps at full scale, by sweep.
func grid(t *testing.T) map[string][]sweep.Cell {
	t.Helper()
	out := map[string][]sweep.Cell{}
	for _, s := range questions.Shipped("order").Opened().Specs(sweep.Full) {
		cells, err := s.Cells(shipped.All())
		if err != nil {
			t.Fatal(err)
		}
		out[s.Name] = cells
	}
	if len(out) < 10 {
		t.Fatalf("%d sweeps", len(out))
	}
	return out
}

// number is a setting of a cell.
func number(t *testing.T, c *sweep.Cell, key string) int {
	t.Helper()
	n, err := strconv.Atoi(fmt.Sprint(c.Settings[key]))
	if err != nil {
		t.Fatalf("%s: %s: %v", c.ID, key, err)
	}
	return n
}

// The rules together have more simulated windows than one training, as the file states, on a light
// setting and on the heavy one; every learner has as many as the others.
func TestBudgets(t *testing.T) {
	for at, want := range map[string][2]int{"recur-0.9": {14_528, 8_192}, "philly": {3_680, 2_048}} {
		rules := 0
		for _, cells := range grid(t) {
			for i := range cells {
				c := &cells[i]
				if c.Axes["setting"] != at || c.Seed != 1 {
					continue
				}
				if c.Kind == "tune" {
					rules += number(t, c, "budget") * number(t, c, "windows")
					continue
				}
				if n := number(t, c, "generations") * number(t, c, "population") * number(t, c, "windows"); n != want[1] {
					t.Errorf("%s plays %d windows, want %d", c.ID, n, want[1])
				}
			}
		}
		if rules != want[0] {
			t.Errorf("%s: the rules play %d windows, want %d", at, rules, want[0])
		}
	}
}

// Variants leave out what their names state, and each has an environment of its own.
func TestVariants(t *testing.T) {
	missing := map[string]string{"no-rank": "rank pressure_rank rank2",
		"no-pressure": "pressure_rank pressure_gpus pressure_attained",
		"no-squares":  "rank2 gpus2 attained2 age2 wait2", "no-network": "exposed slowed level"}
	seen := map[string]string{}
	for _, c := range grid(t)["order-ablation"] {
		on, name := fmt.Sprint(c.Settings["env"]), c.Axes["variant"]
		if other, ok := seen[on]; ok && other != name {
			t.Errorf("%s has the environment of %s, %s", name, other, on)
		}
		seen[on] = name
		want, ok := missing[name]
		if !ok {
			continue
		}
		delete(missing, name)
		has := strings.Split(param.Parse("", on).Text("features", ""), "+")
		left := slices.DeleteFunc(score.BaseTerms(), func(n string) bool { return slices.Contains(has, n) })
		if strings.Join(left, " ") != want || len(has)+len(left) != len(score.BaseTerms()) {
			t.Errorf("%s is without %q, want %q", name, left, want)
		}
	}
	if len(missing) > 0 {
		t.Errorf("no variants %v", missing)
	}
}

// What the tables name is in the sweeps.
func TestNamesAreOfTheGrid(t *testing.T) {
	got, beside := map[string]bool{}, ""
	for name, cells := range grid(t) {
		for i := range cells {
			got[cells[i].Axes["setting"]], got[cells[i].Axes["learner"]] = true, true
			got[cells[i].Axes["variant"]] = true
			if name == "order-ablation" {
				beside += fmt.Sprint(cells[i].Settings["evaluate"])
			}
		}
	}
	for _, name := range append(append(settings(), learnerNames()...), whole) {
		if !got[name] {
			t.Errorf("no cell of %s", name)
		}
	}
	if !strings.Contains(beside, yardstick) {
		t.Errorf("beside the variants stand %s, not %s", beside, yardstick)
	}
}

func TestWeightTable(t *testing.T) {
	text := "batch,1,gpus,0.5\nbatch,2,gpus,0.7\nweek,1,gpus,-0.1\nweek,2,gpus,0.1\nbatch,1,age,-1\nbatch,2,age,1\n" +
		"week,1,age,-1\nweek,2,age,1\n"
	want := "| weight | batch | week |\n|---|---:|---:|\n"
	got := weightTable(text)
	if !strings.HasPrefix(got, want) || strings.Contains(got, "age") {
		t.Errorf("%s", got)
	}
	if weightTable("") != "" {
		t.Error("a table without weights")
	}
}

// Shares of users and of jobs, by hand: one window has two users, of whom one gains and one loses.
func TestPayers(t *testing.T) {
	j := &jobTable{policies: []string{"order-linear"}, windows: 2, pairs: []jobPair{
		{window: 0, user: "a", gpus: 1, workS: 60, jct: 50, dallyS: 100},
		{window: 0, user: "b", gpus: 16, workS: 7200, jct: 120, dallyS: 100},
		{window: 1, user: "a", gpus: 1, workS: 60, jct: 50, dallyS: 100},
		{window: 1, user: "b", gpus: 16, workS: 7200, jct: 120, dallyS: 100},
	}}
	if got := j.users(); !strings.Contains(got, "| order-linear | 2 | 50 [50, 50] | 50 [50, 50] | -15.0 |") {
		t.Errorf("%s", got)
	}
	got := j.classes("GPUs", gpuClasses(), func(q *jobPair) int { return gpuClass(q.gpus) })
	for _, want := range []string{"| 1 | 50 | -50.0 [-50.0, -50.0] |", "| more | 50 | 20.0 [20.0, 20.0] |",
		"| 5 to 8 | 0 | - |"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nhas no %s", got, want)
		}
	}
}

func TestNameOf(t *testing.T) {
	c := &sweep.Cell{Axes: map[string]string{"learner": "rule"}}
	if got := nameOf(c, &rows.Eval{Agent: "x"}); got != "rule" {
		t.Errorf("%q", got)
	}
	if got := nameOf(c, &rows.Eval{Keys: rows.Keys{Policy: "dally"}}); got != "dally" {
		t.Errorf("%q", got)
	}
}
