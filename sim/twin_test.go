package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarry/sim/cluster"
)

// tick is the step of the twin: all that happens in its cases happens at a multiple of it.
const tick = Second / 8

// twinJob is a job in the twin.
type twinJob struct {
	state                                      JobState
	left, saved, lost, freq, batch             float64
	gpus                                       []cluster.GPU
	since, pause, ckpt0, leaseEnd, run0        Time
	run, service, queue, over, lostRun, safe   Time
	killed                                     Time
	started, expired                           bool
	watch                                      Counter
	bound                                      Time
	preemptions, migrations, faults, allocated int32
}

// twin is the kernel once more, in the plainest way: it goes tick by tick and looks at every job.
type twin struct {
	w      *Workload
	costs  Costs
	faults Schedule // of single GPUs; the cluster has one machine
	now    Time
	jobs   []twinJob
	down   map[cluster.GPU]int
	said   []string // events of this instant
}

func newTwin(w *Workload, c Costs, faults Schedule) *twin {
	x := &twin{w: w, costs: c, faults: faults, now: -tick, jobs: make([]twinJob, len(w.Jobs)),
		down: map[cluster.GPU]int{}}
	for i := range x.jobs {
		x.jobs[i].left, x.jobs[i].saved = float64(w.Jobs[i].Work), float64(w.Jobs[i].Work)
		x.jobs[i].leaseEnd, x.jobs[i].bound = Never, Never
	}
	return x
}

func (x *twin) say(what EventKind, j int) { x.said = append(x.said, fmt.Sprintf("%v %d", what, j)) }

// step goes one tick on: progress first, then what it leads to, faults, arrivals.
func (x *twin) step() {
	x.now += tick
	x.said = x.said[:0]
	for j := range x.jobs {
		x.work(j)
	}
	for _, f := range x.faults {
		if f.At == x.now {
			x.strike(cluster.GPU(f.GPU), f.Up)
		}
	}
	for j := range x.jobs {
		if x.w.Jobs[j].Submit == x.now {
			x.jobs[j].state, x.jobs[j].since = Waiting, x.now
			x.say(Arrive, j)
		}
	}
}

// work is one job's tick.
func (x *twin) work(j int) {
	b := &x.jobs[j]
	switch b.state {
	case Waiting:
		b.queue += tick
		return
	case Draining:
		b.over += tick
		if b.pause -= tick; b.pause == 0 {
			x.wait(j)
			x.say(Drained, j)
		}
		return
	case Running:
	default:
		return
	}
	if b.pause > 0 {
		b.pause -= tick
		b.over += tick
	} else {
		share := 1.0
		if s := x.w.Jobs[j].ShareMilli; s > 0 {
			share = float64(s) / 1000
		}
		b.run += tick
		b.service += tick * Time(len(b.gpus))
		if b.batch != stalls {
			b.left -= float64(tick) * float64(len(b.gpus)) * share * b.freq
		}
		if every := Seconds(x.costs.CheckpointEveryS); every > 0 && (x.now-b.ckpt0)%every == 0 {
			b.saved, b.safe = b.left, b.run
		}
	}
	if b.left <= 0 {
		b.state, b.gpus = Done, nil
		x.say(Finish, j)
		return
	}
	if x.now == b.leaseEnd {
		b.expired = true
		x.say(Expire, j)
	}
	if count := [...]Time{Service: b.service, RunTime: b.run}[b.watch]; count >= b.bound {
		b.bound = Never
		x.say(Cross, j)
	}
}

func (x *twin) wait(j int) {
	b := &x.jobs[j]
	b.state, b.since, b.gpus, b.pause = Waiting, x.now, nil, 0
	b.leaseEnd, b.expired, b.bound = Never, false, Never
}

func (x *twin) strike(g cluster.GPU, up bool) {
	if up {
		x.down[g]--
		return
	}
	x.down[g]++
	for j := range x.jobs {
		if b := &x.jobs[j]; slices.Contains(b.gpus, g) {
			x.loses(b)
			b.faults++
			x.wait(j)
			x.say(Fail, j)
		}
	}
}

// loses returns a job to its last checkpoint.
func (x *twin) loses(b *twinJob) {
	b.lost += b.saved - b.left
	b.lostRun += b.run - b.safe
	b.left, b.safe = b.saved, b.run
}

// unsaved is what a kill would undo of a job that runs.
func (x *twin) unsaved(b *twinJob) Time {
	if b.state != Running {
		return 0
	}
	return b.run - b.safe
}

// nextCheckpoint is when the job is saved next, if it runs on.
func (x *twin) nextCheckpoint(b *twinJob) Time {
	every := Seconds(x.costs.CheckpointEveryS)
	if b.state != Running || every == 0 {
		return Never
	}
	at := x.now + b.pause + tick
	for (at-b.ckpt0)%every != 0 || at <= b.ckpt0 {
		at += tick
	}
	return at
}

// do carries out a decision.
func (x *twin) do(d *Decision) {
	if d.Kind == WakeAt || d.Kind == Lift { // the move that follows a Lift is all that comes of it
		return
	}
	b := &x.jobs[d.Job]
	cost := func(c Cost, gpus int) Time { return Seconds(c.FixedS + c.PerGPUS*float64(gpus)) }
	switch d.Kind {
	case Start:
		c := x.costs.Restore
		if !b.started {
			c = x.costs.Start
		}
		b.state, b.started, b.freq, b.batch = Running, true, 1, 1
		x.give(b, d, cost(c, len(d.GPUs)))
	case Preempt:
		b.preemptions++
		if x.costs.Kill {
			b.killed += b.run - b.safe
			x.loses(b)
		}
		b.saved, b.safe = b.left, b.run
		if c := cost(x.costs.Checkpoint, len(b.gpus)); c > 0 && b.run > b.run0 && !x.costs.Kill {
			b.state, b.pause, b.bound = Draining, c, Never // the view keeps its lease until it waits
			return
		}
		x.wait(int(d.Job))
	case Migrate, Resize:
		b.saved, b.safe = b.left, b.run
		c := x.costs.Rescale
		if d.Kind == Migrate {
			b.migrations++
			c = x.costs.Migrate
		}
		x.give(b, d, cost(c, len(d.GPUs)))
	case Renew:
		b.pause += cost(x.costs.Renew, len(b.gpus))
		b.leaseEnd, b.expired = Never, false
		if d.Lease > 0 {
			b.leaseEnd = x.now + d.Lease
		}
	case Tune:
		if d.FreqFrac > 0 {
			b.freq = d.FreqFrac
		}
		if d.Batch > 0 {
			b.batch = d.Batch
		}
	case Reject:
		b.state = Rejected
	case Watch:
		b.watch, b.bound = d.Counter, d.Bound
	}
}

func (x *twin) give(b *twinJob, d *Decision, pause Time) {
	b.gpus, b.since, b.pause, b.run0 = slices.Clone(d.GPUs), x.now, pause+d.Delay, b.run
	b.ckpt0 = x.now + b.pause
	b.allocated++
	if d.Lease > 0 {
		b.leaseEnd, b.expired = x.now+d.Lease, false
	}
}

// compare holds what a view shows against the twin.
func (x *twin) compare(t *testing.T, v *View, where string) {
	t.Helper()
	var said []string
	for _, ev := range v.Events() {
		if ev.Job != NoJob {
			said = append(said, fmt.Sprintf("%v %d", ev.Kind, ev.Job))
		}
	}
	want := slices.Clone(x.said)
	slices.Sort(said)
	slices.Sort(want)
	if !slices.Equal(said, want) {
		t.Fatalf("%s at %v: the kernel says %s, its twin %s", where, x.now, strings.Join(said, ", "),
			strings.Join(want, ", "))
	}
	held := map[cluster.GPU]bool{}
	for j := range JobID(len(x.jobs)) {
		b := &x.jobs[j]
		for _, g := range b.gpus {
			held[g] = true
		}
		got := fmt.Sprint(v.Run(j).State(), v.Run(j).Held(), v.Run(j).Time(), v.Run(j).Service(), v.Run(j).Left(),
			v.Run(j).LeaseEnd(), v.Run(j).Expired(),
			v.Run(j).Preemptions(), v.Run(j).Unsaved(), v.Run(j).NextCheckpoint())
		exp := fmt.Sprint(b.state, b.gpus, b.run, b.service, b.left, b.leaseEnd, b.expired, b.preemptions,
			x.unsaved(b), x.nextCheckpoint(b))
		if b.state == Done || b.state == Rejected {
			got, exp = fmt.Sprint(v.Run(j).State()), fmt.Sprint(b.state)
			if slices.Contains(said, fmt.Sprintf("finish %d", j)) { // later the view states no more than the state
				got, exp = fmt.Sprint(v.Run(j).Time(), v.Run(j).Service(), v.Run(j).Left()), fmt.Sprint(b.run, b.service, 0)
			}
		}
		if got != exp || (b.state == Waiting || b.state == Running) && v.Run(j).Since() != b.since {
			t.Fatalf("%s at %v: job %d is %s since %v, its twin %s since %v", where, x.now, j, got, v.Run(j).Since(), exp,
				b.since)
		}
	}
	for g := range cluster.GPU(v.Topology().GPUs()) {
		if free := !held[g] && x.down[g] == 0; v.Free().Has(g) != free {
			t.Fatalf("%s at %v: GPU %d free %v, by the twin %v", where, x.now, g, v.Free().Has(g), free)
		}
	}
}

// closed compares what is left of a job at the end of the run.
func (x *twin) closed(t *testing.T, e *Engine, where string) {
	t.Helper()
	for j := range x.jobs {
		b, r := &x.jobs[j], e.Record(JobID(j))
		got := fmt.Sprint(r.State, r.Queue, r.Run, r.Overhead, r.Lost, r.LostRun, r.KilledRun, r.Preemptions, r.Migrations,
			r.Faults, r.Allocations)
		want := fmt.Sprint(b.state, b.queue, b.run, b.over, Time(b.lost), b.lostRun, b.killed, b.preemptions, b.migrations,
			b.faults, b.allocated)
		if got != want {
			t.Fatalf("%s: the record of job %d is %s, its twin has %s", where, j, got, want)
		}
	}
}
