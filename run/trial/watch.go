package trial

import (
	"math"

	"tarry/output/results"
	"tarry/run/measure"
	"tarry/sim"
	"tarry/sim/cluster"
)

const (
	// firstStep is the finest spacing of cluster samples.
	firstStep = 60 * sim.Second
	// maxSamples bounds them: the step doubles when there are more.
	maxSamples = 4096
)

// linkMeter is a speed model that reports how busy its links are.
type linkMeter interface{ LinkUtil() float64 }

// watch observes one run. Intervals go to the store as they end; of the cluster's states it
// keeps the first after each multiple of a step, so that memory is bounded whatever the length.
type watch struct {
	trial *Trial
	store *store
	lives *lives
	book  *measure.Book
	// engine is the watched engine, set before it moves.
	engine *sim.Engine
	free   *cluster.Free
	links  linkMeter // nil when the speed model shares no links: then the samples are NaN
	types  typeNames
	uses   *typeUse
	queue  backlog
	step   sim.Time
	next   sim.Time
	taken  []results.Sample
	at     []sim.Time
	last   sim.Gauge
	kept   []results.Interval
	err    error
	live   reporter
	power  *trail   // nil = the trial has no power model
	served *serving // nil = the trial has no services and no operator

	// progress receives now and then how many jobs ended since its last call.
	progress         func(ended int)
	instants         int
	ended, announced int
}

// newWatch makes the watch, and the observers of the run in their order.
func newWatch(t *Trial, s *store, progress func(int)) (*watch, []sim.Observer, error) {
	w := &watch{trial: t, store: s, lives: newLives(t.Jobs()), book: measure.New(t.Topology, t.Tenants, t.Owners),
		types: typeNames{topo: t.Topology}, uses: newTypeUse(t.Topology), queue: newBacklog(t.Topology.GPUs()),
		step: firstStep, progress: progress}
	w.live.watch = w
	all := []sim.Observer{w}
	if t.Services != nil || t.Operator != nil {
		w.served = newServing(t.Services, t.Topology, t.Jobs())
		w.book.Beside(w.served)
		all = append(all, w.served.book)
	}
	if t.Power == nil {
		return w, all, nil
	}
	n, err := newEnergy(t.Power, t.Topology)
	if err != nil {
		return nil, nil, err
	}
	w.book.With(n)
	w.power = newTrail(n.book, t.Power)
	return w, append(all, n.book), nil
}

// look sees each instant before the policy does.
func (w *watch) look(v *sim.View) (bool, error) {
	if w.instants++; w.instants&1023 == 0 {
		w.announce()
	}
	for _, e := range v.Events() {
		if e.Kind == sim.Arrive {
			w.queue.arrive(w.engine.Job(e.Job))
		}
	}
	w.free = v.Free()
	w.book.Look(v, w.engine)
	w.live.look(v, w.instants)
	return true, w.err
}

func (w *watch) announce() {
	w.progress(w.ended - w.announced)
	w.announced = w.ended
}

// Job collects what the summary needs, and counts ends for the progress bar.
func (w *watch) Job(r *sim.Record) {
	w.ended++
	j := w.engine.Job(r.Job)
	w.lives.add(w.trial.Topology, j, r, w.engine.Now())
	w.book.Job(j, r, w.engine)
	w.live.job(r, w.engine.Now())
	if r.State == sim.Done || r.State == sim.Rejected {
		w.queue.leave(j)
	}
}

// Instant takes a sample when one is due.
func (w *watch) Instant(g *sim.Gauge) {
	w.last = *g
	w.book.Instant(g.Now, w.free)
	if w.power != nil {
		w.power.instant(g.Now)
	}
	if g.Now >= w.next {
		w.sample(g)
	}
}

// end takes the last state, if it was not taken, and gives the error of the run's intervals.
func (w *watch) end(g sim.Gauge) error {
	w.announce()
	if w.err != nil {
		return w.err
	}
	if w.served != nil {
		w.served.now = g.Now
	}
	if w.power != nil {
		w.power.book.Advance(g.Now)
		if err := w.power.book.Err(); err != nil {
			return err
		}
	}
	if n := len(w.at); n == 0 || w.at[n-1] != g.Now {
		w.sample(&g)
	}
	return nil
}

func (w *watch) sample(g *sim.Gauge) {
	w.at = append(w.at, g.Now)
	w.taken = append(w.taken, results.Sample{Keys: w.trial.Keys, Time: g.Now.Seconds(), Busy: int64(g.Busy),
		Free: int64(g.Free),
		Down: int64(g.Down), Waiting: int64(g.Waiting), Running: int64(g.Running), Frag: w.fragmentation(),
		LinkUtil: math.NaN()})
	if w.links != nil {
		w.taken[len(w.taken)-1].LinkUtil = w.links.LinkUtil()
	}
	if len(w.taken) > maxSamples {
		w.thin()
	}
	w.next = (g.Now/w.step + 1) * w.step
}

// thin doubles the step and keeps the first sample of each.
func (w *watch) thin() {
	w.step *= 2
	n := 0
	for i, at := range w.at {
		if n == 0 || at/w.step != w.at[n-1]/w.step {
			w.at[n], w.taken[n] = at, w.taken[i]
			n++
		}
	}
	w.at, w.taken = w.at[:n], w.taken[:n]
}

// fragmentation is the share of free GPUs that lie on partly used machines; 0 when none is free.
func (w *watch) fragmentation() float64 {
	if w.free == nil || w.free.Total() == 0 {
		return 0
	}
	whole := 0
	for m := range w.trial.Topology.Machines() {
		lo, hi := w.trial.Topology.MachineGPUs(m)
		if n := w.free.InMachine(m); n == int(hi-lo) {
			whole += n
		}
	}
	return 1 - float64(whole)/float64(w.free.Total())
}

// Interval hands one allocation on.
func (w *watch) Interval(i *sim.Interval) {
	w.live.interval(i)
	w.book.Interval(w.engine.Job(i.Job), i)
	if w.uses != nil {
		w.uses.add(i.Start.Seconds(), i.End.Seconds(), int64(i.ShareMilli), i.GPUs)
	}
	if w.err != nil || !w.store.wants() && !w.trial.KeepIntervals {
		return
	}
	row := results.Interval{Keys: w.trial.Keys, Job: w.trial.Workload.Jobs[i.Job].ID, Start: i.Start.Seconds(),
		End:  i.End.Seconds(),
		Tier: i.Level.String(), Machines: int64(machines(w.trial.Topology, i.GPUs)), GPUs: int64(len(i.GPUs)),
		ComputeFrac: 1 - i.CommFrac, GPUList: results.FormatGPUs(i.GPUs), GPUType: w.types.of(i.GPUs),
		ShareMilli: int64(i.ShareMilli), Reason: i.Reason.String()}
	if i.Run > 0 {
		row.Rate = i.Work / float64(i.Run)
	}
	if w.trial.KeepIntervals {
		w.kept = append(w.kept, row)
	}
	if s := w.store; s.intervals != nil {
		var next *results.Interval
		if next, w.err = s.intervals.Row(); w.err == nil {
			*next = row
		}
	}
}

// machines counts the machines of ascending GPUs.
func machines(t *cluster.Topology, gpus []cluster.GPU) int {
	n, last := 0, -1
	for _, g := range gpus {
		if m := t.Machine(g); m != last {
			n, last = n+1, m
		}
	}
	return n
}
