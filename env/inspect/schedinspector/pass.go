package schedinspector

import (
	"cmp"
	"math"
	"slices"
)

// end is when a running job ends.
func (w *World) end(i int) float64 { return w.start[i-w.set.First] + w.job(i).Run }

// firstEnd sorts what runs by its end and gives the first; infinity where nothing runs.
func (w *World) firstEnd() float64 {
	if len(w.running) == 0 {
		return math.Inf(1)
	}
	slices.SortStableFunc(w.running, func(a, b int) int { return cmp.Compare(w.end(a), w.end(b)) })
	return w.end(w.running[0])
}

// arrive lets the next job join the queue.
func (w *World) arrive() {
	w.now = max(w.now, w.job(w.next).Submit)
	w.queue = append(w.queue, w.next)
	w.next++
}

// advance takes in the next event: an arrival, or the first end where that is earlier.
func (w *World) advance() {
	end := w.firstEnd()
	if w.next < w.last && w.job(w.next).Submit <= end {
		w.arrive()
		return
	}
	w.now = max(w.now, end)
	w.free += w.job(w.running[0]).Procs
	w.running = append(w.running[:0], w.running[1:]...)
}

// wait moves time after a refusal.
func (w *World) wait() {
	if w.Stuck() {
		return
	}
	bound := w.firstEnd()
	if w.next < len(w.log.Jobs) {
		bound = min(bound, w.job(w.next).Submit)
	}
	if w.now+pauseS < bound {
		w.now += pauseS
		return
	}
	w.advance()
}

// earliest is when a job can start by the requests of what runs.
func (w *World) earliest(pick int) float64 {
	if !w.set.Backfill || w.Fits() {
		return w.now
	}
	ends := func(i int) float64 { return w.start[i-w.set.First] + w.job(i).Request }
	slices.SortStableFunc(w.running, func(a, b int) int { return cmp.Compare(ends(a), ends(b)) })
	at, free := w.now, w.free
	for _, i := range w.running {
		free, at = free+w.job(i).Procs, ends(i)
		if free >= w.job(pick).Procs {
			break
		}
	}
	return at
}

// fill starts queued jobs in order of arrival that fit and by their requests end before a limit.
func (w *World) fill(limit float64) {
	if !w.set.Backfill {
		return
	}
	slices.SortStableFunc(w.queue, func(a, b int) int { return cmp.Compare(w.job(a).Submit, w.job(b).Submit) })
	for k := 0; k < len(w.queue); {
		if j := w.job(w.queue[k]); j.Procs <= w.free && w.now+j.Request < limit {
			w.begin(w.queue[k])
			continue
		}
		k++
	}
}
