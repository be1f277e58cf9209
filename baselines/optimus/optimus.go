package optimus

import (
	"math"

	"tarry/baselines/fit"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/loss"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/rng"
)

// The values of left.
const (
	byLoss = iota
	byEstimate
	byWork
)

// The values of place.
const (
	even = iota
	emptiest
	near
)

// settings are what a run chooses.
type settings struct {
	every        sim.Time
	left, place  int
	oracle       bool
	trials       int
	fewest, most int
	half, sigma  float64
	window       int
	further      float64
	noise        float64
	points       int
	fade         float64
}

// Policy is one Optimus. Build it with New; it belongs to one run.
type Policy struct {
	settings
	outlook Outlook // nil = the paper's fits
	draws   *rng.Stream
	curves  plan.Curves
	sizer   *plan.Sizer
	placer  *plan.Placer
	book    []life     // jobs in the system, in the order in which they came, which is their ids'
	gone    int        // jobs of the book that have ended
	next    plan.Alarm // the next interval
	spare   [][]loss.Point
	// Speeds of jobs that have left.
	spareSpeeds [][]float64
	widest      int
	// Of a decision:
	target  plan.Target
	wants   []plan.Want
	counts  []plan.Count
	pool    []int // idle GPUs of each type
	heap    plan.Heap[float64, int32]
	pos     []int32
	order   []int32
	spots   []spot
	arena   []cluster.GPU // of wants
	terms   []float64
	design  [][]float64
	y       []float64
	squares fit.Squares
}

// New is Optimus. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{sizer: plan.NewSizer(rule), placer: plan.NewPlacer(rule)}
	p.every = max(1, sim.Seconds(s.Float("every", 600, 1e-6, 1e12)))
	p.read(s)
	p.draws = draws(s.Int64("seed", 1, 0, math.MaxInt64))
	return p, s.Err()
}

// draws is the stream of curves, noise and measured counts.
func draws(seed int64) *rng.Stream {
	return rng.Source{Seed: uint64(seed), Experiment: "optimus"}.Stream("jobs")
}

// read reads the settings of losses, speeds and placement.
func (p *Policy) read(s *param.Set) {
	p.left = map[string]int{"loss": byLoss, "estimate": byEstimate,
		"work": byWork}[s.Enum("left", "loss", "estimate", "work")]
	p.place = map[string]int{"even": even, "emptiest": emptiest,
		"near": near}[s.Enum("place", "even", "emptiest", "near")]
	p.oracle = s.Enum("speed", "fit", "oracle") == "oracle"
	p.trials = s.Int("trials", 5, 1, 1000)
	e := s.Floats("epochs", []float64{20, 100}, 1, 1e6)
	if p.fewest, p.most = int(e[0]), int(e[len(e)-1]); len(e) > 2 || p.fewest > p.most {
		s.Fault("epochs is %v, expected FEWEST/MOST", e)
	}
	p.half, p.sigma = s.Float("half", 0.2, 1e-9, 1e9), s.Float("sigma", 0.5, 0, 10)
	p.window, p.further = s.Int("window", 10, 1, 1e6), s.Float("further", 20, 1e-3, 1e9)
	p.noise = s.Float("noise", 0.01, 0, 10)
	p.points, p.fade = s.Int("points", 40, 3, 10000), s.Float("fade", 20, 1e-3, 1e9)
}

// Knows declares speeds and progress, and what the work that is left follows from.
func (p *Policy) Knows() know.Set {
	switch {
	case p.outlook != nil:
		return know.Work | know.Speed | know.Progress
	case p.left == byEstimate:
		return know.Done | know.Speed | know.Estimate
	case p.left == byWork:
		return know.Work | know.Speed
	}
	return know.Work | know.Speed | know.Progress
}

// Decide gives out all GPUs anew when an interval begins.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.follow(v)
	due := p.next.Rung(v.Now()) || (v.Now() > 0 || p.outlook == nil) && v.Now()%p.every == 0
	if !due {
		return p.wake(v, len(p.book) > p.gone, out)
	}
	p.sweep()
	for i := range p.book {
		p.look(v, &p.book[i])
	}
	n := len(out)
	p.share(v)
	if p.place == near {
		out = p.resize(v, out)
	} else {
		out = p.put(v, out)
	}
	return p.wake(v, len(p.book) > 0 && len(v.Running())+v.Draining()+len(out)-n > 0, out)
}

// wake asks for the next interval, which begins at a multiple of its length, if it may change
// something. Whatever happens before asks for it as well.
func (p *Policy) wake(v *sim.View, may bool, out []sim.Decision) []sim.Decision {
	if p.next.At(v.Now()) != sim.Never || !may {
		return out
	}
	return p.next.Set(v.Now(), (v.Now()/p.every+1)*p.every, out)
}
