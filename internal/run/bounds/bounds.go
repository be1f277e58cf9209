// Package bounds measures what no policy can be expected to pass, on the same windows as the policies beside it.
//
// Reading guide. All lists the bounds; each has candidates, which are schedulers with settings, run as trials of their own (Trials).
// Pick then takes the better candidate: in each window by itself, which needs hindsight, or over all windows. A bound is never a
// policy that could run: its name begins with Prefix, in tables, files and legends.
//
//	bound:best-shape     Dally's order without waiting, every job at the speed of its best shape (speed.BestShape)
//	bound:static-timers  the best pair of fixed delay timers of each window, chosen with hindsight
//	bound:clairvoyant    the better of shortest remaining time and shortest remaining service with evict=later
//
// What each bounds is in docs/bounds.md.
package bounds

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"tarry/internal/run/trial"
	"tarry/sim"
	"tarry/sim/speed"
)

// Prefix begins the name of every bound.
const Prefix = "bound:"

// Key explains the rows of bounds below a table.
const Key = "rows that begin with " + Prefix + " are bounds, not policies that could run: see docs/bounds.md"

// Is reports whether a name is that of a bound.
func Is(name string) bool { return strings.HasPrefix(name, Prefix) }

// Bound is one of them.
type Bound struct {
	// Name is what tables call it.
	Name string
	// PerWindow takes the best candidate of each window; else the one with the least mean over all windows.
	PerWindow bool
	// candidates are policies of the catalogue.
	candidates []string
	// shape runs them with every job at the speed of its best shape.
	shape bool
}

// All lists the bounds in the order in which they are shown.
func All() []Bound {
	return []Bound{
		{Name: Prefix + "best-shape", candidates: []string{"dally-nowait"}, shape: true},
		{Name: Prefix + "static-timers", PerWindow: true, candidates: Timers()},
		{Name: Prefix + "clairvoyant", candidates: []string{"dally:order=srpt,evict=later", "dally:order=srsf,evict=later"}},
	}
}

// Names lists the names of All.
func Names() []string {
	var out []string
	for _, b := range All() {
		out = append(out, b.Name)
	}
	return out
}

// Timers are the pairs of fixed timers, in leases: T_rack at most T_net, from at once to never, as policies of the catalogue.
func Timers() []string {
	at := []string{"0", "6", "24", "inf"}
	var out []string
	for i, rack := range at {
		for _, net := range at[i:] {
			out = append(out, fmt.Sprintf("dally-manual:t_rack=%s,t_net=%s", rack, net))
		}
	}
	return out
}

// Trials gives the candidates' trials: by bound, by candidate, by window. of are the trials of any one policy, one for each
// window; policy makes the policy of a name.
func Trials(of []trial.Trial, policy func(spec string) (sim.Policy, error)) ([]trial.Trial, error) {
	var out []trial.Trial
	for _, b := range All() {
		for _, spec := range b.candidates {
			if _, err := policy(spec); err != nil {
				return nil, fmt.Errorf("%s: %w", b.Name, err)
			}
			for _, t := range of {
				text, err := json.Marshal(map[string]any{"bound": b.Name, "candidate": spec, "beside": json.RawMessage(t.Config)})
				if err != nil {
					return nil, fmt.Errorf("%s: %w", b.Name, err)
				}
				t.Keys.Policy, t.Config = b.Name+"/"+spec, string(text)
				t.Policy, t.KeepIntervals = func() (sim.Policy, error) { return policy(spec) }, false
				if b.shape {
					t.Speed = bestShape(&t)
				}
				out = append(out, t)
			}
		}
	}
	return out, nil
}

// bestShape wraps the speed model of a trial.
func bestShape(t *trial.Trial) func() (sim.SpeedModel, error) {
	inner, top := t.Speed, t.Topology
	return func() (sim.SpeedModel, error) {
		m, err := inner()
		if err != nil {
			return nil, err
		}
		return speed.NewBestShape(m, top), nil
	}
}

// Pick gives each bound's results, one per window, out of those of Trials: copies that have the name of the bound.
func Pick(done []*trial.Result, windows int) [][]*trial.Result {
	var out [][]*trial.Result
	for _, b := range All() {
		n := len(b.candidates)
		mine := done[:n*windows]
		done = done[n*windows:]
		picked := make([]*trial.Result, windows)
		for w := range picked {
			best := overall(mine, windows)
			if b.PerWindow {
				best = least(mine, windows, w)
			}
			r := *mine[best*windows+w]
			r.Row.Keys.Policy = b.Name
			picked[w] = &r
		}
		out = append(out, picked)
	}
	return out
}

// least is the candidate with the smallest mean completion time in a window, over the jobs that all candidates finished.
func least(of []*trial.Result, windows, w int) int {
	best, at := math.Inf(1), 0
	for k, v := range means(of, windows, w) {
		if v < best {
			best, at = v, k
		}
	}
	return at
}

// overall is the candidate with the smallest sum of the windows' means.
func overall(of []*trial.Result, windows int) int {
	sums := make([]float64, len(of)/windows)
	for w := range windows {
		for k, v := range means(of, windows, w) {
			if !math.IsNaN(v) {
				sums[k] += v
			}
		}
	}
	at := 0
	for k, v := range sums {
		if v < sums[at] {
			at = k
		}
	}
	return at
}

// means are the candidates' mean completion times in a window.
func means(of []*trial.Result, windows, w int) []float64 {
	var runs []*trial.Result
	for k := range len(of) / windows {
		runs = append(runs, of[k*windows+w])
	}
	common := trial.Common(runs)
	out := make([]float64, len(runs))
	for k, r := range runs {
		out[k] = r.MeanOver(common)
	}
	return out
}
