package sharing

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// memo has the losses beside running jobs that were worked out, so that a job that finds no mate
// asks the speed model for those beside new holders only. An answer holds while the holder has the
// same GPUs and knobs and the guest the same work done: under a model whose speeds depend on who
// else runs, or on how far a job is, nothing is kept.
type memo struct{ of []beside } // by the first GPU of the holder, which has no other job

// beside is what was worked out beside a holder.
type beside struct {
	host    sim.JobID
	held    []cluster.GPU
	knobs   sim.Knobs
	answers []answer // one for each width of guests
}

// answer is the loss of a guest on the first n GPUs of a machine, or of the holder if that is
// greater.
type answer struct {
	guest sim.JobID
	n     int32
	ran   sim.Time // of the guest
	loss  float64
}

// forget makes it empty: the copy of a run may be of another workload.
func (x *memo) forget() {
	for i := range x.of {
		x.of[i].held = x.of[i].held[:0]
	}
}

// begin gives what is known beside a holder as it is now; nil where nothing is kept.
func (x *memo) begin(v *sim.View, host sim.JobID) *beside {
	if coupled, progressive := v.Speeds(); coupled || progressive {
		return nil
	}
	if len(x.of) != v.Topology().GPUs() {
		x.of = make([]beside, v.Topology().GPUs())
	}
	held, knobs := v.Run(host).Held(), v.Run(host).Knobs()
	b := &x.of[held[0]]
	if b.host != host || b.knobs != knobs || !slices.Equal(b.held, held) {
		b.host, b.held, b.knobs, b.answers = host, append(b.held[:0], held...), knobs, b.answers[:0]
	}
	return b
}

// find is the loss of a guest on n GPUs, where it is known.
func (b *beside) find(v *sim.View, guest sim.JobID, n int) (loss float64, known bool) {
	if b == nil {
		return 0, false
	}
	for i := range b.answers {
		if a := &b.answers[i]; a.guest == guest && a.n == int32(n) {
			return a.loss, a.ran == v.Run(guest).Time()
		}
	}
	return 0, false
}

// note notes the loss of a guest on n GPUs, in the place of the last one on as many.
func (b *beside) note(v *sim.View, guest sim.JobID, n int, loss float64) {
	if b == nil {
		return
	}
	i := slices.IndexFunc(b.answers, func(a answer) bool { return a.n == int32(n) })
	if i < 0 {
		i = len(b.answers)
		b.answers = append(b.answers, answer{})
	}
	b.answers[i] = answer{guest, int32(n), v.Run(guest).Time(), loss}
}
