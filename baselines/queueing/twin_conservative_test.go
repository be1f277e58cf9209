package queueing_test

import "slices"

// promised is the state of the twin of conservative.
type promised struct {
	depth       int   // jobs with a reservation; 0 = all
	interval    int64 // between two plans
	next        int64
	began       bool
	anew, early bool
}

// hole is the earliest start from now on at which j fits beside everything that is promised.
func (w *twin) hole(j *twinJob) int64 {
	type span struct {
		from, to int64
		g        int
	}
	var spans []span
	for _, o := range w.jobs {
		switch {
		case o == j:
		case o.running:
			spans = append(spans, span{w.now, o.estEnd, o.g})
		case o.waiting && o.resv >= 0:
			spans = append(spans, span{o.resv, o.resv + o.est, o.g})
		}
	}
	starts := []int64{w.now}
	for _, s := range spans {
		if s.to > w.now {
			starts = append(starts, s.to)
		}
	}
	slices.Sort(starts)
	fits := func(at int64) bool {
		for _, p := range append([]span{{from: at}}, spans...) {
			if p.from < at || p.from >= at+j.est {
				continue
			}
			n := j.g
			for _, s := range spans {
				if s.from <= p.from && p.from < s.to {
					n += s.g
				}
			}
			if n > w.gpus {
				return false
			}
		}
		return true
	}
	for _, at := range starts {
		if fits(at) {
			return at
		}
	}
	panic("no hole")
}

// near are the waiting jobs that may have a reservation, in order.
func (w *twin) near() []*twinJob {
	return w.pick(func(j *twinJob) bool { return j.waiting && j.near })
}

// admit gives reservations to the next jobs in order, as many as may have one.
func (w *twin) admit() (any bool) {
	for _, j := range w.waiting() {
		if !j.near && (w.promised.depth == 0 || len(w.near()) < w.promised.depth) {
			j.near, any = true, true
			j.resv = w.hole(j)
		}
	}
	return any
}

// planned reports whether all are made anew now, and whether they are compressed.
func (w *twin) planned() (anew, early bool) {
	for _, j := range w.endedNow {
		w.promised.early = w.promised.early || j.estEnd > w.now
	}
	p := &w.promised
	p.anew = w.extend() || p.anew || !p.began
	if !p.anew && !p.early || p.began && w.now < p.next {
		return false, false
	}
	anew, early = p.anew, p.early
	p.began, p.anew, p.early, p.next = true, false, false, w.now+p.interval
	return anew, early
}

func (w *twin) conservative() {
	anew, early := w.planned()
	for _, j := range w.near() {
		switch {
		case anew:
			j.resv = -1
		case early && j.resv >= 0:
			j.resv = w.hole(j)
		}
	}
	if anew {
		for _, j := range w.near() {
			j.resv = w.hole(j)
		}
	}
	w.admit()
	w.dueNow()
	for w.admit() {
		w.dueNow()
	}
	w.timer = 0
	for _, j := range w.near() {
		if j.resv >= 0 && (w.timer == 0 || j.resv < w.timer) {
			w.timer = j.resv
		}
	}
	if p := &w.promised; (p.anew || p.early) && (w.timer == 0 || p.next < w.timer) {
		w.timer = p.next
	}
}

// dueNow starts jobs without a reservation that delay none, and jobs whose time has come; where
// there is no room they lose theirs.
func (w *twin) dueNow() {
	for _, j := range w.near() {
		if j.resv < 0 && w.hole(j) == w.now && j.g <= w.free() {
			w.start(j)
		}
	}
	for _, j := range w.near() {
		switch {
		case j.resv < 0 || j.resv > w.now:
		case j.g <= w.free():
			w.start(j)
		default:
			j.resv = -1
		}
	}
}
