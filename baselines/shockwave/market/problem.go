package market

import (
	"math"
)

// Job is one job of a window.
type Job struct {
	// GPUs is its gang; >= 1.
	GPUs int
	// Left is its predicted remaining time, s.
	Left float64
	// EpochS is the length of an epoch, s; > 0. Done of Epochs are done.
	EpochS, Done, Epochs float64
	// Weight is the weight of its logarithm; > 0.
	Weight float64
	// Limit is the most that may be left of it after the window, s; +Inf = no limit.
	Limit float64
}

// Problem is a window of rounds.
type Problem struct {
	Jobs []Job
	// GPUs that a round has, Rounds of the window, each of RoundS seconds.
	GPUs, Rounds int
	RoundS       float64
	// K weighs the largest time that is left.
	K float64
	// Bases are the progresses between which the logarithm is straight: from 0 to 1, ascending.
	// Floor stands for a progress of 0; in (0, Bases[1]).
	Bases []float64
	Floor float64
	// Gap is the part of the bound by which the solution may fall short of it; 0 = none.
	Gap float64

	logs []float64 // of Bases, while a Solver has the problem; nil = not computed
}

// logarithms appends the logarithms of Bases, of which the first is Floor's.
func (p *Problem) logarithms(dst []float64) []float64 {
	for _, x := range p.Bases {
		dst = append(dst, math.Log(max(x, p.Floor)))
	}
	return dst
}

// Solution is what a window gives.
type Solution struct {
	// Rounds is how many each job gets.
	Rounds []int
	// Value is the objective, Bound no less than the optimum's.
	Value, Bound float64
	// None is the objective without any round: the scale of a gap.
	None float64
	// Largest is the largest time that is left after it, s.
	Largest float64
}

// log is the logarithm made of straight pieces.
func (p *Problem) log(x float64) float64 {
	x = min(max(x, 0), 1)
	i := 1
	for i < len(p.Bases)-1 && x > p.Bases[i] {
		i++
	}
	lo, hi := p.Bases[i-1], p.Bases[i]
	logs := p.logs
	if logs == nil {
		logs = p.logarithms(nil)
	}
	a, b := logs[i-1], logs[i]
	return a + float64((b-a)*(x-lo))/(hi-lo)
}

// worth is what a job adds to the sum of logarithms when it gets n rounds.
func (p *Problem) worth(j *Job, n int) float64 {
	return float64(j.Weight * p.log((j.Done+min(float64(float64(n)*p.RoundS)/j.EpochS, j.Epochs-j.Done))/j.Epochs))
}

// left is what is left of a job after n rounds, s.
func (p *Problem) left(j *Job, n int) float64 {
	return max(0, j.Left-min(float64(float64(n)*p.RoundS), float64((j.Epochs-j.Done)*j.EpochS)))
}

// most is the largest time that is left of a job without any round, s.
func (p *Problem) most() (m float64) {
	for i := range p.Jobs {
		m = max(m, p.left(&p.Jobs[i], 0))
	}
	return m
}

// useful is the most rounds that change anything for a job.
func (p *Problem) useful(j *Job) int {
	most := float64((j.Epochs - j.Done) * j.EpochS)
	return min(p.Rounds, int(math.Ceil(most/p.RoundS-1e-9)))
}

// least is the fewest rounds after which at most m is left of a job; more than Rounds = none are
// enough.
func (p *Problem) least(j *Job, m float64) int {
	m += 1e-9
	if p.left(j, p.Rounds) > m {
		return p.Rounds + 1
	}
	n := min(max(0, int(math.Ceil((j.Left-m)/p.RoundS))), p.Rounds)
	for n > 0 && p.left(j, n-1) <= m {
		n--
	}
	for p.left(j, n) > m {
		n++
	}
	return n
}

// objective is the value of counts.
func (p *Problem) objective(rounds []int) (value, largest float64) {
	sum := 0.0
	for i := range p.Jobs {
		j := &p.Jobs[i]
		sum += p.worth(j, rounds[i])
		largest = max(largest, p.left(j, rounds[i]))
	}
	return sum/p.norm() - float64(p.K*largest), largest
}

// norm divides the sum of logarithms.
func (p *Problem) norm() float64 { return float64(len(p.Jobs)) * float64(p.Rounds) }
