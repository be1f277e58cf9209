// Package priceref compares plans of jobs over slots with a price each: the optimum with and
// without pauses and with nodes always on or off when idle, and the earliest plan. A folder holds
// .json files, each a list of days.
package priceref

import (
	"maps"
	"slices"

	"tarry/baselines/hours/slots"
	"tarry/fidelity/reference"
)

// day is a case: slots of an hour.
type day struct {
	Price    []float64
	Nodes    int
	PerNode  int     `json:"gpus_per_node"`
	NodeW    float64 `json:"node_w"`
	GPUW     float64 `json:"gpu_w"`
	SwitchWh float64 `json:"switch_on_wh"`
	Jobs     []struct{ GPUs, Slots, Ready, Due int }
	Best     map[string]struct {
		Cost  float64
		Slots slots.Plan
	}
	Earliest struct {
		Slots slots.Plan
		Cost  map[string]float64
	}
}

const (
	always     = "always-on"
	off        = "off-when-idle"
	preemptive = "-preemptive"
	hour       = 3_600_000_000
	within     = 1e-9
	most       = 200_000 // states of a search
)

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Cases("price-shift", []reference.CaseKind{{Name: "days",
		Fields: "price nodes gpus_per_node node_w gpu_w switch_on_wh jobs best earliest", Compare: compareDay}})
}

// problem is the day in our terms, whose plans may pause jobs or switch nodes off.
func (d *day) problem(preempt, switchOff bool) *slots.Day {
	p := &slots.Day{Nodes: d.Nodes, PerNode: d.PerNode, NodeW: d.NodeW, SwitchWh: d.SwitchWh, Off: switchOff,
		Preempt: preempt}
	for _, price := range d.Price {
		p.Slots = append(p.Slots, slots.Slot{Price: price, Len: hour})
	}
	for _, j := range d.Jobs {
		p.Jobs = append(p.Jobs, slots.Job{GPUs: j.GPUs, Watts: float64(j.GPUs) * d.GPUW, Left: int64(j.Slots) * hour,
			Ready: j.Ready, Due: j.Due})
	}
	return p
}

// compareDay compares the costs of the optima, of the plans there, and the earliest plan slot
// by slot.
func compareDay(c *reference.Case) {
	d, ok := reference.Decode[day](c)
	if !ok {
		return
	}
	forms := map[string]*slots.Day{always: d.problem(false, false), off: d.problem(false, true),
		always + preemptive: d.problem(true, false), off + preemptive: d.problem(true, true)}
	for _, name := range slices.Sorted(maps.Keys(d.Best)) {
		p, known := forms[name]
		if !known {
			c.Errorf("no form %q of plans is known", name)
			continue
		}
		var s slots.Solver
		if ok, done := s.Solve(p, most); !ok || !done {
			c.Errorf("%s: no optimum is found", name)
			continue
		}
		c.Near(name+": the least cost", s.Cost(), d.Best[name].Cost, within)
		ours(c, name+": the cost of our plan", p, s.Plan(), d.Best[name].Cost)
		ours(c, name+": the cost of the plan there", p, d.Best[name].Slots, d.Best[name].Cost)
	}
	plan, ok := forms[always].Earliest()
	if !ok || !slices.EqualFunc(plan, d.Earliest.Slots, slices.Equal) {
		c.Errorf("the earliest plan is %v, there %v", plan, d.Earliest.Slots)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Earliest.Cost)) {
		if p, known := forms[name]; known {
			ours(c, name+": the earliest plan's cost", p, plan, d.Earliest.Cost[name])
		} else {
			c.Errorf("no form %q of plans is known", name)
		}
	}
}

// ours compares the cost of a plan, which has to keep to the day.
func ours(c *reference.Case, what string, d *slots.Day, plan slots.Plan, want float64) {
	cost, ok := d.Cost(plan)
	if !ok {
		c.Errorf("%s: plan %v is none", what, plan)
		return
	}
	c.Near(what, cost, want, within)
}
