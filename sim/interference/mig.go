package interference

import (
	"tarry/sim/mig"
	"tarry/sim/param"
)

// instances is GPUs that are cut into instances (MIG): jobs in other instances cost nothing, jobs
// in the same share it as by mps. A part c of the compute slices is a job's instance, 1 for a GPU
// that is not cut; its ticket p counts beside others in the same instance alone.
//
//	alone in it      keep = min(1, c/u)
//	beside others    keep = min(1, min(p, c)/u) / (1 + bandwidth x the sum over them of min(p, u) / c)
//
// That an instance runs a job as a GPU with so many multiprocessors would is ours, as is the
// contention: an instance has its own part of the memory bandwidth, so what others use counts as a
// part of the instance. What instances of a GPU still share (PCIe, power) is left out.
type instances struct {
	busy
	bandwidth float64
	part      []float64 // by the knob Instance: the part of the compute slices
}

func migKind() Kind {
	return Kind{Name: "mig", Form: "mig[:bandwidth=0.1,util=0.5]", Doc: "instances of GPUs (MIG): others in the " +
		"same share it as by mps, others cost nothing; alone, an instance limits what a job keeps busy (ours)",
		Params: "bandwidth  what others that keep all of an instance busy would add to a job's time\n" + busyDoc,
		read:   readMIG}
}

func readMIG(s *param.Set, _ Opener) (law, error) {
	return &instances{readBusy(s), s.Float("bandwidth", 0.1, 0, 1000), parts()}, nil
}

// parts are the parts of the devices of package mig, which number their placements alike.
func parts() []float64 {
	parts := []float64{1}
	d := mig.Devices()[0]
	for p := range d.Placements {
		parts = append(parts, float64(d.Of(p).Compute)/mig.ComputeSlices)
	}
	return parts
}

// has is the part of the GPU that a job's instance has.
func (l *instances) has(j *sharer) float64 {
	if int(j.instance) >= len(l.part) {
		return 1
	}
	return l.part[j.instance]
}

func (l *instances) keep(me *sharer, others []sharer) float64 {
	c, u := l.has(me), l.of(me)
	contended, alone := 0.0, true
	for i := range others {
		if o := &others[i]; o.instance == me.instance {
			contended += min(float64(o.share)/1000, l.of(o)) / c
			alone = false
		}
	}
	if alone {
		return min(1, c/u)
	}
	return min(1, min(float64(me.share)/1000, c)/u) / (1 + float64(l.bandwidth*contended))
}
