package tune

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/optimisers"
	"tarry/catalogue/shipped"
	"tarry/env/schedenv"
	"tarry/output/results"
	"tarry/run/trial"
)

const onSmall = "tarry/DelayTimer-v0:cluster=2x2x4,windows=6,warm=2,horizon=6,lease_s=1800,load=1.2"

// small is a short run.
func small(optimiser string) Config {
	c := Default()
	c.Env, c.Policy, c.Optimiser = onSmall, "dally-manual", optimiser
	c.Params = []string{"t_rack=0.05:20:log", "t_net=0.05:40:log", "order=network|fifo"}
	c.Budget, c.Windows, c.Validation, c.Candidates = 24, 3, 3, 2
	return c
}

// contents reads every file below a folder.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		out[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func mustRun(t testing.TB, c Config, o Options) Outcome {
	t.Helper()
	out, err := Run(context.Background(), shipped.All(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Every optimiser of the catalogue leaves the same bytes with one worker and with three, and after
// stops at any place.
func TestSameBytes(t *testing.T) {
	for _, o := range optimisers.All() {
		t.Run(o.Name, func(t *testing.T) {
			t.Parallel()
			c := small(o.Name)
			c.Budget = 13
			a, b, d := t.TempDir(), t.TempDir(), t.TempDir()
			if o.Name == "ucb1" || o.Name == "thompson" {
				c.Optimiser += ":arms=6"
			}
			out := mustRun(t, c, Options{Out: a, Workers: 1})
			if !(out.Best.Validation <= out.Reference.Validation) || out.Windows > c.Budget*c.Windows ||
				out.Windows < c.Budget*c.Windows/2 {
				t.Errorf("outcome %+v", out)
			}
			mustRun(t, c, Options{Out: b, Workers: 3})
			want := contents(t, a)
			if !reflect.DeepEqual(want, contents(t, b)) {
				t.Error("three workers leave other bytes")
			}
			stops := 0
			for n := 4; ; n += 25 { // stop after ever more simulations
				ctx, cancel := context.WithCancel(context.Background())
				left := n
				_, err := Run(ctx, shipped.All(), c, Options{Out: d, Resume: true, Workers: 2, Watch: func(Progress) {
					if left--; left == 0 {
						cancel()
					}
				}})
				cancel()
				if err == nil {
					break
				}
				if stops++; !errors.Is(err, ErrInterrupted) {
					t.Fatal(err)
				}
			}
			if stops == 0 {
				t.Error("nothing was stopped")
			}
			if !reflect.DeepEqual(want, contents(t, d)) {
				t.Error("after stops it leaves other bytes")
			}
			mustRun(t, c, Options{Out: d, Resume: true}) // it has ended
			if !reflect.DeepEqual(want, contents(t, d)) {
				t.Error("resuming a run that has ended changes it")
			}
		})
	}
}

// The table states what was measured: a simulation by hand gives the same numbers, pairs are of the
// same windows, and best is the running minimum.
func TestRows(t *testing.T) {
	for _, cost := range Costs() {
		t.Run(cost, func(t *testing.T) { rowsOf(t, cost) })
	}
}

func rowsOf(t *testing.T, cost string) {
	dir := t.TempDir()
	c := small("halving:candidates=6")
	c.Cost = cost
	out := mustRun(t, c, Options{Out: dir})
	rows, err := results.ReadDir[results.Tune](context.Background(), filepath.Join(dir, "tune"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := prepare(shipped.All(), &c, c.Env)
	if err != nil {
		t.Fatal(err)
	}
	byHand := func(spec string, part schedenv.Part, i int) float64 {
		fresh, err := p.policy(spec)
		if err != nil {
			t.Fatal(err)
		}
		w, err := p.on.Source.Window(part, i)
		if err != nil {
			t.Fatal(err)
		}
		got, err := trial.Run(context.Background(), []trial.Trial{{Workload: w, Topology: p.on.Topology, Policy: fresh,
			Speed: p.on.Speed, Costs: p.on.Costs}}, trial.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return got[0].Row.JCTMean
	}
	best, stages, whole := math.NaN(), map[string]int{}, 0.0
	for i, r := range rows {
		stages[r.Stage]++
		part := schedenv.Train
		if r.Stage == "validation" {
			part = schedenv.Validation
		}
		mean, diff := 0.0, 0.0
		for w := r.WindowFrom; w < r.WindowFrom+r.Windows; w++ {
			v := byHand(r.Policy, part, int(w))
			mean += v / float64(r.Windows)
			switch ref := byHand(c.Policy, part, int(w)); cost {
			case "ratio":
				diff += (v - ref) / byHand("dally", part, int(w)) / float64(r.Windows)
			case "log":
				diff += math.Log(v/ref) / float64(r.Windows)
			default:
				diff += (v - ref) / float64(r.Windows)
			}
		}
		if i == 0 {
			whole = mean
		}
		scale := whole
		switch {
		case cost != "mean":
			scale = 1
		case part == schedenv.Validation:
			scale = 0
			for w := range c.Validation {
				scale += byHand(c.Policy, part, w) / float64(c.Validation)
			}
		}
		if math.Abs(r.Mean-mean) > 1e-9*mean || math.Abs(r.Diff-diff/scale) > 1e-9 {
			t.Errorf("row %d: mean %v, difference %v, expected %v, %v", i, r.Mean, r.Diff, mean, diff/scale)
		}
		if shift := r.Cost - rows[0].Cost; cost != "mean" && part == schedenv.Train && r.Windows == int64(c.Windows) &&
			math.Abs(shift-r.Diff) > 1e-9 || cost == "mean" && r.Cost != r.Mean {
			t.Errorf("row %d: cost %v, %v more than the reference's; the difference is %v", i, r.Cost, shift, r.Diff)
		}
		if r.Stage == "search" && r.Windows == int64(c.Windows) && !(best <= r.Diff) {
			best = r.Diff
		}
		if r.Step != int64(i) || !(r.Best == best || math.IsNaN(best) && math.IsNaN(r.Best)) || i > 0 &&
			r.Jobs < rows[i-1].Jobs {
			t.Errorf("row %d is %+v, best so far %v", i, r, best)
		}
	}
	last := rows[len(rows)-1]
	if stages["reference"] != 1 || stages["validation"] != c.Candidates+1 || int(last.Sims) != out.Simulations ||
		int(last.Jobs) != out.Jobs {
		t.Errorf("stages %v, last row %+v, outcome %+v", stages, last, out)
	}
}

// The folder is read again: the scheduler, and the windows that it saw.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	c := small("random")
	out := mustRun(t, c, Options{Out: dir, Version: "v1"})
	got, err := OpenWith(shipped.All(), nil, dir)
	if err != nil {
		t.Fatal(err)
	}
	if got.Policy != out.Best.Policy || len(got.Seen.Seen) != 9 || got.Env != c.Env || got.Optimiser != c.Optimiser ||
		got.Seed != c.Seed {
		t.Errorf("opened %+v, %d windows seen", got, len(got.Seen.Seen))
	}
	m, err := results.ReadManifest(dir)
	if err != nil || m.Verify(dir) != nil || len(m.Files) != 5 || m.Version != "v1" {
		t.Errorf("manifest %+v, %v, %v", m, err, m.Verify(dir))
	}
	windows := filepath.Join(dir, windowsName)
	text, err := os.ReadFile(windows)
	if err != nil {
		t.Fatal(err)
	}
	var seen map[string]any
	if err := json.Unmarshal(text, &seen); err != nil {
		t.Fatal(err)
	}
	for key, v := range seen { // fewer windows, of which the file is still a good one
		if list, ok := v.([]any); ok && len(list) > 1 {
			seen[key] = list[:1]
		}
	}
	shorter, err := json.Marshal(seen)
	if err == nil {
		err = os.WriteFile(windows, shorter, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenWith(shipped.All(), nil, dir); err == nil ||
		!strings.Contains(err.Error(), windowsName+" changed since tarry tune wrote it") {
		t.Errorf("with fewer windows: %v", err)
	}
	if err := os.WriteFile(windows, text, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, gone := range [][2]string{{bestName, "has not ended"}, {configName, "is not the folder of a run"}} {
		name, want := gone[0], gone[1]
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenWith(shipped.All(), nil, dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without %s: %v, expected %s", name, err, want)
		}
	}
}

// All faults are reported at once, in words that help.
func TestFaults(t *testing.T) {
	for name, f := range map[string]struct {
		change func(c *Config)
		want   []string
	}{
		"everything": {func(c *Config) {
			*c = Config{Env: "tarry/DelayTimer-v0:lod=1", Policy: "daly", Params: []string{"a=1"}, Optimiser: "cma",
				Metric: "jct", Budget: -1}
		}, []string{"budget: -1, expected 1..1000000", "\nwindows: 0", "validation windows: 0", "candidates: 0",
			`metric "jct", expected one of jct_mean`, `unknown key "lod"`,
			`policy "daly": unknown`, `parameter a is "1"`, `optimiser "cma": unknown`}},
		"names": {func(c *Config) {
			c.Policy, c.Params = "dally-manual:t_net=3", []string{"t_rak=1:2", "t_net=1:2", "return=true|false"}
		}, []string{`policy dally-manual has no parameter "t_rak", expected one of lease, t_rack, t_net,`,
			`did you mean "t_rack"?`, `parameter t_net is set in policy "dally-manual:t_net=3"`,
			`policy dally-manual has no parameter "return", expected one of lease, t_rack,`}},
		"no parameter": {func(c *Config) { c.Params = nil },
			[]string{"no parameter, expected NAME=LO:HI", "policy dally-manual has lease, t_rack"}},
		"none to tune": {func(c *Config) { c.Policy = "scatter" }, []string{"policy scatter has no parameter to " +
			"tune, t_rack is not one"}},
		"ranges": {func(c *Config) { c.Params = []string{"t_rack=-3:5", "order=network|lifo", "lease=0:10"} }, []string{
			`parameter t_rack at -3: policy dally-manual: t_rack is "-3", expected a number >= 0`,
			`parameter order at lifo: policy dally-manual: order is "lifo"`, "parameter lease at 0:"}},
		"lists": {func(c *Config) { c.Policy, c.Params = "tiresias", []string{"queues/1=1:2", "queues/x=1:2"} },
			[]string{"parameter queues/1: expected queues/0", "parameter queues/x: expected queues/1"}},
		"part": {func(c *Config) { c.Env += ",part=test" }, []string{"part is test, expected train"}},
		"many": {func(c *Config) { c.Windows, c.Validation = 7, 8 },
			[]string{"7 windows of train, expected at most 6", "8 windows of validation, expected at most 6"}},
		"no scheduler": {func(c *Config) { c.Env = "classic/CartPole-v1" },
			[]string{"has no cluster, expected one over the simulator"}},
		"no env":   {func(c *Config) { c.Env = "" }, []string{"no environment, expected ID"}},
		"settings": {func(c *Config) { c.Optimiser = "cmaes:sigma=x" }, []string{"optimiser cmaes: sigma is"}},
	} {
		c := small("random")
		f.change(&c)
		_, err := Run(context.Background(), shipped.All(), c, Options{Out: t.TempDir()})
		if checked := Check(shipped.All(), c, t.TempDir()); err == nil || checked == nil ||
			err.Error() != checked.Error() {
			t.Errorf("%s: %v against %v", name, err, checked)
			continue
		}
		for _, want := range f.want {
			if strings.Count(err.Error(), want) != 1 {
				t.Errorf("%s gives\n%v\nexpected once: %s", name, err, want)
			}
		}
	}
}

// A folder of another run is left alone.
func TestFolders(t *testing.T) {
	dir := t.TempDir()
	c := small("random")
	c.Budget = 2
	mustRun(t, c, Options{Out: dir})
	was := contents(t, dir)
	other := c
	other.Budget, other.Seed = 3, 9
	for _, f := range []struct {
		c      Config
		resume bool
		want   string
	}{{c, false, "holds a run already; --resume continues it"}, {other, true, "the run is of another configuration " +
		"than its config.json: budget was 2, now 3; seed was 1, now 9"}} {
		if _, err := Run(context.Background(), shipped.All(), f.c, Options{Out: dir, Resume: f.resume}); err == nil ||
			!strings.Contains(err.Error(), f.want) {
			t.Errorf("error %v, expected %s", err, f.want)
		}
	}
	if !reflect.DeepEqual(was, contents(t, dir)) {
		t.Error("a run that was refused changed the folder")
	}
	for name, change := range map[string]func([]byte) []byte{"damaged": func(b []byte) []byte { b[30] ^= 4; return b },
		"cut": func(b []byte) []byte { return b[:len(b)/2] }} {
		if err := os.WriteFile(filepath.Join(dir, stateName), change([]byte(was[stateName])), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(context.Background(), shipped.All(), c, Options{Out: dir, Resume: true}); err == nil ||
			!strings.Contains(err.Error(), "truncated or damaged") {
			t.Errorf("a %s state gives %v", name, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, configName), []byte(`{"env":"x"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Recorded(dir); err == nil || !strings.Contains(err.Error(), "is not of a run of tarry tune") {
		t.Errorf("the configuration of something else gives %v", err)
	}
}

// Values that do not go together are worse than all others, and the search continues.
func TestRefusedValues(t *testing.T) {
	dir := t.TempDir()
	c := small("random")
	c.Policy, c.Params = "tiresias", []string{"queues/0=1000:50000:log", "queues/1=2000:90000:log"}
	mustRun(t, c, Options{Out: dir})
	rows, err := results.ReadDir[results.Tune](context.Background(), filepath.Join(dir, "tune"))
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, r := range rows {
		if math.IsInf(r.Diff, 1) {
			refused++
			if r.Stage == "validation" {
				t.Errorf("a point that is refused is a candidate: %+v", r)
			}
		}
	}
	if refused == 0 || refused > len(rows)/2 {
		t.Errorf("%d of %d points are refused, the test wants some", refused, len(rows))
	}
}

// The metrics are columns of the table trials, and the root of the product of two.
func TestMetrics(t *testing.T) {
	s := results.Summary{JCTMean: 1, JCTP95: 2, JCTP99: 3, QueueMean: 4, QueueP99: 5, SlowdownMean: 6, BSLDMean: 9,
		Makespan: 8}
	var got []float64
	for _, m := range Metrics() {
		got = append(got, metric(m, &s))
	}
	if !slices.Equal(got, []float64{1, 2, 3, 4, 5, 6, 9, 8, 3}) {
		t.Errorf("metrics %v", got)
	}
}

// FuzzDecode: no bytes make the decoder of a state panic.
func FuzzDecode(f *testing.F) {
	c := small("random")
	c.Budget = 1
	dir := f.TempDir()
	mustRun(f, c, Options{Out: dir})
	data := contents(f, dir)
	f.Add([]byte(data[stateName]))
	owner := sum([]byte(data[configName])) + sum([]byte(data[windowsName]))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := &run{owner: owner, bench: &bench{memo: map[place]outcome{}}}
		if _, err := r.decode(b); err == nil && len(b) < 100 {
			t.Error("a state of nothing is taken")
		}
	})
}

// A configuration without a cost is of an earlier version and has the mean; ratios need a policy
// that finishes every job.
func TestCosts(t *testing.T) {
	c := small("random")
	c.Cost, c.Against = "", ""
	if p, err := prepare(shipped.All(), &c, c.Env); err != nil || p.cfg.Cost != "" {
		t.Errorf("cost %q, %v", c.Cost, err)
	}
	c.Cost = "ration"
	if err := Check(shipped.All(), c, ""); err == nil || !strings.Contains(err.Error(), `did you mean "ratio"`) {
		t.Errorf("a wrong cost gives %v", err)
	}
	c.Cost, c.Against = "ratio", "daly"
	if err := Check(shipped.All(), c, ""); err == nil || !strings.Contains(err.Error(), "daly") {
		t.Errorf("a wrong policy to compare with gives %v", err)
	}
	c = small("random")
	c.Metric = "queue_mean"
	c.Env = strings.Replace(onSmall, "load=1.2", "load=0.01", 1)
	if _, err := Run(context.Background(), shipped.All(), c, Options{Out: t.TempDir()}); err == nil ||
		!strings.Contains(err.Error(), "expected a finite number above 0 for cost ratio") {
		t.Errorf("ratios to nothing give %v", err)
	}
}
