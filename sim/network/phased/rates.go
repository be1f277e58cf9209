package phased

import "math"

// share gives the rates of the transfers in a set: level by level, from the largest, and within one
// weighted max-min by progressive filling.
func (g *Group) share(set uint) *[MaxJobs]float64 {
	rate, f := &g.rates[set], &g.form
	if g.known[set/64]>>(set%64)&1 != 0 {
		return rate
	}
	g.known[set/64] |= 1 << (set % 64)
	*rate = [MaxJobs]float64{}
	for l := range f.links {
		f.links[l].left = f.links[l].capacity
	}
	for rest := set; rest != 0; {
		top, rise := math.MinInt, uint(0)
		for i := range f.n {
			if rest>>i&1 == 0 {
				continue
			}
			switch level := int(f.jobs[i].level); {
			case level > top:
				top, rise = level, 1<<i
			case level == top:
				rise |= 1 << i
			}
		}
		rest &^= rise
		for rise != 0 {
			rise &^= f.fill(rise, rate)
		}
	}
	return rate
}

// fill raises the rates of a set, in proportion to the weights, until some stop, and gives these.
func (f *form) fill(rise uint, rate *[MaxJobs]float64) (stop uint) {
	least, tight := math.Inf(1), -1
	for l := range f.links {
		k, weight := &f.links[l], 0.0
		for i := range f.n {
			if rise>>i&1 != 0 {
				weight += float64(f.jobs[i].weight * k.load[i])
			}
		}
		if weight > 0 && k.left/weight < least {
			least, tight = k.left/weight, l
		}
	}
	for i := range f.n {
		if m := &f.jobs[i]; rise>>i&1 != 0 && m.most <= least*m.weight {
			rate[i] = m.most
			stop |= 1 << i
		}
	}
	if stop == 0 {
		for i := range f.n {
			if rise>>i&1 != 0 && f.links[tight].load[i] > 0 {
				rate[i] = least * f.jobs[i].weight
				stop |= 1 << i
			}
		}
	}
	for l := range f.links {
		k := &f.links[l]
		for i := range f.n {
			if stop>>i&1 != 0 {
				k.left -= float64(rate[i] * k.load[i])
			}
		}
		if k.left < k.capacity*sliver {
			k.left = 0
		}
	}
	return stop
}
