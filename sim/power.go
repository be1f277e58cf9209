package sim

import (
	"errors"
	"fmt"

	"tarry/sim/cluster"
	"tarry/sim/power"
)

// powered is an Observer that also receives what changes the draw of machines and GPUs. from is now or
// later; a later call for the same machine or job replaces what has not begun.
type powered interface {
	Observer
	// Machine is called when a machine will be in a state; all are on at the beginning.
	Machine(machine int32, s power.State, from Time)
	// Draw is called when the use of GPUs by a job changes: utilFrac of each GPU's time, at a clock of
	// freqFrac; with 0 it ends.
	Draw(job JobID, gpus []cluster.GPU, utilFrac, freqFrac float64, from Time)
}

// machines is the power of machines; the zero value has all of them on.
type machines struct {
	states []power.State // nil = all are on
	at     []Time        // when a boot or a shut-down ends; Never = a boot that waits for a repair
	ready  Time          // the first end of a boot, if booting > 0; Never = none
	off    int           // machines that are not on
	shift  Time          // when a series of Config.Power changes next
	vain   int           // such changes while no job held GPUs and none was to come
}

func (m *machines) copyFrom(from *machines) {
	was := *m
	*m = *from
	m.states, m.at = append(was.states[:0], from.states...), append(was.at[:0], from.at...)
}

// spec is what a machine draws; nil where nothing is stated.
func (e *Engine) spec(machine int32) *power.Spec {
	if e.cfg.Power == nil {
		return nil
	}
	return e.cfg.Power.Spec(int(machine))
}

// powerState is a machine's state at this instant.
func (e *Engine) powerState(machine int32) power.State {
	if len(e.machines.states) == 0 {
		return power.On
	}
	s := e.machines.states[machine]
	if s == power.Off && e.machines.at[machine] > e.now {
		return power.Stopping
	}
	return s
}

// powerOff takes an unused machine out of service.
func (e *Engine) powerOff(d *Decision) error {
	lo, hi, err := e.unit(d.Machine, -1)
	if err != nil {
		return err
	}
	if s := e.powerState(d.Machine); s != power.On {
		return fmt.Errorf("the machine is %v, expected one that is on", s)
	}
	for g := lo; g < hi; g++ {
		switch {
		case e.used[g] > 0:
			return fmt.Errorf("job %q holds GPU %d of the machine, expected one without jobs", e.job(e.owner[g]).ID, g)
		case e.outages[g] > 0:
			return fmt.Errorf("GPU %d of the machine has failed, expected one that is up", g)
		}
	}
	m := &e.machines
	if len(m.states) == 0 {
		m.states, m.at = append(m.states, make([]power.State, e.top.Machines())...),
			append(m.at, make([]Time, e.top.Machines())...)
	}
	for g := lo; g < hi; g++ {
		e.lower(g)
	}
	down := Time(0)
	if s := e.spec(d.Machine); s != nil {
		down = Seconds(s.DownS)
	}
	m.states[d.Machine], m.at[d.Machine] = power.Off, e.now+down
	m.off++
	if down > 0 {
		e.tellMachine(d.Machine, power.Stopping, e.now)
	}
	e.tellMachine(d.Machine, power.Off, e.now+down)
	return nil
}

// powerOn boots a machine that is off, or as soon as it is.
func (e *Engine) powerOn(d *Decision) error {
	if _, _, err := e.unit(d.Machine, -1); err != nil {
		return err
	}
	if s := e.powerState(d.Machine); s == power.On || s == power.Booting {
		return fmt.Errorf("the machine is %v, expected one that is off or stopping", s)
	}
	m := &e.machines
	m.states[d.Machine] = power.Booting
	if from := max(e.now, m.at[d.Machine]); e.dead(d.Machine) {
		m.at[d.Machine] = Never
	} else {
		e.boot(d.Machine, from)
	}
	return nil
}

// boot begins a boot.
func (e *Engine) boot(machine int32, from Time) {
	took := Time(1)
	if s := e.spec(machine); s != nil {
		took = max(1, Seconds(s.BootS))
	}
	m := &e.machines
	m.at[machine] = from + took
	m.ready = min(m.ready, from+took)
	e.tellMachine(machine, power.Booting, from)
}

// dead reports whether all GPUs of a machine have failed.
func (e *Engine) dead(machine int32) bool {
	lo, hi := e.top.MachineGPUs(int(machine))
	for g := lo; g < hi; g++ {
		if e.outages[g] == 0 {
			return false
		}
	}
	return true
}

// bootFails ends a boot on a machine that has failed, bootAgain begins it anew after the repair.
func (e *Engine) bootFails(machine int32) {
	if m := &e.machines; len(m.states) > 0 && m.states[machine] == power.Booting && m.at[machine] != Never &&
		e.dead(machine) {
		m.at[machine] = Never
		e.nextReady()
		e.tellMachine(machine, power.Off, e.now)
	}
}

func (e *Engine) bootAgain(machine int32) {
	if m := &e.machines; len(m.states) > 0 && m.states[machine] == power.Booting && m.at[machine] == Never &&
		!e.dead(machine) {
		e.boot(machine, e.now)
	}
}

// nextReady looks for the first boot that ends.
func (e *Engine) nextReady() {
	m := &e.machines
	m.ready = Never
	for i, s := range m.states {
		if s == power.Booting {
			m.ready = min(m.ready, m.at[i])
		}
	}
}

// arise ends the boots that are due.
func (e *Engine) arise() {
	m := &e.machines
	if m.ready != e.now {
		return
	}
	for i, s := range m.states {
		if s != power.Booting || m.at[i] != e.now {
			continue
		}
		m.states[i] = power.On
		m.off--
		lo, hi := e.top.MachineGPUs(i)
		for g := lo; g < hi; g++ {
			e.raise(g)
		}
		e.batch = append(e.batch, Event{Kind: Ready, Job: NoJob, Key: int32(i)})
		e.tellMachine(int32(i), power.On, e.now)
	}
	e.free.Commit()
	e.nextReady()
}

// nextShift looks for the next change of a series.
func (e *Engine) nextShift() {
	e.machines.shift = Never
	if e.cfg.Power == nil {
		return
	}
	for s := range e.cfg.Power.Series {
		e.machines.shift = min(e.machines.shift, Time(s.Next(int64(e.now))))
	}
}

// drift lets the series change that are due.
func (e *Engine) drift() {
	m := &e.machines
	if m.shift != e.now {
		return
	}
	e.batch = append(e.batch, Event{Kind: Shift, Job: NoJob})
	e.nextShift()
	if m.vain++; len(e.running)+e.draining > 0 || e.nextSubmit != Never || e.cfg.Until > 0 {
		m.vain = 0
	}
	if m.vain >= patience {
		e.err = fmt.Errorf("at %v: %d jobs wait, among them job %q, and the price, the carbon intensity or the cap "+
			"changed %d times without a start, expected a policy that starts them, or an end of the run (until)", e.now,
			e.waiting, e.job(e.firstWaiting()).ID, m.vain)
	}
}

// utilFrac is the use of each of its GPUs by a running job.
func (e *Engine) utilFrac(id JobID, share int32, s Speed) float64 {
	u := s.ComputeFrac
	if s.Rate == 0 {
		return 0
	}
	if e.isReplica(id) {
		return e.fleet.services[e.serviceOf(id)].use * float64(share) / 1000
	}
	if job := e.job(id); e.cfg.Power != nil && e.cfg.Power.JobUtil && job.GPUUtilFrac > 0 {
		u = job.GPUUtilFrac
	}
	return u * float64(share) / 1000
}

// tellDraw informs the observers of what a running job draws from now on, or after its pause.
func (e *Engine) tellDraw(r *run) {
	if len(e.powered) == 0 {
		return
	}
	u, freq := 0.0, 1.0
	if r.state == Running && !r.out && len(r.gpus) > 0 {
		u = e.utilFrac(r.id, r.share, Speed{r.rate, r.frac})
		if r.special != 0 {
			freq = e.special[r.special-1].freq
		}
	}
	for _, o := range e.powered {
		if u == 0 || r.settled > e.now {
			o.Draw(r.id, r.gpus, 0, freq, e.now)
		}
		if u > 0 {
			o.Draw(r.id, r.gpus, u, freq, max(e.now, r.settled))
		}
	}
}

func (e *Engine) tellMachine(machine int32, s power.State, from Time) {
	for _, o := range e.powered {
		o.Machine(machine, s, from)
	}
}

// verifyPower checks that machines which are not on hold no job, and the count of them.
func (e *Engine) verifyPower() error {
	off := 0
	for i, s := range e.machines.states {
		if s == power.On {
			continue
		}
		off++
		lo, hi := e.top.MachineGPUs(i)
		for g := lo; g < hi; g++ {
			if e.used[g] > 0 || e.down[g] <= e.outages[g] {
				return fmt.Errorf("I18: machine %d is %v, and GPU %d of it has %d thousandths in use, down %d, failed %d",
					i, s, g, e.used[g], e.down[g], e.outages[g])
			}
		}
		if at := e.machines.at[i]; s == power.Booting && (at <= e.now || at < e.machines.ready) {
			return fmt.Errorf("I18: the boot of machine %d ends at %v, the next one at %v", i, at, e.machines.ready)
		}
	}
	if off != e.machines.off {
		return errors.New("I18: the count of machines that are not on is wrong")
	}
	return nil
}
