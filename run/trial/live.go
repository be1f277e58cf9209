package trial

import (
	"fmt"

	"tarry/output/live"
	"tarry/sim"
	"tarry/sim/cluster"
)

const (
	// lookEvery is the number of instants after which a trial looks whether it is watched, and
	// tellEvery the number after which a watched one reports.
	lookEvery, tellEvery = 1024, 64
	// mostLive is the most jobs of a trial that is reported.
	mostLive = 100_000
)

// reporter sends what a trial does to tarry watch, while that has marked the folder of its results.
// Its faults never stop the trial: the reports end.
type reporter struct {
	watch  *watch
	stream *live.Stream
	step   live.Step
	off    bool
}

// look begins the reports where the folder is watched, and sends what is due.
func (r *reporter) look(v *sim.View, instant int) {
	w := r.watch
	if r.off || !w.store.wants() || w.trial.Workload == nil {
		return
	}
	if r.stream == nil {
		if (instant-1)%lookEvery == 0 && w.trial.Jobs() <= mostLive && live.Watched(w.store.root) {
			r.begin(v)
		}
		return
	}
	if instant%tellEvery == 0 {
		r.tell(v)
	}
}

// begin writes the head.
func (r *reporter) begin(v *sim.View) {
	w, top := r.watch, v.Topology()
	k := w.trial.Keys
	head := &live.Head{Policy: k.Policy, Replicate: k.Replicate, From: v.Now().Seconds()}
	for m := range top.Machines() {
		lo, hi := top.MachineGPUs(m)
		head.Machines = append(head.Machines, live.Machine{Rack: top.Rack(m), GPUs: int(hi - lo),
			Type: top.Types()[top.TypeOf(m)]})
	}
	for i := range w.trial.Workload.Jobs {
		j := &w.trial.Workload.Jobs[i]
		one := live.Job{ID: j.ID, User: j.User, Model: j.Model, GPUs: int(j.GPUs), Submit: j.Submit.Seconds()}
		if j.Submit <= v.Now() {
			switch v.Run(sim.JobID(i)).State() {
			case sim.Done, sim.Refused, sim.Rejected:
				one.Gone = &one.Submit
			}
		}
		head.Jobs = append(head.Jobs, one)
	}
	stream, err := live.Create(w.store.root, fmt.Sprintf("%q %d", k.Policy, k.Replicate), head)
	if err != nil {
		r.off = true
		return
	}
	r.stream = stream
	r.tell(v)
}

// tell writes what happened since the last line.
func (r *reporter) tell(v *sim.View) {
	r.step.Until = v.Now().Seconds()
	r.step.Held = r.step.Held[:0]
	for _, j := range v.Running() {
		if run := v.Run(j); len(run.Held()) > 0 {
			r.step.Held = append(r.step.Held, live.Span{Job: int(j), Start: run.Since().Seconds(),
				GPUs: ranges(run.Held()), Level: run.Level().String()})
		}
	}
	if err := r.stream.Step(&r.step); err != nil {
		r.close()
		return
	}
	r.step = live.Step{Held: r.step.Held}
}

// interval and job take note of what ends.
func (r *reporter) interval(i *sim.Interval) {
	if r.stream == nil {
		return
	}
	end := i.End.Seconds()
	r.step.Ended = append(r.step.Ended, live.Span{Job: int(i.Job), Start: i.Start.Seconds(), End: &end,
		GPUs: ranges(i.GPUs), Level: i.Level.String(), Ended: i.Reason.String()})
}

func (r *reporter) job(rec *sim.Record, now sim.Time) {
	if r.stream != nil && rec.State != sim.Done {
		r.step.Gone = append(r.step.Gone, [2]float64{float64(rec.Job), now.Seconds()})
	}
}

// close ends the reports.
func (r *reporter) close() {
	if r.stream != nil {
		r.stream.Close()
	}
	r.stream, r.off = nil, true
}

// ranges writes ascending GPUs as first and count of adjacent ones.
func ranges(gpus []cluster.GPU) [][2]int {
	var out [][2]int
	for _, g := range gpus {
		if n := len(out) - 1; n >= 0 && out[n][0]+out[n][1] == int(g) {
			out[n][1]++
			continue
		}
		out = append(out, [2]int{int(g), 1})
	}
	return out
}
