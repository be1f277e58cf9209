package ones

import (
	"math"
	"slices"

	"tarry/baselines/ones/evolve"
	"tarry/sim"
)

// limit sets the most GPUs that each job of a pool may have at this decision.
func (p *Policy) limit(v *sim.View, q *pool) {
	q.limits = evolve.Zeros(q.limits, len(q.jobs))
	for i, l := range q.jobs {
		if v.Run(l.job).State() != sim.Running {
			if l.ran {
				q.limits[i] = l.resume
			} else {
				q.limits[i] = l.limit
			}
			continue
		}
		n := q.has[i]
		if l.epoch-l.scaled < p.cfg.wait {
			q.limits[i] = max(n, l.lo)
			continue
		}
		if n >= l.limit {
			l.limit = min(max(2*l.limit, n), l.hi)
		}
		top := math.Min(float64(l.limit), p.cfg.most*float64(l.asked))
		q.limits[i] = max(l.whole(int32(math.Min(top, float64(l.hi)))), n)
	}
	p.calm(v, q)
	for i, l := range q.jobs {
		q.limits[i] = min(max(q.limits[i], l.lo), max(l.hi, l.lo))
		l.resume = min(max(l.resume, l.lo), max(l.hi, l.lo))
	}
}

// whole cuts a count to whole workers, at least the least of the job.
func (l *life) whole(n int32) int32 { return max(l.lo, n-n%l.unit) }

// calm shrinks the largest running job, if it has half of the GPUs or more and has run longer than
// the median: to 2 n / (run / median + 1), rounded to an even number.
func (p *Policy) calm(v *sim.View, q *pool) {
	big := -1
	p.runs = p.runs[:0]
	for i, l := range q.jobs {
		if q.has[i] == 0 {
			continue
		}
		p.runs = append(p.runs, v.Run(l.job).Time())
		if big < 0 || q.has[i] > q.has[big] {
			big = i
		}
	}
	if big < 0 || 2*int(q.has[big]) < len(q.slots) || len(p.runs) < 2 {
		return
	}
	slices.Sort(p.runs)
	median := p.runs[len(p.runs)/2]
	if len(p.runs)%2 == 0 {
		median = (median + p.runs[len(p.runs)/2-1]) / 2
	}
	l := q.jobs[big]
	run := v.Run(l.job).Time()
	if median <= 0 || run <= median {
		return
	}
	to := int32(2 * math.Round(float64(q.has[big])/(float64(run)/float64(median)+1)))
	to = l.whole(max(to, 1))
	if to < q.has[big] {
		l.limit, q.limits[big] = to, to
	}
}
