// Package bounds measures what could not run, on the same windows as the policies beside it:
// schedulers whose choice needs hindsight, one that reads the work that is left, and one for which
// placement is free.
//
// Reading guide. All lists the rows; their candidates are schedulers with settings, run as trials
// of their own (Trials). Pick then takes the better candidate: in each window by itself, or over
// all windows, both after the fact. No row is a policy that could run, and none is a theorem: a
// policy with another order may pass it. Names state what a row is:
//
//	ideal:best-shape         Dally's order without waiting, every job at the speed of its best shape (speed.BestShape)
//	hindsight:static-timers  the best pair of fixed delay timers of each window, chosen with hindsight
//	hindsight:clairvoyant    the better of shortest remaining time and shortest remaining service with evict=later
//	hindsight:rollout        shortest remaining time, improved by a planner that plays the true work to its end
//	hindsight:member         the best member of each window, where an agent names who decides (turns.go)
//	hindsight:turns          the best sequence of members that a search finds in each window
//	placebo:turns            the same search among copies of the best member
//	hindsight:rule           the best rule of each window, where rules can answer an agent's questions (answers.go)
//	hindsight:answers        the best rules of the jobs that a search finds in each window
//	placebo:answers          the same search with answers drawn at random
//	placebo:NAME             what choosing among the same candidates gives without hindsight: the candidate that is best on the other half of the windows, in a mixture of the windows of the same scenario
//
// The minimum over settings of a chaotic schedule is low by luck alone; the placebo states how much
// of hindsight:NAME that may be. What each row states is in docs/reference/bounds.md.
package bounds

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"tarry/run/trial"
	"tarry/sim"
	"tarry/sim/speed"
)

// The beginnings of names: free placement, a choice after the fact, and the same choice before it.
const (
	Ideal     = "ideal:"
	Hindsight = "hindsight:"
	Placebo   = "placebo:"
)

// Key explains the rows below a table.
const Key = "rows that begin with " + Ideal + " or " + Hindsight + " could not run: placement is free, or the " +
	"choice needs the result; a policy may pass them. " +
	Placebo + " is the same choice made on the other half of the windows: see docs/reference/bounds.md"

// Explain gives the lines below a table that has the rows: Key, and which placebos are their
// bounds; "" where there is no row. jct are the mean completion times by row, one for each window.
func Explain(jct map[string][]float64) string {
	text := ""
	for _, b := range All() {
		with, without := jct[b.Name], jct[b.Placebo]
		if len(with) > 0 && text == "" {
			text = Key
		}
		if len(with) > 1 && slices.EqualFunc(with, without, func(a, b float64) bool {
			return a == b || math.IsNaN(a) &&
				math.IsNaN(b)
		}) {
			text += fmt.Sprintf("\n%s equals %s: the choice is the same on both halves of the windows", b.Placebo,
				b.Name)
		}
		if b.plans && len(with) == 0 && text != "" {
			text += fmt.Sprintf("\n%s is left out: %s", b.Name, unforeseen)
		}
	}
	return text
}

// Bound is one list of candidates.
type Bound struct {
	// Name is what tables call it.
	Name string
	// PerWindow takes the best candidate of each window; else the one with the least mean over all
	// windows.
	PerWindow bool
	// Placebo is the row of the same choice without hindsight; "" = there is nothing to choose.
	Placebo string
	// candidates are policies of the catalogue.
	candidates []string
	// shape runs them with every job at the speed of its best shape.
	shape bool
	// plans states that they play runs to their ends: the row is left out where speeds cannot be
	// foreseen.
	plans bool
	// search finds the policy of each window in place of candidates' specs; nil = they are specs.
	search search
}

// All lists the bounds in the order in which they are shown.
func All() []Bound {
	return []Bound{
		{Name: Ideal + "best-shape", candidates: []string{"dally-nowait"}, shape: true},
		{Name: Hindsight + "static-timers", Placebo: Placebo + "static-timers", PerWindow: true, candidates: Timers()},
		{Name: Hindsight + "clairvoyant", Placebo: Placebo + "clairvoyant",
			candidates: []string{"dally:order=srpt,evict=later", "dally:order=srsf,evict=later"}},
		{Name: Hindsight + "rollout", candidates: []string{"ranked:exact=true,rollout=8"}, plans: true},
	}
}

// Names lists the rows: the rows of All and of more, each with its placebo behind it.
func Names(more ...Bound) []string { return names(append(All(), more...)) }

// Timers are the pairs of fixed timers, in leases: T_rack at most T_net, from at once to never, as
// policies of the catalogue.
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

// Trials gives the candidates' trials of All and of more; see TrialsOf.
func Trials(of []trial.Trial, policy func(spec string) (sim.Policy, error), more ...Bound) ([]trial.Trial, error) {
	return TrialsOf(append(All(), more...), of, policy)
}

// TrialsOf gives the candidates' trials: by bound, by candidate, by window. of are the trials of any
// one policy, one for each window; policy makes the policy of a name. Where the speed of a job
// depends on who else runs, or on its progress, in some window, the rows that plan are left out. list
// is in the order of All, with bounds of an environment's own behind.
func TrialsOf(list []Bound, of []trial.Trial, policy func(spec string) (sim.Policy, error)) ([]trial.Trial, error) {
	var out []trial.Trial
	foreseen, err := foreseeable(of)
	if err != nil {
		return nil, err
	}
	for _, b := range list {
		if b.plans && !foreseen {
			continue
		}
		for _, spec := range b.candidates {
			if b.search == nil {
				if _, err := policy(spec); err != nil {
					return nil, fmt.Errorf("%s: %w", b.Name, err)
				}
			}
			for _, t := range of {
				one, err := b.trial(t, spec, policy)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", b.Name, err)
				}
				out = append(out, one)
			}
		}
	}
	return out, nil
}

// trial is a candidate's, beside a trial of another policy on the same window.
func (b *Bound) trial(t trial.Trial, spec string, policy func(spec string) (sim.Policy, error)) (trial.Trial, error) {
	about := map[string]any{"bound": b.Name, "candidate": spec, "beside": json.RawMessage(t.Config)}
	if b.search != nil {
		maps.Copy(about, b.search.about())
	}
	text, err := json.Marshal(about)
	if err != nil {
		return t, err
	}
	t.Keys.Policy, t.Config, t.KeepIntervals = b.Name+"/"+spec, string(text), false
	if b.shape {
		t.Speed = bestShape(&t)
	}
	played := t
	t.Policy = func() (sim.Policy, error) { return policy(spec) }
	if b.search != nil {
		t.Policy = func() (sim.Policy, error) { return b.search.policy(&played) }
	}
	return t, nil
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

// Pick gives the results of the rows of NamesOf, one per window, out of the results of Trials: copies
// that have the name of the row. Windows are of so many regimes in turn, at least 1; a placebo chooses
// on the other half of the windows of a window's own regime.
func Pick(done []*trial.Result, windows, regimes int, more ...Bound) [][]*trial.Result {
	var out [][]*trial.Result
	for _, b := range among(len(done), func(i int) string { return done[i].Row.Keys.Policy }, more) {
		n := len(b.candidates)
		mine := done[:n*windows]
		done = done[n*windows:]
		scores := make([][]float64, windows)
		for w := range scores {
			scores[w] = means(mine, windows, w)
		}
		out = append(out, picked(mine, windows, b.Name, func(w int) int {
			if b.PerWindow {
				return least(scores[w : w+1])
			}
			return least(scores)
		}))
		if b.Placebo != "" {
			out = append(out, picked(mine, windows, b.Placebo, func(w int) int { return least(others(scores, w, regimes)) }))
		}
	}
	return out
}

// picked are the results of the candidate that choose names for each window.
func picked(of []*trial.Result, windows int, name string, choose func(w int) int) []*trial.Result {
	out := make([]*trial.Result, windows)
	for w := range out {
		r := *of[choose(w)*windows+w]
		r.Row.Keys.Policy = name
		out[w] = &r
	}
	return out
}

// others are the windows of a window's regime in the half that the window is not in: odd numbers for
// even ones, counted within the regime. Of one window there are none.
func others(scores [][]float64, w, regimes int) (out [][]float64) {
	for k := w%regimes + (w/regimes+1)%2*regimes; k < len(scores); k += 2 * regimes {
		out = append(out, scores[k])
	}
	return out
}

// least is the candidate with the smallest sum over some windows; the first where there is none.
func least(scores [][]float64) int {
	at, sums := 0, []float64{}
	for _, one := range scores {
		if len(sums) == 0 {
			sums = make([]float64, len(one))
		}
		for k, v := range one {
			if !math.IsNaN(v) {
				sums[k] += v
			}
		}
	}
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
