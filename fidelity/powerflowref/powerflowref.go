// Package powerflowref compares the numbers of GPUs and clocks that tarry/baselines/powerflow/budget
// chooses under a budget of energy with exact answers: the moves of the greedy rule in order, what they
// lead to, and the least sum of completion times of all choices.
package powerflowref

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"

	"tarry/baselines/powerflow/budget"
	"tarry/fidelity/reference"
	"tarry/internal/fraction"
)

// within is by how much sums may differ, relative.
const within = 1e-9

type number = fraction.Number

// choice is a number of GPUs and a clock.
type choice struct {
	GPUs  int32
	Clock string
}

// UnmarshalJSON reads [2, "7/8"].
func (c *choice) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&c.GPUs, &c.Clock})
}

// move is a change of a job, "count" or "clock", and what the job has then.
type move struct {
	Job  int
	Kind string
	To   choice
}

// UnmarshalJSON reads [0, "count", 2, "1/2"].
func (m *move) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&m.Job, &m.Kind, &m.To.GPUs, &m.To.Clock})
}

// instance is jobs that take a/(n f) + b 2(n-1)/n seconds for an iteration on n GPUs at the clock f, and
// draw n (p0 + p1 f^3) watts.
type instance struct {
	GPUs   int32
	Counts []int32
	Clocks []string
	Budget number `json:"budget_j"`
	Jobs   []struct {
		A, B, P0, P1 number
		Iterations   float64
	}
	Best         []choice `json:"best_choice"`
	BestSum      number   `json:"best_sum_s"`
	BestEnergy   number   `json:"best_energy_j"`
	Feasible     *bool    `json:"greedy_feasible"`
	Greedy       []choice `json:"greedy_choice"`
	GreedySum    number   `json:"greedy_sum_s"`
	GreedyEnergy number   `json:"greedy_energy_j"`
	Moves        []move   `json:"greedy_moves"`
}

// Reader compares folders of instances: moves and choices are to be equal, sums to 1e-9, relative.
func Reader() reference.Reader {
	return reference.Cases("powerflow", []reference.CaseKind{{Name: "budgets",
		Fields: "counts clocks budget_j greedy_moves best_choice", Compare: compare}})
}

func compare(c *reference.Case) {
	x, ok := reference.Decode[instance](c)
	if !ok {
		return
	}
	jobs, err := x.tables()
	if err != nil {
		c.Errorf("%v", err)
		return
	}
	x.greedy(c, jobs)
	x.best(c, jobs)
}

// tables gives the seconds and joules of each choice of each job.
func (x *instance) tables() (jobs []budget.Job, err error) {
	if x.Feasible == nil || len(x.Jobs) == 0 || len(x.Counts) == 0 || len(x.Clocks) == 0 {
		return nil, fmt.Errorf("%d jobs, %d counts, %d clocks, expected some, and greedy_feasible", len(x.Jobs),
			len(x.Counts), len(x.Clocks))
	}
	for _, j := range x.Jobs {
		t := budget.Job{GPUs: x.Counts, Clocks: len(x.Clocks), Work: j.Iterations}
		for _, count := range x.Counts {
			for _, clock := range x.Clocks {
				r, ok := new(big.Rat).SetString(clock)
				if !ok {
					return nil, fmt.Errorf("clock %q, expected a fraction", clock)
				}
				n, f := float64(count), 0.0
				f, _ = r.Float64()
				s := float64(j.A)/(n*f) + float64(j.B)*2*(n-1)/n
				t.Seconds = append(t.Seconds, s)
				t.Joules = append(t.Joules, s*n*(float64(j.P0)+float64(j.P1)*f*f*f))
			}
		}
		jobs = append(jobs, t)
	}
	return jobs, nil
}

// named gives choices as the file has them.
func (x *instance) named(choices []budget.Choice) (out []choice) {
	for _, c := range choices {
		out = append(out, choice{x.Counts[c.Number], x.Clocks[c.Clock]})
	}
	return out
}

// sums is what choices take together.
func sums(jobs []budget.Job, choices []budget.Choice) (gpus int32, seconds, joules float64) {
	for i, c := range choices {
		n, s, e := jobs[i].At(c)
		gpus, seconds, joules = gpus+n, seconds+jobs[i].Work*s, joules+jobs[i].Work*e
	}
	return gpus, seconds, joules
}

// greedy compares the moves and where they end.
func (x *instance) greedy(c *reference.Case, jobs []budget.Job) {
	var choices []budget.Choice
	for i := range jobs {
		choices = append(choices, jobs[i].Least())
	}
	gpus, _, joules := sums(jobs, choices)
	if feasible := gpus <= x.GPUs && joules <= float64(x.Budget); feasible != *x.Feasible {
		c.Errorf("%d GPUs and %v J suffice: %v, there %v", gpus, joules, feasible, *x.Feasible)
		return
	} else if !feasible {
		return
	}
	var moves []move
	var g budget.Greedy
	now := slices.Clone(choices)
	g.Spread(jobs, choices, x.GPUs, float64(x.Budget), func(job int, clock bool) {
		kind := "count"
		if clock {
			kind = "clock"
			now[job].Clock++
		} else {
			now[job].Number++
		}
		moves = append(moves, move{job, kind, x.named(now[job : job+1])[0]})
	})
	if !slices.Equal(moves, x.Moves) {
		c.Errorf("the moves are %v, there %v", moves, x.Moves)
	}
	if got := x.named(choices); !slices.Equal(got, x.Greedy) {
		c.Errorf("the choices are %v, there %v", got, x.Greedy)
	}
	_, seconds, joules := sums(jobs, choices)
	c.Near("the sum of times", seconds, float64(x.GreedySum), within)
	c.Near("the energy", joules, float64(x.GreedyEnergy), within)
}

// best compares the least sum of completion times of all choices, and what the best ones there take.
func (x *instance) best(c *reference.Case, jobs []budget.Job) {
	least, there := math.Inf(1), false
	choices := make([]budget.Choice, len(jobs))
	for again := true; again; again = following(jobs, choices) {
		gpus, seconds, joules := sums(jobs, choices)
		if gpus > x.GPUs || joules > float64(x.Budget) {
			continue
		}
		least = min(least, seconds)
		if slices.Equal(x.named(choices), x.Best) {
			there = true
			c.Near("the sum of times of the best", seconds, float64(x.BestSum), within)
			c.Near("the energy of the best", joules, float64(x.BestEnergy), within)
		}
	}
	if !there {
		c.Errorf("the best choices %v are beyond the GPUs or the budget", x.Best)
	}
	c.Near("the least sum of times", least, float64(x.BestSum), within)
}

// following takes the next of all choices; false after the last.
func following(jobs []budget.Job, choices []budget.Choice) bool {
	for i := range choices {
		c := &choices[i]
		if c.Clock++; c.Clock < jobs[i].Clocks {
			return true
		}
		c.Clock = 0
		if c.Number++; c.Number < len(jobs[i].GPUs) {
			return true
		}
		c.Number = 0
	}
	return false
}
