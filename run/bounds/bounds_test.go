package bounds

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/schedulers"
	"tarry/catalogue/simulation"
	"tarry/run/config"
	"tarry/run/trial"
	"tarry/sim"
	"tarry/sim/cluster"
)

func policy(spec string) (sim.Policy, error) {
	_, fresh, err := schedulers.All().Parse(spec, cluster.BestFit)
	if err != nil {
		return nil, err
	}
	return fresh()
}

// measured gives the trials of dally-nowait on some windows, and the trials of the bounds.
func measured(t *testing.T, windows int) (own, more []trial.Trial) {
	t.Helper()
	c := config.Default()
	c.Trace, c.Cluster, c.Policies, c.Replicates = "synth:demo,jobs=120,load=1.1", "ethernet:4x2x8",
		[]string{"dally-nowait"}, windows
	s, err := config.Build(c, simulation.All())
	if err != nil {
		t.Fatal(err)
	}
	own = s.Trials()
	if more, err = Trials(own, policy); err != nil {
		t.Fatal(err)
	}
	return own, more
}

// run gives the results, which are the same for any number of workers.
func run(t *testing.T, of []trial.Trial) []*trial.Result {
	t.Helper()
	done, err := trial.Run(context.Background(), of, trial.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	again, err := trial.Run(context.Background(), of, trial.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range done {
		if done[i].Row.JCTMean != again[i].Row.JCTMean {
			t.Errorf("trial %d: mean %v with two workers, %v with one", i, done[i].Row.JCTMean, again[i].Row.JCTMean)
		}
	}
	return done
}

// Each bound is what its definition states of the candidates' results, on the windows of the
// policies.
func TestBounds(t *testing.T) {
	const windows = 4
	own, more := measured(t, windows)
	if want := windows * (1 + len(Timers()) + 3); len(more) != want {
		t.Fatalf("%d trials, expected %d", len(more), want)
	}
	for i := range more {
		name, _, _ := strings.Cut(more[i].Keys.Policy, "/")
		if more[i].Workload != own[i%windows].Workload || more[i].Keys.Replicate != int64(i%windows) ||
			!slices.Contains(Names(), name) ||
			more[i].Config == own[i%windows].Config {
			t.Errorf("trial %d is %+v", i, more[i].Keys)
		}
	}
	done := run(t, more)
	picked := Pick(done, windows, 1)
	names := map[string]bool{}
	for b, runs := range picked {
		for w, r := range runs {
			if names[r.Row.Policy] = true; r.Row.Policy != Names()[b] || r.Row.Replicate != int64(w) {
				t.Errorf("bound %d, window %d is %+v", b, w, r.Row.Keys)
			}
		}
	}
	if len(names) != len(Names()) || len(names) != 6 {
		t.Errorf("rows are %v", names)
	}
	// The placebo of a window is the pair that is best on the other half, which hindsight cannot be
	// worse than.
	for w := range windows {
		at, best := 0, math.Inf(1)
		for k := range Timers() {
			sum := 0.0
			for v := (w + 1) % 2; v < windows; v += 2 {
				sum += done[(1+k)*windows+v].Row.JCTMean
			}
			if sum < best {
				at, best = k, sum
			}
		}
		got := picked[2][w].Row.JCTMean
		if want := done[(1+at)*windows+w].Row.JCTMean; got != want || got < picked[1][w].Row.JCTMean {
			t.Errorf("window %d: the placebo has %v, expected %v and no less than %v", w, got, want,
				picked[1][w].Row.JCTMean)
		}
	}
	mean := func(of []*trial.Result) (sum float64) {
		for _, r := range of {
			sum += r.Row.JCTMean
		}
		return sum
	}
	hindsight, alone := 0, false
	for w := range windows {
		best := math.Inf(1)
		for k := range Timers() {
			best = min(best, done[(1+k)*windows+w].Row.JCTMean)
		}
		if got := picked[1][w].Row.JCTMean; got != best {
			t.Errorf("window %d: the best static timers give %v, expected %v", w, got, best)
		}
		if picked[1][w].Row.JCTMean < done[windows+w].Row.JCTMean { // than no wait
			hindsight++
		}
	}
	for k := range Timers() {
		alone = alone || mean(done[(1+k)*windows:(2+k)*windows]) == mean(picked[1])
	}
	at := windows * (1 + len(Timers()))
	srpt, srsf := mean(done[at:at+windows]), mean(done[at+windows:at+2*windows])
	if got := mean(picked[3]); got != min(srpt, srsf) || srpt == srsf {
		t.Errorf("the clairvoyant bound is %v of %v and %v", got, srpt, srsf)
	}
	if got := mean(picked[5]); got >= mean(picked[3]) {
		t.Errorf("the planner that knows the work has %v, the greedy order %v", got, mean(picked[3]))
	}
	if hindsight == 0 || alone {
		t.Errorf("hindsight helps in %d windows (one pair is best in all: %v): the case is too easy", hindsight, alone)
	}
	plain := run(t, own)
	for w := range windows {
		if b, p := picked[0][w].Row, plain[w].Row; b.JCTMean >= p.JCTMean || b.CommMean >= p.CommMean {
			t.Errorf("window %d: best shape has mean %v and communication %v, the same order without it %v and %v", w,
				b.JCTMean, b.CommMean, p.JCTMean, p.CommMean)
		}
	}
}

// Where one candidate is the best on both halves the placebo is the bound, and the note notes it;
// elsewhere it does not.
func TestPlaceboOfOneChoice(t *testing.T) {
	const windows = 4
	done := func(of func(candidate, window int) float64) (out []*trial.Result) {
		k := 0
		for _, b := range All() {
			for _, spec := range b.candidates {
				for w := range windows {
					r := &trial.Result{}
					r.Row.JCTMean, r.Row.Keys.Policy = of(k, w), b.Name+"/"+spec
					r.JCT = []float64{of(k, w)}
					out = append(out, r)
				}
				k++
			}
		}
		return out
	}
	notes := func(of func(candidate, window int) float64) string {
		jct := map[string][]float64{}
		for i, runs := range Pick(done(of), windows, 1) {
			for _, r := range runs {
				jct[Names()[i]] = append(jct[Names()[i]], r.Row.JCTMean)
			}
		}
		return Explain(jct)
	}
	last := len(Timers()) + 2
	one := notes(func(k, w int) float64 { return float64(100 - k + w) })
	if want := Key + "\nplacebo:static-timers equals hindsight:static-timers: the choice is the same on both halves " +
		"of the windows" +
		"\nplacebo:clairvoyant equals hindsight:clairvoyant: the choice is the same " +
		"on both halves of the windows"; one != want {
		t.Errorf("notes %q, want %q", one, want)
	}
	two := notes(func(k, w int) float64 { // each of the clairvoyant orders is best on its half
		if k == last && w%2 == 0 || k == 1+w {
			return 1
		}
		return 100
	})
	if two != Key {
		t.Errorf("notes %q, want the key alone", two)
	}
	if got := Explain(map[string][]float64{"dally": {1, 2}}); got != "" {
		t.Errorf("without bounds the note is %q", got)
	}
}

// Where the speed of a job depends on who else runs there is no row of a planner, and the note
// states it.
func TestCoupledSpeedsHaveNoPlanner(t *testing.T) {
	c := config.Default()
	c.Trace, c.Cluster, c.Speed, c.Policies = "synth:demo,jobs=30", "2x2x4", "contended", []string{"dally"}
	s, err := config.Build(c, simulation.All())
	if err != nil {
		t.Fatal(err)
	}
	more, err := Trials(s.Trials(), policy)
	if err != nil {
		t.Fatal(err)
	}
	want := slices.DeleteFunc(Names(), func(name string) bool { return name == Hindsight+"rollout" })
	if got := NamesOf(more); !slices.Equal(got, want) {
		t.Errorf("rows %v, expected %v", got, want)
	}
	names, whole := With(c.Policies, append(run(t, s.Trials()), run(t, more)...), 1)
	if len(names) != 1+len(want) || len(whole) != len(names) {
		t.Errorf("rows %v with %d results, expected dally and %v", names, len(whole), want)
	}
	jct := map[string][]float64{}
	for i, r := range whole {
		jct[names[i]] = append(jct[names[i]], r.Row.JCTMean)
	}
	if text := Explain(jct); !strings.HasSuffix(text, "\nhindsight:rollout is left out: "+unforeseen) {
		t.Errorf("the note is %q", text)
	}
}

// A catalogue that lacks a candidate is an error that names the bound.
func TestMissingCandidate(t *testing.T) {
	own, _ := measured(t, 1)
	_, err := Trials(own, func(spec string) (sim.Policy, error) { return nil, fmt.Errorf("no %s", spec) })
	if err == nil || !strings.Contains(err.Error(), "ideal:best-shape: no dally-nowait") {
		t.Errorf("error %v", err)
	}
}
