package play_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/light"
	"tarry/catalogue/simulation"
	"tarry/run/compare"
	"tarry/run/config"
	"tarry/run/play"
	"tarry/run/printed"
	"tarry/run/trial"
)

// words is a small comparison.
func words(more ...string) []string {
	return append(strings.Fields("--trace synth:demo,jobs=40 --cluster ethernet:2x2x8 "+
		"--policy dally-manual:t_rack=2,t_net=4 --policy tiresias"), more...)
}

func run(t *testing.T, words []string) *play.Result {
	t.Helper()
	r, err := play.Run(t.Context(), words, light.All(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestLikeCommand: the cells are the command's, by the settings as fields and with all that tarry
// ships, with other speeds, costs and seeds too.
func TestLikeCommand(t *testing.T) {
	for _, c := range []struct {
		words []string
		set   func(c *config.Config)
	}{
		{words("--replicates", "3"), func(c *config.Config) { c.Replicates = 3 }},
		{words("--seed=7"), func(c *config.Config) { c.Seed = 7 }},
		{words("--replicates", "2", "--speed", "contended:rack=0.25,network=0.5", "--cost", "start_s=10"),
			func(c *config.Config) {
				c.Replicates, c.Speed = 2, "contended:rack=0.25,network=0.5"
				if err := c.SetCosts("start_s=10"); err != nil {
					t.Fatal(err)
				}
			}},
	} {
		got, err := run(t, c.words).Answer()
		if err != nil {
			t.Fatal(err)
		}
		own := config.Default()
		own.Trace, own.Cluster = "synth:demo,jobs=40", "ethernet:2x2x8"
		own.Policies = []string{"dally-manual:t_rack=2,t_net=4", "tiresias"}
		c.set(&own)
		s, err := config.Build(own, simulation.All())
		if err != nil {
			t.Fatal(err)
		}
		done, err := trial.Run(t.Context(), s.Trials(), trial.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows := compare.Rows(s, own.Policies, done)
		if err := compare.WithFirst(s, rows); err != nil {
			t.Fatal(err)
		}
		for p, row := range rows {
			for _, k := range row.Cells(true) {
				want := k.Digits()
				if k.IsText() {
					want = k.Text
				}
				if have := got.Cells[p][k.Name]; have != want {
					t.Errorf("%v: %s of %s is %q, expected %q", c.words, k.Name, row.Policy, have, want)
				}
			}
			if text := row.Difference(compare.UnitOf(rows)); text != got.Completion[p] {
				t.Errorf("difference %q, expected %q", got.Completion[p], text)
			}
		}
	}
}

// TestWaits: the mean waits of replicates average to the command's, and their differences have an
// interval where there are several.
func TestWaits(t *testing.T) {
	a, err := run(t, words("--replicates", "4")).Answer()
	if err != nil {
		t.Fatal(err)
	}
	unit := printed.Unit{Short: a.Unit.Name, Seconds: a.Unit.Seconds, Decimals: a.Unit.Decimals}
	for p, seeds := range a.Seeds {
		wait, completion := 0.0, 0.0
		for _, s := range seeds {
			wait, completion = wait+*s.Wait/4, completion+*s.Completion/4
		}
		want := func(name string) string { return a.Measures[slices.IndexFunc(a.Measures, named(name))].Shown[p] }
		if got := compare.Rounded("queue_mean_s", wait, unit); got != want("queue_mean_s") {
			t.Errorf("waits of %s average to %s, expected %s", a.Policies[p], got, want("queue_mean_s"))
		}
		if got := compare.Rounded("jct_mean_s", completion, unit); got != want("jct_mean_s") {
			t.Errorf("completion times of %s average to %s, expected %s", a.Policies[p], got, want("jct_mean_s"))
		}
	}
	if a.Wait[0] != "-" || !strings.Contains(a.Wait[1], "[") || a.Over != "replicates" {
		t.Errorf("differences of waits %q over %s", a.Wait, a.Over)
	}
	if one, err := run(t, words()).Answer(); err != nil || one.Wait[1] != "-" || one.Over != "jobs" {
		t.Errorf("one replicate: %+v, %v", one, err)
	}
}

func named(name string) func(play.Measure) bool {
	return func(m play.Measure) bool { return m.Name == name }
}

// TestWarnings: a queue that grows is warned of, as the command does; the table has the same line.
func TestWarnings(t *testing.T) {
	a, err := run(t, words("--trace", "synth:demo,jobs=200", "--speed", "contended:rack=0.9,network=0.95")).Answer()
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Warnings) == 0 || !strings.Contains(a.Table, a.Warnings[0]) {
		t.Errorf("warnings %q beside\n%s", a.Warnings, a.Table)
	}
}

// TestFaults names what is wrong with the words, all at once.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ words, want string }{
		{"--trace synth:demo --policy", "--policy has no value"},
		{"--trace synth:demo --police fifo", "--police is not a flag of a setting"},
		{"--preset paper", "--preset is not a flag of a setting"},
		{"--seed x --cluster 0x1x1 --policy fifo", "--seed: "},
		{"--trace synth:demo --cluster 0x1x1 --policy fifo", "--cluster: "},
		{"--trace philly:x.csv --policy fifo", "philly"},
		{"--trace synth:demo --policy pollux", "pollux"},
		{"--trace synth:demo", "no policy"},
	} {
		_, err := play.Run(t.Context(), strings.Fields(c.words), light.All(), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", c.words, err, c.want)
		}
	}
}

// TestServe: outside a browser the program states what it is for.
func TestServe(t *testing.T) {
	if err := play.Serve(light.All()); err == nil || !strings.Contains(err.Error(), "GOOS=js") {
		t.Error(err)
	}
}

// TestStops: a context that ends stops the comparison.
func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := play.Run(ctx, words(), light.All(), nil); err == nil {
		t.Error("no error")
	}
}

// TestReplay: the spans of a schedule are the run: waits and use follow from them, no GPU has two
// jobs, and every job ends once.
func TestReplay(t *testing.T) {
	parts := []float64{}
	r, err := play.Run(t.Context(), words("--replicates", "2"), light.All(), func(p float64) { parts = append(parts, p) })
	if err != nil {
		t.Fatal(err)
	}
	if len(parts) == 0 || parts[len(parts)-1] != 1 || !slices.IsSorted(parts) {
		t.Errorf("progress %v, expected a rise to 1", parts)
	}
	a, err := r.Answer()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Replay(2); err == nil {
		t.Error("replicate 2 of 2 has a schedule")
	}
	for replicate := range 2 {
		schedules, err := r.Replay(replicate)
		if err != nil {
			t.Fatal(err)
		}
		for p, s := range schedules {
			checkSchedule(t, &s, *a.Seeds[p][replicate].Wait, *a.Seeds[p][replicate].Completion)
		}
	}
}

func checkSchedule(t *testing.T, s *play.Schedule, wait, completion float64) {
	t.Helper()
	if len(s.Machines) != 4 || s.Machines[3].Rack != 1 || s.Machines[3].GPUs != 8 {
		t.Fatalf("machines %+v", s.Machines)
	}
	waits, ends, finished := make([]float64, len(s.Jobs)), make([]float64, len(s.Jobs)), 0
	for j := range s.Jobs {
		ends[j] = s.Jobs[j].Submit
	}
	busy := map[int]float64{} // GPU -> until when
	spans := slices.SortedFunc(slices.Values(s.Spans), func(a, b play.Span) int {
		if a.Start != b.Start {
			return int(math.Copysign(1, a.Start-b.Start))
		}
		return int(a.End*1e6 - b.End*1e6)
	})
	for _, span := range spans {
		n := 0
		for _, g := range span.GPUs {
			n += g[1]
			for k := range g[1] {
				if busy[g[0]+k] > span.Start {
					t.Errorf("%s: GPU %d has two jobs at %v", s.Name, g[0]+k, span.Start)
				}
				busy[g[0]+k] = span.End
			}
		}
		if int64(n) != s.Jobs[span.Job].GPUs || span.Share != 1 || span.Level == "" {
			t.Errorf("%s: %+v for %+v", s.Name, span, s.Jobs[span.Job])
		}
		waits[span.Job] += span.Start - ends[span.Job]
		if ends[span.Job] = span.End; span.Ended == "finish" {
			finished++
		}
	}
	var gotWait, gotCompletion float64
	for j := range s.Jobs {
		gotWait += waits[j] / float64(len(s.Jobs))
		gotCompletion += (ends[j] - s.Jobs[j].Submit) / float64(len(s.Jobs))
	}
	if finished != len(s.Jobs) || math.Abs(gotWait-wait) > 1e-6 || math.Abs(gotCompletion-completion) > 1e-6 {
		t.Errorf("%s: %d of %d jobs end, wait %v, completion %v; expected %v, %v", s.Name, finished, len(s.Jobs),
			gotWait, gotCompletion, wait, completion)
	}
}
