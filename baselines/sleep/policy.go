package sleep

import (
	"slices"
	"strings"

	"tarry/baselines/over"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy lets machines sleep under a host. Build it with New; it belongs to one run.
type Policy struct {
	cfg      config
	host     over.Host
	spare    int // machines of the buffer
	machines []machine
	timeouts []sim.Time // by machine: idle time before sleep; it does not change
	demand   demand
	supply   supply
	series   series
	model    model
	book     book
	quiet    int // ticks to come though nothing runs
	wakes    plan.Alarm
	stuck    sim.Time // since when jobs wait though there are free GPUs; Never = they do not
	told     bool     // the host has an event of the machines that sleep
	offs     []int32  // machines that go to sleep at this instant
}

// machine is what is kept of one.
type machine struct {
	gpus, typ int32    // typ = index in Topology.Types
	idle      sim.Time // since when it is on without a job; -1 = it is not
	off       bool     // it is off or stopping
}

// supply is the machines by what they do, and their GPUs.
type supply struct {
	used, asleep int     // machines with a job; off, stopping or waiting for a repair to boot
	boots, idle  int     // booting; on without a job
	running      int     // jobs
	bootGPUs     []int64 // by type: of machines that boot
	idleGPUs     []int64 // of machines on without a job
}

// New gives the maker of the policy over any policy that a parser makes, and the host and the rule
// that are the defaults. Settings: Params.
//
//  1. Machines that are idle for long enough, or too many by the forecast, go to sleep, unless jobs
//     want GPUs of their type.
//  2. The host decides on the GPUs of the others. It sees a machine that sleeps as failed, and one
//     that has booted as repaired.
//  3. Where waiting jobs lack GPUs, or have lacked a place for long enough, machines boot.
func New(parse over.Parser, host, rule string) func(*param.Set, cluster.Rule) (sim.Policy, error) {
	return func(s *param.Set, places cluster.Rule) (sim.Policy, error) {
		p := &Policy{host: parse.Read(s, places, "host", host, over.SleepKey), wakes: plan.Alarm{Key: over.SleepKey},
			told: true, stuck: sim.Never}
		p.cfg.read(s, rule)
		switch name, _, _ := strings.Cut(s.Text("host", host), ":"); {
		case p.cfg.early && !slices.Contains(byFreeList(), name):
			s.FaultAt("first", "first is sleep over %s, expected one of the hosts %s", name, strings.Join(byFreeList(), ", "))
		case name == "ce-dla-like":
			s.FaultAt("host", "host is %s: it switches machines itself, expected one that does not", name)
		}
		return p, s.Err()
	}
}

// byFreeList lists hosts that look for GPUs in the free list alone, so that some can be hidden from them.
func byFreeList() []string { return []string{"fifo", "fifo-fit", "sjf", "qssf"} }

// Knows is what the host reads: machines and jobs are counted.
func (p *Policy) Knows() know.Set { return p.host.Reads(know.Nothing) }

// Decide puts machines to sleep, lets the host decide, and wakes machines.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.machines == nil {
		p.init(v)
	}
	now := v.Now()
	p.wakes.Rung(now)
	p.book.until(now, p)
	p.pass(now)
	p.look(v)
	p.demand.requeued(v)
	p.offs = p.offs[:0]
	if p.cfg.early {
		out = p.sleep(v, out)
		p.hide(v)
	}
	from := len(out)
	p.demand.arrived(v)
	out = p.ask(v, out)
	again := false
	if p.follow(v, out[from:]) {
		p.series.note(float64(p.supply.used))
		p.demand.count(v, p.host.Cloner, p.cfg.grows)
		made := len(out)
		if !p.cfg.early {
			out = p.sleep(v, out)
		}
		woken := len(out)
		out = p.wake(v, out[from:made:made], out)
		again = len(out) > woken
	} else {
		again = true
	}
	again = again || len(p.offs) > 0
	p.told = len(p.offs) == 0
	return p.wakes.Set(now, p.due(now, again), out)
}

func (p *Policy) init(v *sim.View) {
	t := v.Topology()
	n, types := t.Machines(), len(t.Types())
	p.machines, p.timeouts = make([]machine, n), make([]sim.Time, n)
	for m := range p.machines {
		lo, hi := t.MachineGPUs(m)
		p.machines[m] = machine{gpus: int32(hi - lo), typ: int32(t.TypeOf(m))}
		p.timeouts[m] = p.cfg.idle
		if s := v.Power().Spec(m); s != nil && p.cfg.rule == ByCosts {
			p.timeouts[m] = sim.Seconds(s.BreakEvenS(int(hi - lo)))
		}
	}
	p.supply.bootGPUs, p.supply.idleGPUs = make([]int64, types), make([]int64, types)
	p.demand.init(types)
	p.spare = p.cfg.spare(n)
	p.cfg.trend.Buffer = p.spare
	p.book.start(v.Now(), n)
	p.model.start(&p.cfg, n)
	p.series.start(v.Now(), max(p.model.reach(), p.cfg.trend.History+2), p.cfg.tick)
}

// ask lets the host decide. It gets a failure after machines went to sleep and a repair for each that
// has booted, where such events belong.
func (p *Policy) ask(v *sim.View, out []sim.Decision) []sim.Decision {
	events, n := p.host.Events(v), 0
	ready := 0
	for _, ev := range events {
		if ev.Kind == sim.Ready {
			ready++
			continue
		}
		events[n] = ev
		n++
	}
	events = events[:n]
	at := n
	for i, ev := range events {
		if ev.Kind > sim.Timer {
			at = i
			break
		}
	}
	if !p.told {
		events = slices.Insert(events, at, sim.Event{Kind: sim.Fail, Job: sim.NoJob})
		at++
	}
	for ; at < len(events) && events[at].Kind == sim.Fail; at++ {
	}
	for range ready {
		events = slices.Insert(events, at, sim.Event{Kind: sim.Repair, Job: sim.NoJob})
	}
	if len(events) == 0 {
		return out
	}
	return p.host.AskOf(v, events, out)
}

// due is when the policy looks again: at once where decisions changed what it has counted.
func (p *Policy) due(now sim.Time, again bool) sim.Time {
	if again {
		return now + 1
	}
	next := p.sleepsAt(now)
	if p.stuck != sim.Never {
		next = min(next, max(now+1, p.stuck+p.cfg.patience))
	}
	return next
}

// Clone gives an independent copy between two decisions, to resume from a snapshot.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.host = p.host.Copy()
	c.machines, c.offs = slices.Clone(p.machines), nil
	c.supply.bootGPUs, c.supply.idleGPUs = slices.Clone(p.supply.bootGPUs), slices.Clone(p.supply.idleGPUs)
	c.demand = p.demand.clone()
	c.series.ring = slices.Clone(p.series.ring)
	c.model.errors.ahead = slices.Clone(p.model.errors.ahead)
	return &c
}
