package replay

import "slices"

// Arrive reports a job that comes at a second.
func (r *Run) Arrive(at int64, j *Job) { r.wait = append(r.wait, arrival{at, j}) }

// Due is when the next decision is to be taken, as far as is known; false where nothing is to come.
// more states that jobs will arrive that are not known yet. A decision within a slot of the last
// waits until the slot is over, unless it is the last event of all.
func (r *Run) Due(more bool) (at int64, ok bool) {
	first, many := int64(0), more
	see := func(t int64) {
		switch {
		case !ok:
			first, ok = t, true
		case t != first:
			first, many = min(first, t), true
		}
	}
	for i := range r.wait {
		see(r.wait[i].at)
	}
	for _, j := range r.jobs {
		if j.event != none {
			see(j.event)
		}
	}
	for _, t := range r.scale {
		see(t)
	}
	if ok && r.began && first-r.now <= r.cfg.SlotS && many {
		first = r.now + r.cfg.SlotS
	}
	return first, ok
}

// move makes a time the event of a job's end, in place of the time at which it was. Where nothing
// else ends or arrives at the old time its event is taken away, and with it the changes of plans
// that share it: they are looked at when the next decision is due for another reason.
func (r *Run) move(j *Job, from, to int64) {
	j.event = to
	if from == to || slices.ContainsFunc(r.jobs, func(k *Job) bool { return k.event == from }) ||
		slices.ContainsFunc(r.wait, func(a arrival) bool { return a.at == from }) {
		return
	}
	r.scale = slices.DeleteFunc(r.scale, func(t int64) bool { return t == from })
}

// scaleAt makes the next change of a job's plan an event: for one that waits, the first that gives
// it GPUs.
func (r *Run) scaleAt(j *Job) {
	for _, x := range j.give {
		if x.at > r.now && (j.running || x.gpus > 0) {
			r.scale = append(r.scale, x.at)
			return
		}
	}
}

// rescale makes the first change of a plan an event where it comes before every end, under
// ef-accessctrl.
func (r *Run) rescale() {
	first, found := int64(0), false
	for _, j := range r.jobs {
		for _, x := range j.give {
			if x.at > r.now {
				if !found || x.at < first {
					first, found = x.at, true
				}
				break
			}
		}
	}
	r.scale = r.scale[:0]
	if !found {
		return
	}
	for _, j := range r.jobs {
		if j.event != none && j.event <= first {
			return
		}
	}
	r.scale = append(r.scale, first)
}
