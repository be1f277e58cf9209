package deeprm

import (
	"tarry/env/classic/deeprm/slots"
	"tarry/env/model"
	"tarry/sim/rng"
)

// The lengths and needs of jobs.
const (
	shortShare             = 0.8
	shortest, shorter      = 1, 3
	longer, longest        = 10, 15
	lowMost, highMost      = 5, 10
	lowOther, highOther    = 1, 2
	most                   = 4 // after so many times the steps with arrivals SJF plays the rest
	backlogScale, mostIdle = 60, 10
	slotNumbers            = 7 // of an observation
)

// Play is an episode. The machine is to be looked at only.
type Play struct {
	*slots.Machine
	cfg     *config
	jobs    []slots.Job
	offsets []int // of the visible jobs
}

func newPlay(c *config) *Play {
	return &Play{Machine: slots.New(c.machine), cfg: c, offsets: make([]int, c.machine.Slots)}
}

// Start draws the jobs.
func (p *Play) Start(r *rng.Stream) error {
	p.jobs = p.jobs[:0]
	for at := 1; at < p.Steps; at++ {
		if r.Float64() >= p.cfg.rate {
			continue
		}
		j := slots.Job{Arrive: at, Length: between(r, longer, longest)}
		if r.Float64() < shortShare {
			j.Length = between(r, shortest, shorter)
		}
		big := r.IntN(slots.Resources)
		for k := range j.Need {
			if j.Need[k] = between(r, lowOther, highOther); k == big {
				j.Need[k] = between(r, lowMost, highMost)
			}
		}
		p.jobs = append(p.jobs, j)
	}
	if len(p.jobs) == 0 { // an episode has a cost
		p.jobs = append(p.jobs, slots.Job{Arrive: 1, Length: shortest, Need: [slots.Resources]int{lowMost, lowOther}})
	}
	return p.Begin(p.jobs)
}

// between draws a whole number, both ends included.
func between(r *rng.Stream, low, high int) int { return low + r.IntN(high-low+1) }

// choice is the machine's choice for an action, and action the inverse.
func (p *Play) choice(action []float64) int {
	if action[0] == 0 {
		return p.Slots
	}
	return int(action[0]) - 1
}

func (p *Play) action(choice int) float64 {
	if choice == p.Slots {
		return 0
	}
	return float64(choice + 1)
}

// Act places a job or lets a step pass.
func (p *Play) Act(action []float64) model.Outcome {
	o := p.take(p.choice(action))
	if p.Now >= most*p.Steps {
		for sjf := slots.Rules()[0].Choose; !o.Terminated; {
			next := p.take(sjf(p.Machine))
			o.Reward, o.Elapsed, o.Terminated = o.Reward+next.Reward, o.Elapsed+next.Elapsed, next.Terminated
		}
	}
	return o
}

func (p *Play) take(choice int) (o model.Outcome) {
	reward, moved := p.Machine.Act(choice)
	if moved {
		o.Elapsed = 1
	}
	o.Reward, o.Terminated = reward, p.Ended()
	return o
}

// Observe writes what is seen, and which slots have a job with a place.
func (p *Play) Observe(obs []float64, mask []bool) {
	for i, job := range p.Visible {
		if p.offsets[i] = slots.Nowhere; job != slots.Nowhere && (mask != nil || !p.cfg.image) {
			p.offsets[i] = p.Offset(job)
		}
		if mask != nil {
			mask[0], mask[1+i] = true, p.offsets[i] != slots.Nowhere
		}
	}
	if p.cfg.image {
		p.Image(obs)
		return
	}
	at := 0
	put := func(x float64) {
		obs[at] = x
		at++
	}
	for _, step := range p.Free {
		for _, n := range step {
			put(float64(n) / float64(p.Units))
		}
	}
	put(min(1, float64(p.Backlogged())/backlogScale))
	put(float64(p.Idle) / mostIdle)
	put(max(0, float64(p.Steps-p.Now)) / float64(p.Steps))
	for i, job := range p.Visible {
		if job == slots.Nowhere {
			clear(obs[at : at+slotNumbers])
			at += slotNumbers
			continue
		}
		j, start, now := &p.Jobs[job], p.offsets[i], 0.0
		if start == slots.Nowhere {
			start = p.Horizon
		}
		if start == 0 {
			now = 1
		}
		put(1)
		put(float64(j.Length) / float64(p.Horizon))
		for _, n := range j.Need {
			put(float64(n) / float64(p.Units))
		}
		put(now)
		put(float64(start) / float64(p.Horizon))
		waited := float64(p.Now-j.Arrive) / float64(j.Length)
		put(waited / (1 + waited))
	}
}

// Metrics writes the step, the jobs in the system, the backlog and the jobs that were placed.
func (p *Play) Metrics(dst []float64) {
	queued := p.Backlogged()
	for _, job := range p.Visible {
		if job != slots.Nowhere {
			queued++
		}
	}
	dst[0], dst[1], dst[2], dst[3] = float64(p.Now), float64(p.Running()+queued), float64(p.Backlogged()),
		float64(p.Arrived-queued)
}

// Cost is the mean slowdown.
func (p *Play) Cost() float64 {
	sum := 0.0
	for job := range p.Jobs {
		sum += p.Slowdown(job)
	}
	return sum / float64(len(p.Jobs))
}
