package pal

import (
	"cmp"
	"slices"

	"tarry/sim"
)

// key ranks jobs in the order that PAL serves, smaller first; ties go by (submit, id).
func (p *Policy) key(v *sim.View, j sim.JobID) float64 {
	switch p.cfg.order {
	case "las":
		at, served := 0, v.Run(j).Service()
		for at < len(p.cfg.queues) && served >= p.cfg.queues[at] {
			at++
		}
		return float64(at)
	case "srtf":
		return v.Run(j).Left() / v.Job(j).Width()
	}
	return 0
}

// pick is a job that is to run.
type pick struct {
	key     float64
	job     sim.JobID
	running bool
	class   *class // nil = its GPUs are alike to it, or it keeps them
}

func (a pick) before(b pick) bool { return a.key < b.key || a.key == b.key && a.job < b.job }

// rank fills running with the running jobs in order.
func (p *Policy) rank(v *sim.View) {
	p.running = p.running[:0]
	for _, j := range v.Running() {
		p.running = append(p.running, pick{key: p.key(v, j), job: j, running: true})
	}
	slices.SortFunc(p.running, func(a, b pick) int {
		if c := cmp.Compare(a.key, b.key); c != 0 {
			return c
		}
		return cmp.Compare(a.job, b.job)
	})
}

// choose fills picks with the jobs that are to run by the order and what is left of the GPUs, in
// thousandths, and takes the waiting ones among them out of the queue. idle are the running jobs
// that are not to run any more.
func (p *Policy) choose(left int64) {
	p.picks, p.idle = p.picks[:0], p.idle[:0]
	i := 0
	p.queue.Open()
	for {
		next := pick{job: p.queue.Best()}
		if next.job != sim.NoJob {
			next.key = p.queue.Key(next.job)
		}
		if i < len(p.running) && (next.job == sim.NoJob || p.running[i].before(next)) {
			next = p.running[i]
			i++
		}
		if next.job == sim.NoJob {
			return
		}
		switch need := p.queue.Demand(next.job).Milli(); {
		case need <= left:
			left -= need
			if p.picks = append(p.picks, next); !next.running {
				p.queue.Remove(next.job)
			}
		case !p.cfg.backfill:
			if next.running {
				p.idle = append(p.idle, next)
			}
			p.idle = append(p.idle, p.running[i:]...)
			return
		case next.running:
			p.idle = append(p.idle, next)
		default:
			p.queue.Close(next.job)
		}
	}
}

// arrange puts the jobs that are to be placed in the order in which they are: jobs that insist on a
// GPU type, then by class, the most sensitive first, then in the order of the scheduler.
func (p *Policy) arrange(v *sim.View) {
	for i := range p.picks {
		x := &p.picks[i]
		if d := p.queue.Demand(x.job); d.ShareMilli == 1000 && d.CPUMilli == 0 && d.MemMiB == 0 &&
			p.cfg.place != "packed" {
			x.class = p.classOf(v, x.job)
		}
	}
	slices.SortStableFunc(p.picks, func(a, b pick) int {
		ta, tb := p.queue.Demand(a.job).Type == "", p.queue.Demand(b.job).Type == ""
		switch {
		case ta != tb && tb:
			return -1
		case ta != tb:
			return 1
		case !p.cfg.byClass:
			return 0
		}
		return cmp.Compare(b.sensitivity(), a.sensitivity())
	})
}

func (a pick) sensitivity() int {
	if a.class == nil {
		return 0
	}
	return a.class.sensitivity
}
