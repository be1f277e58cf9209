package plan

import "tarry/sim"

// Fill starts waiting jobs in order, passing over jobs that do not fit, and appends the
// decisions. It takes what it starts out of the queue. put places jobs; nil = Placer.Place.
func Fill(v *sim.View, q *Queue, p *Placer, put Put, out []sim.Decision) []sim.Decision {
	p.Begin(v)
	q.Open()
	for v.Free().Total() > 0 || q.sharing {
		j := q.Best()
		if j == sim.NoJob {
			break
		}
		out = Start(v, q, p, put, j, out)
		if q.Has(j) {
			q.Close(j)
		}
	}
	return out
}

// Start places a waiting job and appends its start, taking it out of the queue; if it does
// not fit now, it stays there and nothing is appended. put places it; nil = Placer.Place.
func Start(v *sim.View, q *Queue, p *Placer, put Put, j sim.JobID, out []sim.Decision) []sim.Decision {
	gpus, ok := p.Put(put, v, j, q.Demand(j))
	if !ok {
		return out
	}
	q.Remove(j)
	return append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
}
