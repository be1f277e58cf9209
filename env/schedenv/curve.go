package schedenv

import "tarry/sim"

// curve is the jobs in the system of another run over time: the integral up to each change.
type curve struct {
	at   []sim.Time
	sum  []int64
	in   []int64
	next int // where the last question was answered: time never decreases
}

func (c *curve) add(at sim.Time, in int64) {
	if n := len(c.at); n > 0 {
		c.sum = append(c.sum, c.sum[n-1]+c.in[n-1]*int64(at-c.at[n-1]))
	} else {
		c.sum = append(c.sum, 0)
	}
	c.at, c.in = append(c.at, at), append(c.in, in)
}

// area is the integral up to t.
func (c *curve) area(t sim.Time) int64 {
	if len(c.at) == 0 {
		return 0
	}
	if c.at[c.next] > t {
		c.next = 0
	}
	for c.next+1 < len(c.at) && c.at[c.next+1] <= t {
		c.next++
	}
	return c.sum[c.next] + c.in[c.next]*int64(t-c.at[c.next])
}
