package plan

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// Shares as tickets: where n jobs share a GPU each holds 1000/n of it, and a gang as much of each
// of its GPUs as of the GPU that most jobs share. The speed of a job on its share is up to the
// speed model.

// Joinable reports whether a job may share these GPUs by Join: they are up and of its type, and no
// job drains there, as a job that does keeps its share. It does not look at CPU and memory of
// machines (see View.HostUsed), nor at memory of GPUs (see View.GPUMiBFree).
func Joinable(v *sim.View, job sim.JobID, gpus []cluster.GPU) bool {
	t := v.Topology()
	typ := v.Job(job).GPUType()
	for _, g := range gpus {
		if !v.Up(g) || typ != "" && len(t.Types()) > 1 && t.Type(t.Machine(g)) != typ {
			return false
		}
		for _, x := range v.On(g) {
			if v.Run(x).State() != sim.Running {
				return false
			}
		}
	}
	return true
}

// Join appends what gives a waiting job a share of GPUs (ascending) beside the jobs there: Tunes of
// these down to their tickets, and the Start of the job with its own. The job's ticket, and each
// other's, is 1000/n, n being the most jobs on one of its GPUs after the join; no job holds more
// than the share that the trace gives it. The decisions in out count: several jobs may join at one
// instant, and who is preempted or moved away does not share any more. The GPUs must be Joinable,
// and no job may begin to drain there in out.
func Join(v *sim.View, out []sim.Decision, job sim.JobID, gpus []cluster.GPU) []sim.Decision {
	before := len(out)
	start := sim.Decision{Kind: sim.Start, Job: job, GPUs: gpus}
	out = append(out, start) // so that it counts; the Tunes come before it in the end
	start.ShareMilli = ticket(v, out, job, gpus)
	for i := range before { // jobs that start at this instant too
		if d := &out[i]; d.Kind == sim.Start && meet(d.GPUs, gpus) {
			d.ShareMilli = ticket(v, out, d.Job, d.GPUs)
		}
	}
	for i, g := range gpus {
		for _, x := range v.On(g) {
			if meet(v.Run(x).Held(), gpus[:i]) || leaves(out[:before], x) {
				continue
			}
			if share := ticket(v, out, x, v.Run(x).Held()); share < present(v, out[:before], x) {
				out = append(out, sim.Decision{Kind: sim.Tune, Job: x, Knobs: sim.Knobs{ShareMilli: share}})
			}
		}
	}
	copy(out[before:], out[before+1:])
	out[len(out)-1] = start
	return out
}

// RaiseShares appends Tunes that give the jobs whose GPUs have fewer sharers since the last
// decision the tickets that they are due. It is called before anything else is decided.
func RaiseShares(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, x := range v.FewerSharers() {
		if v.Run(x).State() != sim.Running {
			continue
		}
		share := ticket(v, nil, x, v.Run(x).Held())
		for _, g := range v.Run(x).Held() {
			share = min(share, spared(v, g, x))
		}
		if share > v.Run(x).Knobs().ShareMilli {
			out = append(out, sim.Decision{Kind: sim.Tune, Job: x, Knobs: sim.Knobs{ShareMilli: share}})
		}
	}
	return out
}

// ticket is the share of a job on GPUs (ascending): 1000 by the most jobs on one of them, and no
// more than its own.
func ticket(v *sim.View, out []sim.Decision, job sim.JobID, gpus []cluster.GPU) int32 {
	most := 1
	for _, g := range gpus {
		most = max(most, sharers(v, out, g))
	}
	return Ticket(v, job, most)
}

// Ticket is the share, in thousandths, of a job on GPUs of which the most crowded one has n jobs, n
// >= 1: 1000/n, and at most the job's own share in the trace.
func Ticket(v *sim.View, job sim.JobID, n int) int32 { return min(own(v, job), max(1, int32(1000/n))) }

// sharers counts the jobs on a GPU after the decisions in out.
func sharers(v *sim.View, out []sim.Decision, g cluster.GPU) int {
	n := v.Sharers(g)
	if len(out) == 0 {
		return n
	}
	for _, x := range v.On(g) {
		if leaves(out, x) {
			n--
		}
	}
	for i := range out {
		if given(&out[i], g) {
			n++
		}
	}
	return n
}

// spared is what is left of a GPU for a job when the others there have their tickets.
func spared(v *sim.View, g cluster.GPU, job sim.JobID) int32 {
	on, left := v.On(g), int32(1000)
	for _, x := range on {
		if x != job {
			left -= max(v.Run(x).Knobs().ShareMilli, min(own(v, x), int32(1000/len(on))))
		}
	}
	return left
}

// own is the share that the trace gives a job.
func own(v *sim.View, job sim.JobID) int32 {
	if s := v.Job(job).ShareMilli(); s > 0 {
		return s
	}
	return 1000
}

// present is a job's share after the decisions in out.
func present(v *sim.View, out []sim.Decision, job sim.JobID) int32 {
	s := v.Run(job).Knobs().ShareMilli
	for i := range out {
		if d := &out[i]; d.Job == job && d.Kind == sim.Tune && d.ShareMilli > 0 {
			s = d.ShareMilli
		}
	}
	return s
}

// given reports whether a decision gives a job a GPU.
func given(d *sim.Decision, g cluster.GPU) bool {
	if d.Kind != sim.Start && d.Kind != sim.Migrate && d.Kind != sim.Resize {
		return false
	}
	_, ok := slices.BinarySearch(d.GPUs, g)
	return ok
}

// leaves reports whether a job is taken off its GPUs.
func leaves(out []sim.Decision, job sim.JobID) bool {
	return slices.ContainsFunc(out, func(d sim.Decision) bool {
		return d.Job == job && (d.Kind == sim.Preempt || d.Kind == sim.Lift || d.Kind == sim.Migrate ||
			d.Kind == sim.Resize)
	})
}

// meet reports whether two ascending lists have a GPU in common.
func meet(a, b []cluster.GPU) bool {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			return true
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return false
}
