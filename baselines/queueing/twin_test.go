package queueing_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// The twin is the same scheduling done the plain way: whole GPUs by count, every job looked at and
// sorted at every instant, integers only.
type twinJob struct {
	id, g                        int
	submit, dur, est             int64
	left, attained, resv, estEnd int64
	started, end, began          int64
	seen, waiting, running, near bool
	preempted                    int
}

type twin struct {
	name      string
	gpus      int
	quantum   int64
	jobs      []*twinJob
	now       int64
	timer     int64 // 0 = not set
	endedNow  []*twinJob
	arrivedAt []*twinJob
	promised  promised
}

func (w *twin) pick(f func(*twinJob) bool) (out []*twinJob) {
	for _, j := range w.jobs {
		if f(j) {
			out = append(out, j)
		}
	}
	return out
}

func (w *twin) waiting() []*twinJob { return w.pick(func(j *twinJob) bool { return j.waiting }) }
func (w *twin) running() []*twinJob { return w.pick(func(j *twinJob) bool { return j.running }) }
func (w *twin) free() int {
	n := w.gpus
	for _, j := range w.running() {
		n -= j.g
	}
	return n
}

// step moves to the next instant and reports false at the end.
func (w *twin) step() bool {
	const never = int64(1) << 62
	next := never
	for _, j := range w.jobs {
		switch {
		case j.running:
			next = min(next, w.now+j.left)
		case !j.seen: // also one that is refused
			next = min(next, j.submit)
		}
	}
	alive := next < never || len(w.waiting()) > 0
	if alive && w.timer > 0 {
		next = min(next, w.timer)
	}
	if next == never {
		return false
	}
	dt := next - w.now
	w.now, w.endedNow, w.arrivedAt = next, nil, nil
	for _, j := range w.running() {
		j.left -= dt
		j.attained += dt
		if j.left == 0 {
			j.running, j.end = false, w.now
			w.endedNow = append(w.endedNow, j)
		}
	}
	for _, j := range w.jobs {
		if j.submit != w.now || j.seen {
			continue
		}
		if j.seen = true; j.g <= w.gpus {
			j.waiting = true
			w.arrivedAt = append(w.arrivedAt, j)
		}
	}
	return true
}

func (w *twin) start(j *twinJob) {
	j.waiting, j.running, j.began = false, true, w.now
	if j.started < 0 {
		j.started = w.now
	}
	j.estEnd = w.now + j.est
}

func (w *twin) key(j *twinJob) int64 {
	switch w.name {
	case "sjf":
		return j.dur
	case "srtf":
		return j.left
	case "srsf":
		return j.left * int64(j.g)
	case "las":
		return j.attained * int64(j.g)
	case "las-time":
		return j.attained
	}
	return 0
}

func (w *twin) sorted(js []*twinJob) []*twinJob {
	slices.SortFunc(js, func(a, b *twinJob) int {
		return cmp.Or(cmp.Compare(w.key(a), w.key(b)),
			cmp.Compare(a.id, b.id))
	})
	return js
}

// fill starts waiting jobs in order; block stops at the first misfit.
func (w *twin) fill(block bool) {
	for _, j := range w.sorted(w.waiting()) {
		if j.g <= w.free() {
			w.start(j)
		} else if block {
			return
		}
	}
}

func (w *twin) rebuild() {
	left := w.gpus
	keep := map[*twinJob]bool{}
	for _, j := range w.sorted(w.pick(func(j *twinJob) bool { return j.waiting || j.running })) {
		if j.g <= left {
			left -= j.g
			keep[j] = true
		}
	}
	for _, j := range w.running() {
		if !keep[j] {
			j.running, j.waiting = false, true
			j.preempted++
		}
	}
	for _, j := range w.waiting() {
		if keep[j] {
			w.start(j)
		}
	}
}

func (w *twin) extend() (any bool) {
	for _, j := range w.running() {
		if j.estEnd <= w.now {
			any = true
			for d := j.estEnd - j.began; j.estEnd <= w.now; {
				d *= 2
				j.estEnd = j.began + d
			}
		}
	}
	return any
}

func (w *twin) easy() {
	w.extend()
	queue := w.waiting()
	for len(queue) > 0 && queue[0].g <= w.free() {
		w.start(queue[0])
		queue = queue[1:]
	}
	if len(queue) == 0 {
		return
	}
	head, run := queue[0], w.running()
	slices.SortFunc(run, func(a, b *twinJob) int { return cmp.Compare(a.estEnd, b.estEnd) })
	free, shadow := w.free(), int64(0)
	for _, j := range run {
		if free >= head.g && j.estEnd > shadow {
			break
		}
		free += j.g
		shadow = j.estEnd
	}
	extra := free - head.g
	for _, j := range queue[1:] {
		if j.g > w.free() {
			continue
		}
		if w.now+j.est <= shadow {
			w.start(j)
		} else if j.g <= extra {
			extra -= j.g
			w.start(j)
		}
	}
}

func (w *twin) run() {
	for w.step() {
		switch w.name {
		case "fifo":
			w.fill(true)
		case "fit-first", "sjf":
			w.fill(false)
		case "srtf", "srsf":
			w.rebuild()
		case "las", "las-time":
			if w.timer > 0 && w.timer <= w.now {
				w.timer = 0
				w.rebuild()
			} else {
				w.fill(false)
			}
			if len(w.waiting()) > 0 && w.timer == 0 {
				w.timer = (w.now/w.quantum + 1) * w.quantum
			}
		case "easy":
			w.easy()
		case "conservative", "conservative-limited":
			w.conservative()
		}
	}
}

func twinOf(name string, w *sim.Workload, est []int64, gpus int, quantum int64) *twin {
	tw := &twin{name: name, gpus: gpus, quantum: quantum}
	for i, j := range w.Jobs {
		d := int64(j.Work) / int64(j.GPUs)
		tw.jobs = append(tw.jobs, &twinJob{id: i, g: int(j.GPUs), submit: int64(j.Submit), dur: d, left: d,
			est: est[i], started: -1, end: -1, resv: -1})
	}
	return tw
}

// small draws a workload with many ties and some jobs larger than the cluster.
func small(t testing.TB, r *rand.Rand, gpus int) (*sim.Workload, []int64) {
	unit := []sim.Time{sim.Second, 1}[r.IntN(2)]
	js := make([]sim.Job, 1+r.IntN(25))
	spread := 1 + r.IntN(40)
	for i := range js {
		g := 1 + r.IntN(gpus)
		if r.IntN(20) == 0 {
			g = gpus + 1
		}
		js[i] = sim.Job{ID: fmt.Sprint(i), GPUs: int32(g), Submit: sim.Time(r.IntN(spread)) * unit,
			Work: sim.Time(g*(1+r.IntN(12))) * unit}
	}
	w, err := sim.NewWorkload("small", js)
	if err != nil {
		t.Fatal(err)
	}
	est := make([]int64, len(js))
	exact := r.IntN(2) == 0
	for i := range est {
		est[i] = int64(w.Jobs[i].Work) / int64(w.Jobs[i].GPUs)
		if !exact {
			est[i] = max(1, est[i]*int64(1+r.IntN(8))/4)
		}
	}
	return w, est
}

// Every policy does to every job what its twin does, on hundreds of small workloads.
func TestTwins(t *testing.T) {
	for _, name := range []string{"fifo", "fit-first", "sjf", "srtf", "srsf", "las", "las-time", "easy",
		"conservative", "conservative-limited"} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(400) {
				r := rand.New(rand.NewPCG(seed, 7))
				m, g := 1+r.IntN(3), 1+r.IntN(4)
				w, est := small(t, r, m*g)
				real, params, quantum, limits := name, "", int64(2*sim.Second), promised{}
				switch name {
				case "las":
					params = "quantum_s=2"
				case "las-time":
					real, params = "las", "quantum_s=2,service=time"
				case "conservative-limited":
					limits.depth, limits.interval = r.IntN(5), int64(r.IntN(12))*[]int64{1, int64(sim.Second)}[r.IntN(2)]
					real, params = "conservative", fmt.Sprintf("depth=%d,interval=%v", limits.depth,
						sim.Time(limits.interval).Seconds())
				}
				cfg := sim.Config{Workload: w, Topology: topology(t, 1, m, g), Speed: simtest.Counting{}, Check: true,
					Estimate: func(j sim.JobID) sim.Time { return sim.Time(est[j] * int64(w.Jobs[j].GPUs)) }}
				e, err := sim.Run(context.Background(), cfg, policy(t, real, params))
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				tw := twinOf(name, w, est, m*g, quantum)
				tw.promised = limits
				tw.run()
				for i, j := range tw.jobs {
					rec := e.Record(sim.JobID(i))
					start, end := int64(rec.Start), int64(rec.End)
					if rec.State == sim.Refused {
						start, end = -1, -1
					}
					if start != j.started || end != j.end || int(rec.Preemptions) != j.preempted {
						t.Fatalf("seed %d: %s: job %d of %+v\nstart %d, end %d, %d preemptions; the twin says %d, %d, %d",
							seed, params, i, w.Jobs[i], start, end, rec.Preemptions, j.started, j.end, j.preempted)
					}
				}
			}
		})
	}
}
