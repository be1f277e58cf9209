package slots

// Slot is a piece of time with one price, Len microseconds long.
type Slot struct {
	Price float64
	Len   int64
}

// Job is a job to be planned.
type Job struct {
	// GPUs is how many it has while it runs, Watts what they draw together then, beyond their nodes.
	GPUs  int
	Watts float64
	// Left is how long it has to run, in microseconds, > 0.
	Left int64
	// Ready is the first slot in which it may run, Due the first one in which it may not.
	Ready, Due int
	// Starts, where > 0, is the first slot in which it may not start any more, unless Preempt.
	Starts int
	// Begun states that the job runs: unless Preempt, it continues in slot 0.
	Begun bool
}

// startsIn reports whether it may start in a slot.
func (j *Job) startsIn(t int) bool { return j.Starts == 0 || t < j.Starts }

// Day is slots, nodes and jobs. A job runs in a slot from the slot's beginning, until it is done or
// the slot ends; jobs move between nodes free of charge.
type Day struct {
	Slots []Slot
	Jobs  []Job
	// Nodes have PerNode GPUs each. One that is on draws NodeW, and SwitchWh watt-hours to be switched
	// on; On are on before slot 0.
	Nodes, PerNode  int
	NodeW, SwitchWh float64
	On              int
	// Off switches nodes off that a slot does not need: as many are on as its jobs fill. Otherwise all
	// are on.
	Off bool
	// Preempt lets jobs run in slots that do not follow each other.
	Preempt bool
}

const hour = 3600e6 // in microseconds

// room is the GPU time of a slot.
func (d *Day) room(t int) int64 { return int64(d.Nodes) * int64(d.PerNode) * d.Slots[t].Len }

// needs is how many nodes are on in a slot with so much GPU time in use.
func (d *Day) needs(t int, use int64) int {
	if !d.Off {
		return d.Nodes
	}
	per := int64(d.PerNode) * d.Slots[t].Len
	return int(min(int64(d.Nodes), (use+per-1)/per))
}

// jobCost is price x energy of a job that runs for part of a slot.
func (d *Day) jobCost(j *Job, t int, part int64) float64 {
	return float64(d.Slots[t].Price * float64(j.Watts*(float64(part)/hour)))
}

// nodesCost is price x energy of a slot's nodes, before which prev were on.
func (d *Day) nodesCost(t, on, prev int) float64 {
	wh := float64(float64(on) * float64(d.NodeW*(float64(d.Slots[t].Len)/hour)))
	if d.Off && on > prev {
		wh += float64(float64(on-prev) * d.SwitchWh)
	}
	return float64(d.Slots[t].Price * wh)
}

// Plan is the slots in which each job runs, ascending.
type Plan [][]int

// Cost is price x energy of a plan in watt-hours, and whether the plan keeps to the day: each job
// is done between Ready and Due, without a break unless Preempt, and no slot has more jobs than GPUs.
func (d *Day) Cost(plan Plan) (cost float64, ok bool) {
	use := make([]int64, len(d.Slots))
	ok = len(plan) == len(d.Jobs)
	for i := range min(len(plan), len(d.Jobs)) {
		j, last := &d.Jobs[i], -1
		left := j.Left
		for _, t := range plan[i] {
			if t < j.Ready || t >= min(j.Due, len(d.Slots)) || t <= last || left <= 0 {
				return 0, false
			}
			ok = ok && (d.Preempt || last < 0 && j.startsIn(t) || last >= 0 && t == last+1)
			part := min(left, d.Slots[t].Len)
			use[t] += int64(j.GPUs) * part
			cost += d.jobCost(j, t, part)
			left, last = left-part, t
		}
		ok = ok && left == 0 && (d.Preempt || !j.Begun || plan[i][0] == 0)
	}
	prev := d.On
	for t := range use {
		on := d.needs(t, use[t])
		cost += d.nodesCost(t, on, prev)
		ok, prev = ok && use[t] <= d.room(t), on
	}
	return cost, ok
}
