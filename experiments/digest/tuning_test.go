package digest

import (
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/experiments/sweep"
	"tarry/internal/stats"
	"tarry/output/results"
)

// mixed plans a sweep that trains and one that tunes, of which nothing is run. Both have an axis
// learner and three seeds.
func mixed(t *testing.T) *sweep.Data {
	t.Helper()
	const env = "tarry/DelayTimer-v0:load={load}"
	load := sweep.Axis{Name: "load", Values: []string{"0.9"}}
	var dirs []string
	for _, s := range []sweep.Spec{
		{Name: "trained", Kind: "learn", Base: sweep.Settings{"env": env},
			Axes: []sweep.Axis{load, {Name: "learner", Cases: []sweep.Case{{Name: "ppo",
				Set: sweep.Settings{"agent": "ppo"}}}}}},
		{Name: "tuned", Kind: "tune", Base: sweep.Settings{"env": env, "policy": "dally-manual"},
			Axes: []sweep.Axis{load, {Name: "learner", Cases: []sweep.Case{{Name: "evolved",
				Set: sweep.Settings{"optimiser": "cmaes"}}}}, {Name: "t_rack", Optimise: "0.1:10:log"}}},
	} {
		s.Seeds = sweep.FirstSeeds(3)
		dirs = append(dirs, filepath.Join(t.TempDir(), s.Name))
		if _, err := sweep.Plan(shipped.All(), dirs[len(dirs)-1], s, "test", false); err != nil {
			t.Fatal(err)
		}
	}
	d, err := sweep.OpenData(dirs...)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// evalRows makes rows of what each cell fitted, and of two baselines in the cells that have them.
// Seed 2 tuned to the baseline dally-manual as it stands; seed 1 called its own something else.
func evalRows(t *testing.T, d *sweep.Data, baselines func(c *sweep.Cell) bool) []results.Eval {
	t.Helper()
	var out []results.Eval
	for _, f := range d.Folders {
		for i := range f.Len() {
			c, err := f.Cell(i)
			if err != nil {
				t.Fatal(err)
			}
			for w := range 4 {
				hard := 3600 * math.Pow(2, float64(w))
				add := func(policy, agent string, mean float64) {
					out = append(out, results.Eval{Keys: results.Keys{Experiment: f.Spec.Name, Cell: c.ID,
						Policy: policy, Replicate: int64(w)}, Agent: agent,
						Summary: results.Summary{JCTMean: mean}})
				}
				switch {
				case c.Kind == "learn":
					add("ppo-best", "ppo", hard*(0.9+0.02*float64(c.Seed)))
				case c.Seed == 2:
					add("dally-manual", "tuned", hard)
				default:
					add("dally-manual:t_rack=1", "tuned", hard*0.8)
				}
				if baselines(&c) {
					add("dally-manual", "", hard)
					add("fifo", "", 3*hard)
				}
			}
		}
	}
	return out
}

// Trained and tuned policies stand in one figure, each with its seeds and beside baselines that are
// one row; nothing moves when the baselines are in the cells of the first seed alone.
func TestMixed(t *testing.T) {
	d := mixed(t)
	tables := map[string]*Table{}
	for name, has := range map[string]func(c *sweep.Cell) bool{
		"always": func(*sweep.Cell) bool { return true },
		"once":   func(c *sweep.Cell) bool { return c.Seed == 1 },
	} {
		table, err := NewLearned(d, evalRows(t, d, has), "learner").table("load", "learner", "jct_mean_s")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(table.Series, " "); got != "ppo dally-manual fifo evolved" {
			t.Fatalf("%s: series %s", name, got)
		}
		for s, want := range []int{3, 1, 1, 3} {
			c := table.cells[place{0, s}]
			if g := c.grid(c.seeds, c.units); len(g) != want || len(g[0]) != 4 {
				t.Errorf("%s: %s has %d rows of %d units, want %d of 4", name, table.Series[s], len(g), len(g[0]), want)
			}
		}
		tables[name] = table
	}
	always, err := tables["always"].Relative("dally-manual")
	if err != nil {
		t.Fatal(err)
	}
	once, err := tables["once"].Relative("dally-manual")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-6, 0, 200, -100 * (0.2 + 0.2) / 3} {
		if math.Abs(once[i].Y[0]-want) > 1e-9 {
			t.Errorf("%s against dally-manual: %v %%, want %v", once[i].Name, once[i].Y[0], want)
		}
		if once[i].Y[0] != always[i].Y[0] || i != 1 && (once[i].Lo[0] != always[i].Lo[0] ||
			once[i].Hi[0] != always[i].Hi[0] || math.IsNaN(once[i].Lo[0])) {
			t.Errorf("%s: %v [%v, %v] with baselines once, %v [%v, %v] with them always", once[i].Name, once[i].Y[0],
				once[i].Lo[0], once[i].Hi[0],
				always[i].Y[0], always[i].Lo[0], always[i].Hi[0])
		}
	}
	for _, table := range tables {
		if fifo := table.Means()[2]; fifo.Y[0] != 3*15.0/4 {
			t.Errorf("fifo has mean %v", fifo.Y[0])
		}
	}
}

// Rows of a grid are one when they have units in common and are equal there.
func TestTogether(t *testing.T) {
	none := math.NaN()
	for _, c := range []struct {
		g    stats.Grid
		want []float64
	}{
		{stats.Grid{{1, 2}}, []float64{1, 2}},
		{stats.Grid{{1, 2}, {1, 2}}, []float64{1, 2}},
		{stats.Grid{{1, none}, {1, 2}}, []float64{1, 2}},
		{stats.Grid{{1, 2, none}, {none, 2, 3}}, []float64{1, 2, 3}},
		{stats.Grid{{1, 2}, {1, 3}}, nil},
		{stats.Grid{{1, none}, {none, 2}}, nil}, // nothing in common: two seeds, each with a part
	} {
		if got := together(c.g); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.g, got, c.want)
		}
	}
}

// What was fitted is called after its axis, or else after what it is.
func TestFittedName(t *testing.T) {
	for want, c := range map[string]sweep.Cell{
		"a":                   {Kind: "learn", Axes: map[string]string{"learner": "a"}},
		"ppo":                 {Kind: "learn"},
		"sac":                 {Kind: "learn", Settings: sweep.Settings{"agent": "sac"}},
		"cmaes(dally-manual)": {Kind: "tune", Settings: sweep.Settings{"policy": "dally-manual"}},
		"tpe:startup=3(fifo)": {Kind: "tune", Settings: sweep.Settings{"policy": "fifo", "optimiser": "tpe:startup=3"}},
	} {
		if got := fittedName(&c, "learner"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// The curve of tuning is over the windows that were spent, and only of the search.
func TestTuning(t *testing.T) {
	d := mixed(t)
	var rows []results.Tune
	for seed, first := range map[string]float64{"1": -0.1, "2": -0.3} {
		cell := "load=0.9/learner=evolved/seed=" + seed
		for i, r := range []results.Tune{{Stage: "reference", Best: math.NaN(), Windows: 8},
			{Stage: "search", Best: first, Windows: 8}, {Stage: "search", Best: first - 0.1, Windows: 8},
			{Stage: "validation", Best: -9, Windows: 8}} {
			r.Keys = results.Keys{Experiment: "tuned", Cell: cell, Policy: strings.Repeat("x", i+1)}
			rows = append(rows, r)
		}
	}
	b := NewLearned(d, nil, "learner")
	b.Tuning("tuning", "how tuning went", "learner", rows)
	figures, err := b.Figures()
	if err != nil || len(figures) != 1 || figures[0].Name != "tuning" {
		t.Fatalf("%d figures, %v", len(figures), err)
	}
	for i, want := range []string{"evolved 8 -20", "evolved 16 -30"} {
		// and two rows of each seed
		if got := strings.Join(figures[0].Rows[i][:3], " "); len(figures[0].Rows) != 6 || got != want {
			t.Errorf("row %d is %s, want %s", i, got, want)
		}
	}
	b.Tuning("none", "nothing", "learner", nil)
	if _, err := b.Figures(); err == nil ||
		err.Error() != "figure none: no update or point of a done cell has a value" {
		t.Errorf("%v", err)
	}
}

// What is optimised is no axis of a figure: cells do not differ in it.
func TestGenericAxes(t *testing.T) {
	d := mixed(t)
	if x, series := genericAxes(d, nil); x != "load" || series != "learner" {
		t.Errorf("got %s and %s", x, series)
	}
	d.Folders = d.Folders[1:]
	d.Folders[0].Spec.Axes = d.Folders[0].Spec.Axes[1:]
	if x, series := genericAxes(d, nil); x != "" || series != "learner" {
		t.Errorf("got %q and %s", x, series)
	}
}

// Series are along an axis at which baselines stay what they are: one of the agent, not one of the
// jobs.
func TestGenericAxesOfTraining(t *testing.T) {
	for _, c := range []struct{ axes, x, series string }{
		{"load", "load", PolicyAxis}, {"gamma", "", "gamma"}, {"gamma load", "load", "gamma"},
		{"load gamma", "load", "gamma"},
	} {
		s := sweep.Spec{Name: "trained", Kind: "learn", Seeds: sweep.FirstSeeds(2),
			Base: sweep.Settings{"env": "tarry/DelayTimer-v0:load=0.9"}}
		if strings.Contains(c.axes, "load") {
			s.Base["env"] = "tarry/DelayTimer-v0:load={load}"
		}
		for name := range strings.FieldsSeq(c.axes) {
			s.Axes = append(s.Axes, sweep.Axis{Name: name, Values: []string{"0.7", "0.9"}})
		}
		dir := filepath.Join(t.TempDir(), "trained")
		if _, err := sweep.Plan(shipped.All(), dir, s, "test", false); err != nil {
			t.Fatal(err)
		}
		d, err := sweep.OpenData(dir)
		if err != nil {
			t.Fatal(err)
		}
		var evals []results.Eval
		for i := range d.Folders[0].Len() {
			cell, err := d.Folders[0].Cell(i)
			if err != nil {
				t.Fatal(err)
			}
			for _, agent := range []string{"", "ppo"} {
				evals = append(evals, results.Eval{Keys: results.Keys{Experiment: s.Name, Cell: cell.ID, Policy: "p" +
					agent}, Agent: agent,
					Summary: results.Summary{JCTMean: float64(len(agent) * i), WorkloadSHA256: "w" +
						cell.Axes["load"]}})
			}
		}
		if x, series := genericAxes(d, evals); x != c.x || series != c.series {
			t.Errorf("axes %s: got %q and %q, want %q and %q", c.axes, x, series, c.x, c.series)
		}
	}
}
