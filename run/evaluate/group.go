package evaluate

import (
	"encoding/json"
	"fmt"
	"math"

	"tarry/internal/stats"
	"tarry/output/results"
	"tarry/run/train"
)

// kindOf is all that decides a run but its seed.
func kindOf(c *train.Config) (string, error) {
	text, err := c.JSON()
	if err != nil {
		return "", err
	}
	var all, own map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return "", err
	}
	if err := json.Unmarshal(all["hyperparameters"], &own); err != nil {
		return "", err
	}
	delete(all, "seed")
	delete(own, "seed")
	if all["hyperparameters"], err = json.Marshal(own); err != nil {
		return "", err
	}
	text, err = json.Marshal(all)
	return string(text), err
}

// place is a row to come: policies that are one agent trained with several seeds, or a single one.
type place struct {
	name, agent string
	policies    []int
	of          int // the place of the group that a single seed belongs to; -1 = none
	chosen      bool
	seed        uint64
	sha256      string
	short       string
}

// places gives the rows in their order: agents of several seeds as one, then each of them, the
// other agents, the baselines.
func (s *Setup) places() []place {
	var out []place
	done, names := map[string]bool{}, map[string]int{}
	for _, a := range s.Agents {
		if done[a.kind] {
			continue
		}
		done[a.kind] = true
		var seeds []int
		for p, b := range s.Agents {
			if b.kind == a.kind {
				seeds = append(seeds, p)
			}
		}
		group := -1
		if len(seeds) > 1 {
			group = len(out)
			name := fmt.Sprintf("%s (%d seeds)", a.family, len(seeds))
			if names[name]++; names[name] > 1 {
				name = fmt.Sprintf("%s #%d", name, names[name])
			}
			out = append(out, place{name, fmt.Sprintf("%d seeds of %s", len(seeds), a.Agent), seeds, -1, false,
				results.NoSeed, "", ""})
			if p, ok := s.chosen(seeds); ok {
				b := s.Agents[p]
				out = append(out, place{a.family + ChosenSeed, b.Agent, []int{p}, group, true, b.seed, b.sha256, ""})
			}
		}
		for _, p := range seeds {
			a := s.Agents[p]
			out = append(out, place{s.Policies[p], a.Agent, []int{p}, group, false, a.seed, a.sha256, ""})
		}
	}
	for p := len(s.Agents); p < len(s.Policies); p++ {
		t, ok := s.tuned[p]
		if !ok {
			t.seed = results.NoSeed
		}
		out = append(out, place{s.Policies[p], t.text, []int{p}, -1, false, t.seed, t.sha256, t.short})
	}
	return out
}

// seedsOf lists the policies that are seeds of one agent, by its name; agents of one seed have no
// entry.
func (s *Setup) seedsOf() map[string][]string {
	out := map[string][]string{}
	for _, p := range s.places() {
		if len(p.policies) > 1 {
			for _, k := range p.policies {
				out[p.name] = append(out[p.name], s.Policies[k])
			}
		}
	}
	return out
}

// ChosenSeed ends the name of the row of one seed, chosen on validation as rules are.
const ChosenSeed = " (seed by validation)"

// chosen is the training of several that did best on validation; false where that is not known
// of each.
func (s *Setup) chosen(seeds []int) (best int, ok bool) {
	best = seeds[0]
	for _, p := range seeds {
		v := s.Agents[p].validation
		if math.IsNaN(v) || s.Agents[p].untrained {
			return 0, false
		}
		if v > s.Agents[best].validation {
			best = p
		}
	}
	return best, true
}

// overSeeds gives each window's mean over the seeds.
func overSeeds(g stats.Grid) []float64 {
	out := make([]float64, len(g[0]))
	for _, row := range g {
		for w, v := range row {
			out[w] += v / float64(len(g))
		}
	}
	return out
}

// alone fills in what the report has without a comparison.
func (r *Row) alone(x stats.Grid, least []float64) (err error) {
	r.IQM, err = stats.Estimate([]stats.Grid{x}, stats.Amount,
		func(g []stats.Grid) float64 { return stats.IQM(g[0].Pool()) })
	for _, tau := range Taus() {
		if err != nil {
			return err
		}
		within := make(stats.Grid, len(x))
		for k, row := range x {
			for w, v := range row {
				share := 0.0
				if v < tau*least[w] {
					share = 1
				}
				within[k] = append(within[k], share)
			}
		}
		var iv stats.Interval
		iv, err = stats.Estimate([]stats.Grid{within}, stats.Share,
			func(g []stats.Grid) float64 { return stats.Mean(g[0].Pool()) })
		r.Profile = append(r.Profile, iv)
	}
	return err
}
