package interference

import "tarry/sim/param"

// priority is AntMan's law (Xiao et al., OSDI 2020) as a rule of a simulator, which is ours: the
// jobs with guaranteed resources go first, opportunistic ones divide what they leave idle, as
// AntMan's local control does mini-batch by mini-batch. With g the busy parts of the guaranteed
// jobs on a GPU together, and o the busy parts of the opportunistic ones,
//
//	guaranteed:     keep = min(1, 1/g) x (1 - eps)      eps only beside others
//	opportunistic:  keep = min(1, max(0, 1 - g) / o)    at least floor
//
// A job is guaranteed by its own priority (Job.Priority > 0), or with class=ticket by a share of
// more than half of the GPU: a scheduler that decides who is guaranteed gives the others less. Of
// memory below the need see the package comment. The sharers of a GPU use together at most all of
// it, but for floor: the sum of keep x u is at most 1.
type priority struct {
	busy
	eps, floor float64
	byTicket   bool
}

func priorityKind() Kind {
	return Kind{Name: "priority", Form: "priority[:class=ticket,eps=0.02,floor=0.01,util=0.5]",
		Doc: "guaranteed jobs first, opportunistic ones divide what is idle (AntMan, OSDI 2020; as a rule of ours)",
		Params: "class      who is guaranteed: priority: jobs with a priority above 0; ticket: a share of more than " +
			"half of the GPU\n" +
			"eps        what a guaranteed job loses beside others\n" +
			"floor      what an opportunistic job keeps at least, so that it does not stand still for ever\n" +
			busyDoc, read: readPriority}
}

func readPriority(s *param.Set, _ Opener) (law, error) {
	return &priority{readBusy(s), s.Float("eps", 0.02, 0, 0.99), s.Float("floor", 0.01, leastKeep, 1),
		s.Enum("class", "priority", "ticket") == "ticket"}, nil
}

// guaranteed reports the class of a job.
func (l *priority) guaranteed(j *sharer) bool {
	if l.byTicket {
		return j.share > 500
	}
	return j.priority > 0
}

func (l *priority) keep(me *sharer, others []sharer) float64 {
	if len(others) == 0 {
		return 1
	}
	first := l.guaranteed(me)
	class, ahead := l.of(me), 0.0 // busy parts of the own class, and of the guaranteed where that is another
	for i := range others {
		switch o := &others[i]; {
		case l.guaranteed(o) == first:
			class += l.of(o)
		case !first:
			ahead += l.of(o)
		}
	}
	if first {
		return min(1, 1/class) * (1 - l.eps)
	}
	return max(l.floor, min(1, max(0, 1-ahead)/class))
}
