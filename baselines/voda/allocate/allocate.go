package allocate

import "slices"

// Algorithm is a rule.
type Algorithm uint8

// The eight.
const (
	ElasticFIFO Algorithm = iota
	FIFO
	SRJF
	ElasticSRJF
	Tiresias
	ElasticTiresias
	FfDLOptimizer
	AFSL
)

// Names lists the names of the algorithms in their order.
func Names() []string {
	return []string{"elastic-fifo", "fifo", "srjf", "elastic-srjf", "tiresias", "elastic-tiresias", "ffdl-optimizer",
		"afs-l"}
}

// String is the algorithm's name.
func (a Algorithm) String() string { return Names()[a] }

// Never is the first start of a job that has not started: it sorts last.
const Never = 1<<63 - 1

// Job is what the rules see of a job.
type Job struct {
	// Min and Max bound its GPUs, Num is what it asked for; Min >= 1. Step is what counts go up by
	// from Min; 0 = 1.
	Min, Max, Num, Step int
	// Submit and FirstStart are instants in any unit; FirstStart is Never before it.
	Submit, FirstStart int64
	// Queue is Tiresias' queue, 0 first.
	Queue int
	// Remaining is the time left on one GPU, in any unit.
	Remaining float64
	// Speedup is the speed at 0, 1, 2 ... GPUs, relative to any; beyond the last it reads as 0.
	Speedup []float64
}

// at is the speed at n GPUs.
func (j *Job) at(n int) float64 {
	if n < len(j.Speedup) {
		return j.Speedup[n]
	}
	return 0
}

func (j *Job) step() int { return max(1, j.Step) }

// gain is what the next step adds to the speed of a job with n GPUs, per GPU.
func (j *Job) gain(n int) float64 { return (j.at(n+j.step()) - j.at(n)) / float64(j.step()) }

// Allocator applies one algorithm. Its fields may be set freely between calls; it keeps scratch
// space, so that a call allocates nothing once warm.
type Allocator struct {
	Algorithm Algorithm
	// Corrected leaves out the defects of the published program.
	Corrected bool
	// Mins makes AFSL keep the minimum of the jobs; the others keep it when corrected.
	Mins bool
	// Compact is how many jobs may have nothing before ElasticTiresias shrinks jobs of queue 1; the
	// paper has 10.
	Compact int
	// Ordered states that jobs are listed in order of submit, which then is not looked at.
	Ordered bool
	// Ranks are the places of the jobs by queue and first start, equal ones in order of the list, for
	// Tiresias and ElasticTiresias; nil = they are sorted. It is read only.
	Ranks []int32

	order  order
	grow   []int32
	unmet  []bool // jobs that are not satisfied
	grown  ranking
	table  table
	rounds Tournament
}

// Compaction is the number of waiting jobs above which E-Tiresias shrinks jobs, in its paper.
const Compaction = 10

// New makes an allocator with the constants of the papers.
func New(a Algorithm, corrected bool) *Allocator {
	return &Allocator{Algorithm: a, Corrected: corrected, Compact: Compaction}
}

// bySubmit orders the jobs by submit.
func (a *Allocator) bySubmit(jobs []Job) {
	if a.Ordered {
		a.order.asIs(len(jobs))
		return
	}
	a.order.open(jobs, func(j *Job) (int, float64) { return 0, float64(j.Submit) })
}

// Allocate gives the GPUs of each job, in the order of the list, in out, which it overwrites and
// enlarges as needed.
func (a *Allocator) Allocate(jobs []Job, gpus int, out []int) []int {
	out = slices.Grow(out[:0], len(jobs))[:len(jobs)]
	clear(out)
	switch o := &a.order; a.Algorithm {
	case FIFO, ElasticFIFO:
		a.bySubmit(jobs)
		a.served(jobs, gpus, out)
	case SRJF, ElasticSRJF:
		o.open(jobs, func(j *Job) (int, float64) { return 0, j.Remaining })
		a.served(jobs, gpus, out)
	case Tiresias, ElasticTiresias:
		if !o.ranked(a.Ranks) {
			o.open(jobs, func(j *Job) (int, float64) { return j.Queue, float64(j.FirstStart) })
		}
		a.attained(jobs, gpus, out)
	case FfDLOptimizer:
		a.bySubmit(jobs)
		a.optimise(jobs, gpus, out)
	case AFSL:
		a.bySubmit(jobs)
		a.rounds.Own, a.rounds.Mins = a.Corrected, a.Mins
		a.rounds.share(jobs, o.first(len(jobs)), gpus, out)
	}
	return out
}
