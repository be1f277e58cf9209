package plan

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// capacities are the thousandths of GPUs not yet spoken for, in all and per GPU type.
type capacities struct {
	total  int64
	usable []int64 // per type, thousandths of GPUs that are not down
	typeOf []int32 // machine -> type, where there are several
	left   []int64 // per type, thousandths
	names  []string
	stale  bool
}

// follow notes that units failed or came back.
func (c *capacities) follow(v *sim.View) {
	for _, ev := range v.Events() {
		if ev.Kind == sim.Fail || ev.Kind == sim.Repair {
			c.stale = true
		}
	}
}

// open sets everything free.
func (c *capacities) open(v *sim.View) {
	c.total = int64(v.Usable()) * 1000
	t := v.Topology()
	if len(t.Types()) == 1 {
		return
	}
	if c.typeOf == nil || c.stale {
		c.count(v, t)
	}
	copy(c.left, c.usable)
}

// count counts the GPUs of each type that are not down, by looking at each.
func (c *capacities) count(v *sim.View, t *cluster.Topology) {
	if c.typeOf == nil {
		c.names = t.Types()
		n := len(c.names)
		c.typeOf = make([]int32, t.Machines())
		c.usable, c.left = make([]int64, n), make([]int64, n)
		for m := range c.typeOf {
			for i, name := range c.names {
				if t.Type(m) == name {
					c.typeOf[m] = int32(i)
				}
			}
		}
	}
	clear(c.usable)
	for g := range cluster.GPU(t.GPUs()) {
		if v.Share(g) > 0 || v.Free().Has(g) {
			c.usable[c.typeOf[t.Machine(g)]] += 1000
		}
	}
	c.stale = false
}

// claim reserves a demand, if that is still there. One without a type is checked against the total
// alone: any GPUs that the typed ones leave will do.
func (c *capacities) claim(d *Demand) bool {
	need := d.Milli()
	if need > c.total {
		return false
	}
	if c.typeOf != nil && d.Type != "" {
		for i, name := range c.names {
			if name == d.Type {
				if need > c.left[i] {
					return false
				}
				c.left[i] -= need
			}
		}
	}
	c.total -= need
	return true
}

// hold reserves what a running job holds, if that is still there.
func (c *capacities) hold(v *sim.View, q *Queue, j sim.JobID) bool {
	d := q.Demand(j)
	if d.Milli() > c.total {
		return false
	}
	if c.typeOf != nil && !c.holdTyped(v, j, int64(d.ShareMilli)) {
		return false
	}
	c.total -= d.Milli()
	return true
}

func (c *capacities) holdTyped(v *sim.View, j sim.JobID, share int64) bool {
	gpus, t := v.Run(j).Held(), v.Topology()
	for i, g := range gpus {
		ty := c.typeOf[t.Machine(g)]
		if c.left[ty] -= share; c.left[ty] < 0 {
			for _, x := range gpus[:i+1] {
				c.left[c.typeOf[t.Machine(x)]] += share
			}
			return false
		}
	}
	return true
}
