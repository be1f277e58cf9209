package lp

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tarry/internal/sharedata"
)

// instance is a line of the stored problems about jobs on types of GPUs.
type instance struct {
	ID         int         `json:"id"`
	Style      string      `json:"style"`
	Throughput [][]float64 `json:"throughput"`
	Scale      []float64   `json:"scale"`
	Weight     []float64   `json:"weight"`
	Workers    []float64   `json:"workers"`
	Steps      []float64   `json:"steps"`
	Cost       []float64   `json:"cost"`
	SLO        []*float64  `json:"slo_s"`

	Elapsed            []float64 `json:"elapsed_s"`
	IsolatedElapsed    []float64 `json:"isolated_elapsed_s"`
	IsolatedThroughput []float64 `json:"isolated_throughput"`

	Status     string   `json:"status"`
	Objective  *float64 `json:"objective"`
	Makespan   *float64 `json:"makespan_s"`
	WithoutSLO *float64 `json:"objective_without_slo"`
}

// kind is which of the four problems a line is.
func (q *instance) kind() string {
	switch {
	case q.Throughput == nil || q.Scale == nil:
		return ""
	case q.IsolatedElapsed != nil:
		return "finish-time fairness"
	case q.Cost != nil:
		return "cost"
	case q.Steps != nil:
		return "makespan"
	}
	return "max-min"
}

// program adds the rows that all have, a sum of fractions per job and a sum of GPUs per type, and
// the columns of fractions: each with its throughput times factor in the job's row. It gives the
// rows of jobs.
func (q *instance) program(p *Problem, cost func(m, j int) float64, factor func(m int) float64) (jobs []int) {
	p.Maximise = true
	types := make([]int, len(q.Workers))
	for j, n := range q.Workers {
		types[j] = p.AddRow(-inf, n)
	}
	for m, rates := range q.Throughput {
		row, sum := p.AddRow(0, inf), p.AddRow(-inf, 1)
		jobs = append(jobs, row)
		for j, rate := range rates {
			p.AddColumn(cost(m, j), 0, inf, Entry{row, rate * factor(m)}, Entry{sum, 1}, Entry{types[j], q.Scale[m]})
		}
	}
	return jobs
}

// level adds the column that all jobs' rows must reach: its value times need.
func level(p *Problem, jobs []int, need func(m int) float64) int {
	entries := make([]Entry, len(jobs))
	for m, r := range jobs {
		entries[m] = Entry{r, -need(m)}
	}
	return p.AddColumn(1, 0, inf, entries...)
}

func none(m, j int) float64  { return 0 }
func one(int) float64        { return 1 }
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-7*math.Abs(b) }

func (q *instance) maxMin(t *testing.T, s *tally) {
	p := &Problem{}
	total := 0.0
	for _, n := range q.Workers {
		total += n
	}
	jobs := q.program(p, none, func(m int) float64 {
		equal := 0.0
		for j, n := range q.Workers {
			equal += q.Throughput[m][j] * n / total
		}
		return q.Scale[m] / (q.Weight[m] * equal)
	})
	level(p, jobs, one)
	r := s.solve(t, p, Basis{})
	if r.Status != Optimal || !near(r.Objective, *q.Objective) {
		t.Errorf("%v %v, expected %v", r.Status, r.Objective, *q.Objective)
	}
}

func (q *instance) makespan(t *testing.T, s *tally) {
	p := &Problem{}
	level(p, q.program(p, none, func(m int) float64 { return 1 / q.Steps[m] }), one)
	r := s.solve(t, p, Basis{})
	if q.Status == "infeasible" {
		if r.Status != Optimal || r.Objective > 1e-15 {
			t.Errorf("%v %v, expected 0", r.Status, r.Objective)
		}
	} else if r.Status != Optimal || !near(1/r.Objective, *q.Makespan) {
		t.Errorf("%v %v, expected %v", r.Status, 1/r.Objective, *q.Makespan)
	}
}

func (q *instance) perCost(t *testing.T, s *tally) {
	p := &Problem{}
	jobs := q.program(p, func(m, j int) float64 { return q.Throughput[m][j] / q.Cost[j] }, one)
	r := s.solve(t, p, Basis{})
	if q.WithoutSLO != nil && !near(r.Objective, *q.WithoutSLO) {
		t.Errorf("%v %v without limits, expected %v", r.Status, r.Objective, *q.WithoutSLO)
	}
	for m, slo := range q.SLO {
		if slo != nil {
			p.SetRow(jobs[m], q.Steps[m] / *slo, inf)
		}
	}
	r = s.solve(t, p, r.Basis)
	if q.Status == "infeasible_slo" {
		if r.Status != Infeasible {
			t.Errorf("%v %v, expected infeasible", r.Status, r.Objective)
		}
	} else if r.Status != Optimal || !near(r.Objective, *q.Objective) {
		t.Errorf("%v %v, expected %v", r.Status, r.Objective, *q.Objective)
	}
}

// finishTime looks for the level rho at which all jobs can just have the throughput that it asks:
// the largest common factor is 1 there.
func (q *instance) finishTime(t *testing.T, s *tally) {
	if q.Status == "infeasible" { // a job that no type runs
		if !slices.Contains(q.IsolatedThroughput, 0) {
			t.Error("infeasible, but every job runs somewhere")
		}
		return
	}
	need := func(rho float64) func(m int) float64 {
		return func(m int) float64 {
			left := rho*(q.IsolatedElapsed[m]+q.Steps[m]/q.IsolatedThroughput[m]) - q.Elapsed[m]
			return q.Steps[m] / left
		}
	}
	low := 0.0 // at which a job has no time left
	for m := range q.Steps {
		low = max(low, q.Elapsed[m]/(q.IsolatedElapsed[m]+q.Steps[m]/q.IsolatedThroughput[m]))
	}
	p := &Problem{}
	high := low + 1
	jobs := q.program(p, none, one)
	z := level(p, jobs, need(high))
	var basis Basis
	factor := func(rho float64) float64 {
		for m := range jobs {
			p.SetEntry(z, m, -need(rho)(m))
		}
		r := s.solve(t, p, basis)
		basis = r.Basis
		return r.Objective
	}
	for factor(high) < 1 {
		low, high = high, 2*high
	}
	for high-low > 1e-9*high {
		if mid := (low + high) / 2; factor(mid) < 1 {
			low = mid
		} else {
			high = mid
		}
	}
	if !near(high, *q.Objective) {
		t.Errorf("%v, expected %v", high, *q.Objective)
	}
}

// tally counts solves and iterations.
type tally struct {
	solver                           Solver
	solves, iterations, one, longest int
	worst                            float64
}

func (s *tally) solve(t *testing.T, p *Problem, start Basis) Solution {
	t.Helper()
	r, err := s.solver.Solve(p, start)
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Verify(p); r.Status == Stopped || !(f.Most() <= 1e-8) {
		t.Errorf("%v after %d iterations: %+v", r.Status, r.Iterations, f)
	} else {
		s.worst = max(s.worst, f.Most())
	}
	s.solves++
	s.iterations += r.Iterations
	s.one += r.PhaseOne
	s.longest = max(s.longest, r.Iterations)
	return r
}

// Every stored problem has the stored optimum, and duals or a ray prove the status of each solve.
func TestStoredOptima(t *testing.T) {
	count := map[string]*tally{}
	for _, name := range sharedata.References(t, filepath.Join("*", "*.jsonl")) {
		in, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var q instance
			if json.Unmarshal(lines.Bytes(), &q) != nil || q.kind() == "" {
				continue
			}
			s := count[q.kind()]
			if s == nil {
				s = &tally{}
				count[q.kind()] = s
			}
			failed := t.Failed()
			switch q.kind() {
			case "max-min":
				q.maxMin(t, s)
			case "makespan":
				q.makespan(t, s)
			case "cost":
				q.perCost(t, s)
			default:
				q.finishTime(t, s)
			}
			if !failed && t.Failed() {
				t.Fatalf("%s: %s %d (%s, %d jobs)", name, q.kind(), q.ID, q.Style, len(q.Scale))
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	if len(count) == 0 {
		t.Skip("no problems with known optimum among the results of other programs")
	}
	for kind, s := range count {
		t.Logf("%s: %d solves, %d iterations, %d of phase one, at most %d, worst proof %.1g", kind, s.solves,
			s.iterations, s.one, s.longest, s.worst)
	}
}
