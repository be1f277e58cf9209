package dispatch

import "math"

// Expect gives when the request would end at a target with a pod of its type if nothing else came
// there, and how many of the requests of its type that wait there would then miss their deadlines and
// would not without it. A pod starts at the beginning of a slot, requests start in order of deadline,
// and late ones are passed over. An end beyond the deadline states that it would be
// missed.
func (w *World) Expect(target int, r Request) (endS float64, harmed int) {
	n := &w.nodes[target]
	from := w.starts(n, r.Type)
	_, without := w.chain(n, r.Type, from, nil)
	endS, with := w.chain(n, r.Type, from, &r)
	if endS <= r.DeadlineS {
		with--
	}
	return endS, without - with
}

// starts is when the pod of a type may start the next request.
func (w *World) starts(n *node, kind int) float64 {
	at := w.now
	for j := range n.pods {
		if p := &n.pods[j]; p.kind == kind && p.busy {
			return w.slotAt(p.until)
		}
	}
	if lacks := w.takes(kind) - n.cpu; lacks > 0 {
		at = w.frees(n, lacks)
	}
	return at
}

// frees is when pods that are busy will have given back so much CPU.
func (w *World) frees(n *node, lacks float64) float64 {
	if !w.set.CPUReturned {
		return math.Inf(1)
	}
	at := math.Inf(-1)
	for lacks > 0 {
		next := math.Inf(1)
		for j := range n.pods {
			if p := &n.pods[j]; p.busy && p.until > at {
				next = min(next, p.until)
			}
		}
		if at = next; math.IsInf(at, 1) {
			return at
		}
		for j := range n.pods {
			if p := &n.pods[j]; p.busy && p.until == at {
				lacks -= w.takes(p.kind)
			}
		}
	}
	return w.slotAt(at)
}

// slotAt is the first time of a slot that is not before t, nor now.
func (w *World) slotAt(t float64) float64 {
	return max(w.now, float64(math.Ceil(t/w.set.SlotS)*w.set.SlotS))
}

// chain lets the pod of a type serve the queue from a time on, and with it one more request, nil = none:
// when that would end, and how many would end in time.
func (w *World) chain(n *node, kind int, at float64, more *Request) (endS float64, served int) {
	one := func(r *Request) float64 {
		end := at + r.Work/w.takes(kind)
		if end <= r.DeadlineS {
			served++
			at = w.slotAt(end)
		}
		return end
	}
	for i := range n.queue {
		q := &n.queue[i].Request
		if more != nil && earlier(*more, *q) < 0 {
			endS, more = one(more), nil
		}
		if q.Type == kind {
			one(q)
		}
	}
	if more != nil {
		endS = one(more)
	}
	return endS, served
}
