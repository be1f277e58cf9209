package optimisationref

import (
	"encoding/json"
	"fmt"
	"math"

	"tarry/baselines/gavel/objective"
	"tarry/internal/choice"
)

// allocation is a line with one of Gavel's allocation problems.
type allocation struct {
	Throughput       [][]float64
	Scale, Workers   []int
	Weight, Steps    []float64
	Cost             []float64
	SLOS             []*float64 `json:"slo_s"`
	ElapsedS         []float64  `json:"elapsed_s"`
	IsolatedElapsedS []float64  `json:"isolated_elapsed_s"`
	Status           string
	Objective        *float64
	WithoutSLO       float64  `json:"objective_without_slo"`
	MakespanS        *float64 `json:"makespan_s"`
	BisectionS       *float64 `json:"gavel_bisection_T_s"`
}

// input is the problem of a line.
func (p *allocation) input() (*objective.Input, error) {
	in := &objective.Input{Workers: p.Workers, Scale: p.Scale, Weight: p.Weight, Steps: p.Steps, Cost: p.Cost,
		ElapsedS: p.ElapsedS, IsolatedS: p.IsolatedElapsedS}
	for m, row := range p.Throughput {
		if len(row) != len(p.Workers) {
			return nil, fmt.Errorf("row %d has %d columns, expected %d", m, len(row), len(p.Workers))
		}
		in.Throughput = append(in.Throughput, row...)
	}
	for _, s := range p.SLOS {
		if s == nil {
			s = new(float64)
			*s = math.Inf(1)
		}
		in.SLOS = append(in.SLOS, *s)
	}
	return in, in.Validate()
}

// allocating decodes a line and compares what allocators find with what is stored.
func allocating(line []byte, solve func(p *allocation, in *objective.Input, x *objective.Matrix) (answer,
	error)) (answer, error) {
	var p allocation
	if err := json.Unmarshal(line, &p); err != nil {
		return answer{}, err
	}
	in, err := p.input()
	if err != nil {
		return answer{}, err
	}
	return solve(&p, in, new(objective.Matrix))
}

// stored is an optimum of a line; null = there is none, and the objective has no bound.
func stored(v *float64) float64 {
	if v == nil {
		return math.Inf(1)
	}
	return *v
}

// against solves a problem and compares its optimum.
func against(a objective.Allocator, in *objective.Input, x *objective.Matrix, want float64) (answer, error) {
	got, err := a.Allocate(in, x)
	if got == want {
		return answer{got: fmt.Sprint(got), want: fmt.Sprint(want)}, err
	}
	return numbers(got, want), err
}

func solveMaxMin(line []byte) (answer, error) {
	return allocating(line, func(p *allocation, in *objective.Input, x *objective.Matrix) (answer, error) {
		return against(&objective.MaxMin{Typed: true}, in, x, stored(p.Objective))
	})
}

func solveFinishTime(line []byte) (answer, error) {
	return allocating(line, func(p *allocation, in *objective.Input, x *objective.Matrix) (answer, error) {
		return against(&objective.FinishTime{Typed: true}, in, x, stored(p.Objective))
	})
}

// solveMakespan compares the optimum and what Gavel's bisection makes of it.
func solveMakespan(line []byte) (answer, error) {
	return allocating(line, func(p *allocation, in *objective.Input, x *objective.Matrix) (answer, error) {
		a, err := against(&objective.Makespan{Typed: true}, in, x, stored(p.MakespanS))
		if err != nil {
			return a, err
		}
		b, err := against(&objective.Makespan{Typed: true, Bisect: true}, in, x, stored(p.BisectionS))
		if b.off > a.off {
			a = b
		}
		return a, err
	})
}

// solveCost compares the optimum with SLOs, or without when they cannot be kept, and the one
// without.
func solveCost(line []byte) (answer, error) {
	return allocating(line, func(p *allocation, in *objective.Input, x *objective.Matrix) (answer, error) {
		want := p.WithoutSLO
		if p.Objective != nil {
			want = *p.Objective
		}
		limited := &objective.Throughput{Priced: true, Limits: true}
		a, err := against(limited, in, x, want)
		if err == nil && limited.Missed() != (p.Status == "infeasible_slo") {
			err = fmt.Errorf("SLOs dropped %v, there the status %q", limited.Missed(), p.Status)
		}
		if err != nil {
			return a, err
		}
		b, err := against(&objective.Throughput{Priced: true}, in, x, p.WithoutSLO)
		if b.off > a.off {
			a = b
		}
		return a, err
	})
}

// solvePicks solves Sia's integer problem: for each job at most one of its options, each some GPUs
// of one type.
func solvePicks(line []byte) (answer, error) {
	var i struct {
		Capacity  []float64
		Penalty   float64 `json:"unallocated_penalty"`
		Jobs      [][][3]float64
		Objective float64
	}
	if err := json.Unmarshal(line, &i); err != nil {
		return answer{}, err
	}
	var p choice.Problem
	p.Reset(i.Capacity)
	for m, job := range i.Jobs {
		p.Option(i.Penalty)
		for _, o := range job {
			if !(o[0] >= 0 && o[0] < float64(len(i.Capacity))) {
				return answer{}, fmt.Errorf("job %d has an option of type %v, expected 0 to %d", m, o[0],
					len(i.Capacity)-1)
			}
			p.Option(o[2])[int(o[0])] = o[1]
		}
		p.Close()
	}
	if err := p.Validate(); err != nil {
		return answer{}, err
	}
	var s choice.Solver
	got, err := s.Pick(&p)
	return numbers(got, i.Objective), err
}
