package allocate

// attained gives each job, in order of queue and first start, what it asked for if that still fits,
// and with ElasticTiresias what is left by gain.
func (a *Allocator) attained(jobs []Job, free int, out []int) {
	a.grow = a.grow[:0]
	for n := 0; free > 0; n++ {
		i, ok := a.order.at(n)
		if !ok {
			break
		}
		if n := jobs[i].Num; free >= n {
			out[i] = n
			free -= n
			a.grow = append(a.grow, i)
		}
	}
	if a.Algorithm == Tiresias {
		return
	}
	if len(jobs)-len(a.grow) > a.Compact {
		for _, i := range a.grow {
			if j := &jobs[i]; j.Queue > 0 {
				free += out[i] - j.Min
				out[i] = j.Min
			}
		}
	}
	if free > 0 {
		a.byGain(jobs, free, out)
	}
}

// byGain hands what is free out to the job with the largest gain: its min to a job that has
// nothing, else one step. As published the list is sorted again before each step, stably by queue
// and then by gain, so that among equals the job that gained last is first, then the order of the
// list: ranking keeps that order with a counter.
func (a *Allocator) byGain(jobs []Job, free int, out []int) {
	r := &a.grown
	r.items, r.count = r.items[:0], 0
	for i := range jobs {
		j := &jobs[i]
		if a.gone(j, free, out[i], free < j.Min) {
			continue
		}
		g := j.gain(out[i])
		if out[i] == 0 {
			g = j.at(j.Min) / float64(j.Min)
		}
		r.items = append(r.items, ranked{gain: g, queue: j.Queue, last: -i, job: int32(i)})
	}
	r.heapify()
	for free > 0 && len(r.items) > 0 && r.items[0].gain > 0 {
		i := r.items[0].job
		j := &jobs[i]
		n, was := j.step(), out[i]
		if was == 0 {
			n = j.Min
		}
		if n > free {
			r.drop()
			continue
		}
		out[i] += n
		free -= n
		if (was > 0 || a.Corrected) && a.gone(j, free, out[i], false) {
			r.drop()
			continue
		}
		r.again(j.gain(out[i]))
	}
}

// gone reports whether a job leaves the list: at max, or where min is short. Corrected: where no
// step is within max, or a job with nothing is short.
func (a *Allocator) gone(j *Job, free, n int, short bool) bool {
	if !a.Corrected {
		return n >= j.Max || short
	}
	if n == 0 {
		return short
	}
	return n+j.step() > j.Max
}

// ranked is a job in the list.
type ranked struct {
	gain        float64
	queue, last int // of equal gain the lower queue is first, then the later gain
	job         int32
}

func (x *ranked) before(y *ranked) bool {
	switch {
	case x.gain != y.gain:
		return x.gain > y.gain
	case x.queue != y.queue:
		return x.queue < y.queue
	}
	return x.last > y.last
}

// ranking is a heap of them.
type ranking struct {
	items []ranked
	count int
}

func (r *ranking) heapify() {
	for i := len(r.items)/2 - 1; i >= 0; i-- {
		r.down(i)
	}
}

// again gives the first another gain; it is the last that gained.
func (r *ranking) again(gain float64) {
	r.count++
	r.items[0].gain, r.items[0].last = gain, r.count
	r.down(0)
}

// drop takes the first off.
func (r *ranking) drop() {
	n := len(r.items) - 1
	r.items[0] = r.items[n]
	r.items = r.items[:n]
	r.down(0)
}

func (r *ranking) down(i int) {
	for {
		c := 2*i + 1
		if c >= len(r.items) {
			return
		}
		if c+1 < len(r.items) && r.items[c+1].before(&r.items[c]) {
			c++
		}
		if !r.items[c].before(&r.items[i]) {
			return
		}
		r.items[i], r.items[c] = r.items[c], r.items[i]
		i = c
	}
}
