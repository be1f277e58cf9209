package operate

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/service"
)

// Reading is what the operator learned sees of a service at an epoch, and what its rules go by.
type Reading struct {
	spec    *service.Spec
	latency service.Latency
	rate    float64 // requests per second of one replica
	free    float64 // part of the cluster's GPUs that nothing holds
	least   int     // replicas at least
	now     sim.Time

	// Load is the requests per second now, Last an epoch ago; Highest since then, and Coming the highest
	// until a replica that is started in an epoch would serve, 0 unless the operator is clairvoyant.
	Load, Last, Highest, Coming float64
	// Backlog is the number of requests that wait.
	Backlog float64
	// Attained is the part of the requests of the last epoch that were good; 1 where none came.
	Attained float64
	// Wanted is the number of replicas that the operator keeps, Held how many hold GPUs, Ready how many
	// serve.
	Wanted, Held, Ready int
}

// The choices of an agent.
const (
	Fewer = iota
	Same
	More
	NumScaleChoices
)

// Most is the most replicas there may be.
func (r *Reading) Most() int { return int(r.spec.Replicas) }

// GPUs is how many GPUs a replica takes.
func (r *Reading) GPUs() int { return int(max(1, r.spec.GPUs)) }

// For is the least number of replicas for so many times a load, as the operator least has it.
func (r *Reading) For(headroom, load float64) int {
	if load <= 0 {
		return r.least
	}
	return max(r.least, fewest(r.spec, r.latency, r.rate, load*headroom))
}

// Mask marks the choices that keep the number of replicas within its bounds.
func (r *Reading) Mask(mask []bool) {
	mask[Fewer], mask[Same], mask[More] = r.Wanted > r.least, true, r.Wanted < r.Most()
}

// ReadingFeatures has a line for each number that Write writes: name, range, unit and meaning.
const ReadingFeatures = `
load  0..2  share  requests per second / what all replicas serve, cut at 2
last  0..2  share  the load an epoch ago, as load
highest  0..2  share  the highest load since then, as load
wanted  0..1  share  replicas that the operator keeps / the most
ready  0..1  share  replicas that serve / the most
needed  -1..1  replicas / 4  least replicas for 1.1 times the load, less the ones it keeps, cut
backlog  0..1  squashed  requests that wait / what all replicas serve in 60 s
attained  0..1  share  part of the last epoch's requests that were good
hour_sin  -1..1  ratio  sine of the hour of the day
hour_cos  -1..1  ratio  cosine of the hour of the day
free  0..1  share  GPUs that nothing holds / GPUs`

// NumReadingFeatures is how many numbers Write writes.
const NumReadingFeatures = 11

// Write writes what a learner sees: no load to come.
func (r *Reading) Write(obs []float64) {
	most := float64(r.Most())
	all := float64(r.spec.RatePerS * most)
	of := func(load float64) float64 { return min(2, load/all) }
	hour := 2 * math.Pi * math.Mod(r.now.Seconds(), 86400) / 86400
	sin, cos := fixmath.Sincos(hour)
	waits := r.Backlog / (all * 60)
	copy(obs, []float64{of(r.Load), of(r.Last), of(r.Highest), float64(r.Wanted) / most, float64(r.Ready) / most,
		min(1, max(-1, float64(r.For(1.1, r.Load)-r.Wanted)/4)), waits / (1 + waits), r.Attained, sin, cos, r.free})
}

// ScaleRule chooses without learning.
type ScaleRule struct {
	// Name is unique, Doc one line.
	Name, Doc string
	// Clairvoyant: it reads Coming.
	Clairvoyant bool
	// Choose gives a choice that Mask allows; calm is its memory of the service, 0 at the beginning.
	Choose func(r *Reading, calm *int) int
}

// ScaleRules are the rules of the operator learned; the first is the strongest without the future on
// validation windows of tarry/Replicas-v0.
func ScaleRules() []ScaleRule {
	by := func(want func(r *Reading) int) func(*Reading, *int) int {
		return func(r *Reading, _ *int) int { return r.toward(want(r)) }
	}
	least := func(headroom float64) func(r *Reading) int {
		return func(r *Reading) int { return r.For(headroom, r.pressing()) }
	}
	recent := func(headroom float64) func(r *Reading) int {
		return func(r *Reading) int { return r.For(headroom, max(r.Highest, r.pressing())) }
	}
	return []ScaleRule{
		{"least-1.5", "toward the least replicas for 1.5 times the load and the backlog in 60 s", false, by(least(1.5))},
		{"least-1.8", "the same for 1.8 times the load", false, by(least(1.8))},
		{"least-1.3", "the same for 1.3 times the load", false, by(least(1.3))},
		{"least", "the same for 1.1 times the load, as the operator least", false, by(least(1.1))},
		{"least-1.0", "the same for the load", false, by(least(1))},
		{"recent", "as least for the highest load of the last epoch", false, by(recent(1.1))},
		{"recent-1.5", "as least-1.5 for the highest load of the last epoch", false, by(recent(1.5))},
		{"lifecycle", "as least, but one fewer only after six epochs in a row in which fewer would do", false, lifecycle},
		{"fixed", "the most replicas", false, by((*Reading).Most)},
		{"coming", "as least for the highest load of the epoch to come (clairvoyant)", true,
			by(func(r *Reading) int { return r.For(1.1, max(r.Coming, r.pressing())) })},
	}
}

// pressing is the load and what serves the backlog in a minute.
func (r *Reading) pressing() float64 { return r.Load + r.Backlog/60 }

// toward is the choice that leads to a number of replicas.
func (r *Reading) toward(n int) int {
	switch {
	case n < r.Wanted && r.Wanted > r.least:
		return Fewer
	case n > r.Wanted && r.Wanted < r.Most():
		return More
	}
	return Same
}

func lifecycle(r *Reading, calm *int) int {
	c := r.toward(r.For(1.1, r.pressing()))
	if c != Fewer {
		*calm = 0
		return c
	}
	if *calm++; *calm < 6 {
		return Same
	}
	return Fewer
}
