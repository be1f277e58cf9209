package parallelqueues

import (
	"math"
	"slices"

	"tarry/env/classic/parallelqueues/queues"
	"tarry/env/model"
	"tarry/internal/fixmath"
	"tarry/sim/rng"
)

// The rates per second, and the exponent of Pareto's law.
const (
	fast, slow = 0.2, 0.1
	exponent   = 2.5
)

// Play is an episode. The queues are to be looked at only.
type Play struct {
	*queues.System
	cfg      *config
	arrivals *rng.Stream
	service  []*rng.Stream // of each queue
	acks     []*rng.Stream
	perS     float64 // arrivals
	sum      float64 // of rewards
}

func newPlay(c *config) *Play {
	p := &Play{cfg: c, service: make([]*rng.Stream, len(c.RatesPerS)), acks: make([]*rng.Stream, len(c.RatesPerS))}
	p.System, _ = queues.New(c.Config) // Read has validated it
	for _, r := range c.RatesPerS {
		p.perS += r
	}
	p.perS *= c.load
	return p
}

// Start empties the queues. A queue's draws do not depend on what other queues get.
func (p *Play) Start(r *rng.Stream) error {
	from := rng.Source{Seed: r.Uint64(), Experiment: ID}
	p.arrivals = from.Stream("arrivals")
	for i := range p.service {
		from.Replicate = uint64(i)
		p.service[i], p.acks[i] = from.Stream("service"), from.Stream("acknowledgements")
	}
	p.sum = 0
	p.Begin(queues.Draws{ServiceUS: p.serviceUS, Uniform: func(i int) float64 { return p.acks[i].Float64() }})
	return nil
}

// serviceUS draws a service time.
func (p *Play) serviceUS(queue int) int64 {
	r, mean := p.service[queue], 1/p.RatesPerS[queue]
	switch p.cfg.service {
	case gamma:
		return micros(mean * (r.ExpFloat64() + r.ExpFloat64()) / 2)
	case pareto: // u^(-1/exponent) with u uniform, by its logarithm, from (exponent-1)/exponent means on
		return micros(mean * (exponent - 1) / exponent * fixmath.Exp(r.ExpFloat64()/exponent))
	}
	return micros(mean * r.ExpFloat64())
}

// micros rounds a time, which is one microsecond at least.
func micros(seconds float64) int64 { return max(1, int64(math.Round(seconds*1e6))) }

// Act gives the next job to a queue.
func (p *Play) Act(action []float64) model.Outcome {
	reward, _ := p.Hand(int(action[0]), micros(p.arrivals.ExpFloat64()/p.perS))
	p.sum += reward
	return model.Outcome{Reward: reward, Elapsed: 1, Terminated: p.Job >= p.cfg.jobs}
}

// Observe writes the features of each queue.
func (p *Play) Observe(obs []float64, _ []bool) {
	obs, buffer, largest := obs[:0], float64(p.Buffer), slices.Max(p.RatesPerS)
	for i, acks := range p.Acks {
		obs = append(obs, float64(acks)/buffer)
		if !p.cfg.published {
			since := float64(p.Since[i]) / float64(len(p.Since))
			obs = append(obs, p.RatesPerS[i]/largest, since/(1+since))
		}
		switch p.cfg.observe {
		case openToo:
			obs = append(obs, min(1, float64(p.Open[i])/(2*buffer)))
		case lengths:
			obs = append(obs, float64(p.Lengths[i])/buffer)
		}
	}
}

// Metrics writes the number of the next job, the jobs in the queues, the lost ones and the mean
// response of the others.
func (p *Play) Metrics(dst []float64) {
	inside := 0
	for _, n := range p.Lengths {
		inside += n
	}
	dst[0], dst[1], dst[2], dst[3] = float64(p.Job), float64(inside), float64(p.Lost), p.MeanResponseS()
}

// Cost is minus the mean reward: the jobs in the queues at an arrival, with the penalties.
func (p *Play) Cost() float64 { return -p.sum / float64(p.Job) }
