package transform

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/rng"
)

// workload makes n jobs, one every ten seconds, with mixed fields.
func workload(t testing.TB, n int) *sim.Workload {
	t.Helper()
	jobs := make([]sim.Job, n)
	for i := range jobs {
		jobs[i] = sim.Job{ID: fmt.Sprint(i), Submit: sim.Time(i) * 10 * sim.Second, GPUs: 1 << (i % 4),
			Work: sim.Second * sim.Time(1+i),
			VC:   []string{"a", "b", "c"}[i%3], State: []string{"Pass", "Killed"}[i%2]}
		if i%5 == 0 {
			jobs[i].Deadline = jobs[i].Submit + 100*sim.Second
			jobs[i].Model, jobs[i].User = "own", "self"
		}
	}
	w, err := sim.NewWorkload("w", jobs, origin.Origin{Field: "work", Source: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func ids(w *sim.Workload) []string {
	var out []string
	for _, j := range w.Jobs {
		out = append(out, j.ID)
	}
	return out
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestWindow(t *testing.T) {
	w := workload(t, 10)
	before := w.Hash()
	got := must[*sim.Workload](t)(Window(w, 20*sim.Second, 50*sim.Second, false))
	if !slices.Equal(ids(got), []string{"2", "3", "4"}) || got.Jobs[0].Submit != 20*sim.Second {
		t.Errorf("kept %v, first at %v", ids(got), got.Jobs[0].Submit)
	}
	zero := must[*sim.Workload](t)(Window(w, 45*sim.Second, 65*sim.Second, true))
	if j := zero.Jobs[0]; j.ID != "5" || j.Submit != 5*sim.Second || j.Deadline != 105*sim.Second {
		t.Errorf("first job is %+v, want job 5 counted from the window's start", j)
	}
	if w.Hash() != before || len(w.Origins) != 1 || len(got.Origins) != 2 {
		t.Error("the workload given was changed, or the origins do not say what was done")
	}
	// Neighbouring windows hold every job once.
	a := must[*sim.Workload](t)(Window(w, 0, 35*sim.Second, false))
	b := must[*sim.Workload](t)(Window(w, 35*sim.Second, 1000*sim.Second, false))
	if all := append(ids(a), ids(b)...); !slices.Equal(all, ids(w)) {
		t.Errorf("two neighbouring windows hold %v", all)
	}
}

func TestSplitIsDisjoint(t *testing.T) {
	for _, n := range []int{50, 500, 777} {
		for _, gap := range []sim.Time{0, 35 * sim.Second} {
			w := workload(t, n)
			p := must[Parts](t)(Split(w, [3]float64{6, 2, 2}, gap))
			seen := map[string]string{}
			for name, part := range map[string]*sim.Workload{"train": p.Train, "validation": p.Validation,
				"test": p.Test} {
				if part.Name != "w/"+name {
					t.Errorf("the %s part is named %q", name, part.Name)
				}
				for _, j := range part.Jobs {
					if other := seen[j.ID]; other != "" {
						t.Fatalf("job %s is in %s and in %s", j.ID, other, name)
					}
					seen[j.ID] = name
				}
			}
			lost := n - len(seen)
			if gap == 0 && lost != 0 || gap > 0 && (lost < 4 || lost > 10) {
				t.Errorf("%d jobs, gap %v: %d are in no part", n, gap, lost)
			}
			if share := float64(len(p.Train.Jobs)) / float64(n); math.Abs(share-0.6) > 0.03 {
				t.Errorf("the training part holds %.3f of the jobs", share)
			}
			// In the order of time, the gap between them.
			end := func(part *sim.Workload) string { return part.Jobs[len(part.Jobs)-1].ID }
			at := func(id string) sim.Time { return w.Jobs[slices.Index(ids(w), id)].Submit }
			if at(p.Validation.Jobs[0].ID)-at(end(p.Train)) < gap || at(p.Test.Jobs[0].ID)-at(end(p.Validation)) < gap {
				t.Error("the gap between two parts is too short")
			}
		}
	}
}

func TestRescale(t *testing.T) {
	w := workload(t, 40)
	twice := must[*sim.Workload](t)(Rescale(w, 2))
	for i, j := range twice.Jobs {
		o := w.Jobs[i]
		if j.Submit*2 != o.Submit || j.Work != o.Work || o.Deadline > 0 && j.Deadline-j.Submit != o.Deadline-o.Submit {
			t.Fatalf("%+v became %+v", o, j)
		}
	}
	if back := must[*sim.Workload](t)(Rescale(twice, 0.5)); back.Hash() != w.Hash() {
		t.Error("twice as fast and half as fast is not the workload")
	}
	if same := must[*sim.Workload](t)(Rescale(w, 1)); same.Hash() != w.Hash() {
		t.Error("the factor 1 changes the jobs")
	}
}

func TestSample(t *testing.T) {
	w := workload(t, 200)
	stream := func(seed uint64) *rng.Stream { return rng.Source{Seed: seed}.Stream("sample") }
	counts := make([]int, 200)
	for seed := range uint64(500) {
		s := must[*sim.Workload](t)(Sample(w, 20, stream(seed)))
		if len(s.Jobs) != 20 {
			t.Fatalf("%d jobs, want 20", len(s.Jobs))
		}
		for _, id := range ids(s) {
			counts[slices.Index(ids(w), id)]++
		}
	}
	for i, n := range counts { // 500 x 0.1, deviation 6.7
		if n < 50-34 || n > 50+34 {
			t.Errorf("job %d is in %d of 500 samples, want about 50", i, n)
		}
	}
	if a, b := must[*sim.Workload](t)(Sample(w, 20, stream(1))),
		must[*sim.Workload](t)(Sample(w, 20, stream(1))); a.Hash() != b.Hash() {
		t.Error("the same stream gives another sample")
	}
	if all := must[*sim.Workload](t)(Sample(w, 1000, stream(1))); all.Hash() != w.Hash() {
		t.Error("a sample larger than the workload is not the workload")
	}
}

func TestFilter(t *testing.T) {
	w := workload(t, 60)
	got := must[*sim.Workload](t)(Filter(w, Criteria{VCs: []string{"a", "c"}, States: []string{"Pass"}, MinGPUs: 4,
		MaxGPUs: 4}))
	for _, j := range got.Jobs {
		if j.VC == "b" || j.State != "Pass" || j.GPUs != 4 {
			t.Errorf("kept %+v", j)
		}
	}
	if last := got.Origins[len(got.Origins)-1].Source; last != "jobs with vc a or c, state Pass, at least 4 GPUs, "+
		"at most 4 GPUs" {
		t.Errorf("the origin says %q", last)
	}
	if all := must[*sim.Workload](t)(Filter(w, Criteria{})); all.Hash() != w.Hash() {
		t.Error("no criteria do not select all")
	}
	// Selecting by one and then by another is selecting by both.
	one := must[*sim.Workload](t)(Filter(must[*sim.Workload](t)(Filter(w, Criteria{VCs: []string{"a"}})),
		Criteria{States: []string{"Pass"}}))
	both := must[*sim.Workload](t)(Filter(w, Criteria{VCs: []string{"a"}, States: []string{"Pass"}}))
	if one.Hash() != both.Hash() {
		t.Error("two filters in a row differ from their conjunction")
	}
}

func TestAttach(t *testing.T) {
	w := workload(t, 400)
	n := Naming{Users: 3, Models: []Models{{1, []Share{{"small", 1}}}, {4, []Share{{"big", 1}, {"bigger", 3}}}}}
	got := must[*sim.Workload](t)(Attach(w, n, rng.Source{Seed: 2}))
	count := map[string]int{}
	for i, j := range got.Jobs {
		old := w.Jobs[i]
		if old.Model != "" {
			if j.Model != old.Model || j.User != old.User || j.Drawn != 0 {
				t.Fatalf("a name that the trace holds was drawn over: %+v", j)
			}
			continue
		}
		count[j.Model]++
		if (j.Model == "small") != (j.GPUs < 4) || j.Drawn != origin.Model|origin.User || j.User == "" {
			t.Fatalf("named %+v", j)
		}
	}
	if r := float64(count["bigger"]) / float64(count["big"]); r < 2 || r > 4.5 {
		t.Errorf("weights 3 to 1 gave %v", count)
	}
	if len(got.Origins) != 3 || !strings.Contains(got.Origins[1].Source, "from 4 GPUs by weight big 1, bigger 3") {
		t.Errorf("origins %v", got.Origins)
	}
	// Jobs without a name draw the same whether or not their neighbours have one.
	n.Replace = true
	all := must[*sim.Workload](t)(Attach(w, n, rng.Source{Seed: 2}))
	for i := range all.Jobs {
		if w.Jobs[i].Model == "" && (all.Jobs[i].Model != got.Jobs[i].Model || all.Jobs[i].User != got.Jobs[i].User) {
			t.Fatal("a neighbour's own name moved the draws")
		}
		if all.Jobs[i].Model == "own" {
			t.Fatal("Replace kept a name")
		}
	}
	paper := must[*sim.Workload](t)(Attach(w, Naming{Models: PaperModels()}, rng.Source{}))
	if paper.Jobs[1].Model == "" {
		t.Error("the paper's models named nothing")
	}
}

func TestWrongArguments(t *testing.T) {
	w := workload(t, 10)
	s := rng.Source{}.Stream("x")
	for name, c := range map[string]struct {
		run  func() (*sim.Workload, error)
		want string
	}{
		"window backwards": {func() (*sim.Workload, error) { return Window(w, 5, 5, true) },
			"window 5e-06s to 5e-06s, expected 0 <= from < to"},
		"empty window": {func() (*sim.Workload, error) { return Window(w, 1, 2, false) },
			`workload "w": no job of 10 is left after: jobs submitted in [1e-06s, 2e-06s)`},
		"rescale by zero": {func() (*sim.Workload, error) { return Rescale(w, 0) },
			"rescale by 0, expected a number > 0"},
		"rescale by NaN": {func() (*sim.Workload, error) { return Rescale(w, math.NaN()) },
			"rescale by NaN, expected a number > 0"},
		"sample of none": {func() (*sim.Workload, error) { return Sample(w, 0, s) },
			"sample of 0 jobs, expected at least 1"},
		"no such vc": {func() (*sim.Workload, error) { return Filter(w, Criteria{VCs: []string{"z"}}) },
			`workload "w": no job of 10 is left after: jobs with vc z`},
		"shares": {func() (*sim.Workload, error) {
			p, err := Split(w, [3]float64{1, 0, 1}, 0)
			return p.Train, err
		}, "split shares [1 0 1], expected three numbers > 0"},
		"gap": {func() (*sim.Workload, error) {
			p, err := Split(w, [3]float64{1, 1, 1}, 40*sim.Second)
			return p.Train, err
		}, "split of 90s into shares [1 1 1] leaves no room for gaps of 40s"},
		"classes": {func() (*sim.Workload, error) {
			return Attach(w, Naming{Users: -1, Models: []Models{{4, []Share{{"a", 1}}},
				{2, []Share{{"", 1}, {"b", -1}}}}}, rng.Source{})
		}, "models of class 1 start at 2 GPUs, expected more than the class before, 4\nmodel \"\" with weight 1, " +
			"expected a name and a weight >= 0\n" +
			"model \"b\" with weight -1, expected a name and a weight >= 0\nmodels of class 1 have weights that sum " +
			"to 0, expected more than 0\n-1 users, expected >= 0"},
	} {
		if _, err := c.run(); err == nil || err.Error() != c.want {
			t.Errorf("%s: got\n%v\nwant\n%s", name, err, c.want)
		}
	}
}
