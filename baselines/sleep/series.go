package sleep

import "tarry/sim"

// series is the notes of machines in use, one per tick, the last of them in a ring.
type series struct {
	ring   []float64
	keep   int // notes that the ring has room for
	n      int // notes so far
	stable int // the note from which on machines may sleep again
	begun  sim.Time
	most   float64 // of the present interval
	fresh  bool    // the interval begins now
	ticked bool    // a note was made that the rule has not looked at
}

func (s *series) start(now sim.Time, keep int, tick sim.Time) {
	s.keep, s.begun, s.fresh = keep, now-now%tick, true
}

// add makes a note.
func (s *series) add(x float64) {
	if len(s.ring) < s.keep {
		s.ring = append(s.ring, x)
	} else {
		s.ring[s.n%s.keep] = x
	}
	s.n++
}

// at is the i-th note; it must not be older than what the ring keeps.
func (s *series) at(i int) float64 { return s.ring[i%s.keep] }

// mean is the mean of the notes from a to b, as far as they exist; 0 if there are none.
func (s *series) mean(a, b int) float64 {
	a, sum := max(0, a), 0.0
	for i := a; i <= b; i++ {
		sum += s.at(i)
	}
	if b < a {
		return 0
	}
	return sum / float64(b-a+1)
}

// note takes in how many machines are in use from now on.
func (s *series) note(used float64) {
	if s.fresh {
		s.most, s.fresh = used, false
	}
	s.most = max(s.most, used)
}

// pass makes the notes of the intervals that have ended.
func (p *Policy) pass(now sim.Time) {
	s := &p.series
	for s.begun+p.cfg.tick <= now {
		s.add(s.most)
		s.begun += p.cfg.tick
		s.most = float64(p.supply.used)
		s.fresh = s.begun == now
		s.ticked = s.ticked || s.fresh
		if p.predicts() {
			p.model.learn(s)
		}
	}
}

// predicts reports whether forecasts are of interest.
func (p *Policy) predicts() bool { return p.cfg.rule == ByForecast }
