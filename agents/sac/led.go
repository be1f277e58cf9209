package sac

// led is what the transitions of a minibatch led to, one after the other.
type led struct {
	obs, noise     []float64
	discount       []float64
	action, logp   []float64 // drawn anew
	in             []float64 // observation and action
	least, another []float64 // the smaller value that the target critics give, and room for one of them
}

func newLed(rows int, p *Policy) *led {
	room := func(n int) []float64 { return make([]float64, rows*n) }
	n := len(p.raw)
	return &led{room(p.obs), room(n), room(1), room(n), room(1), room(p.obs + n), room(1), room(1)}
}

// judge draws the policy's actions and their values by the target critics, all rows at a time.
func (d *led) judge(p *Policy, c *critics) {
	rows, n := len(d.logp), len(p.raw)
	p.actor.DrawRows(d.action, d.logp, d.obs, d.noise, rows)
	for k := range rows {
		in := d.in[k*(p.obs+n) : (k+1)*(p.obs+n)]
		copy(in, d.obs[k*p.obs:(k+1)*p.obs])
		copy(in[p.obs:], d.action[k*n:(k+1)*n])
	}
	c.target[0].ForwardRows(d.least, d.in, nil, rows)
	c.target[1].ForwardRows(d.another, d.in, nil, rows)
	for k, v := range d.another {
		d.least[k] = min(d.least[k], v)
	}
}
