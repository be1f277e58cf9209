package interference

import "tarry/sim/param"

// mps is spatial sharing as by NVIDIA's Multi-Process Service: the ticket is the part p of the
// multiprocessors that a job may use (CUDA_MPS_ACTIVE_THREAD_PERCENTAGE). A job that keeps a part u
// of them busy loses nothing until p < u; and all together contend for memory bandwidth, which MPS
// does not divide.
//
//	keep = min(1, p/u) / (1 + bandwidth x the sum over the others of min(p, u))
//
// The form of the contention and its default are ours: beside one job that keeps all of its half
// busy it costs 5 %. The sharers of a GPU use together at most all of it: the sum of keep x u is at
// most 1.
type mps struct {
	busy
	bandwidth float64
	always    bool
}

func mpsKind() Kind {
	return Kind{Name: "mps", Form: "mps[:bandwidth=0.1,limit=always,util=0.5]",
		Doc: "spatial sharing: the ticket limits the multiprocessors, and memory bandwidth is contended (ours)",
		Params: "bandwidth  what others that keep all of a GPU busy would add to a job's time\n" +
			"limit      beside: the ticket limits a job beside others; always: alone too\n" + busyDoc,
		read: readMPS}
}

func readMPS(s *param.Set, _ Opener) (law, error) {
	return &mps{readBusy(s), s.Float("bandwidth", 0.1, 0, 1000), s.Enum("limit", "beside", "always") == "always"}, nil
}

// used is the part of the multiprocessors that a job keeps busy.
func (l *mps) used(j *sharer) float64 { return min(float64(j.share)/1000, l.of(j)) }

func (l *mps) keep(me *sharer, others []sharer) float64 {
	if len(others) == 0 && !l.always {
		return 1
	}
	contended := 0.0
	for i := range others {
		contended += l.used(&others[i])
	}
	return l.used(me) / l.of(me) / (1 + float64(l.bandwidth*contended))
}
