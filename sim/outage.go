package sim

import (
	"fmt"

	"tarry/sim/cluster"
	"tarry/sim/end"
)

// strike carries out one failure or repair.
func (e *Engine) strike(o Outage) {
	lo, hi, err := e.unit(o.Machine, o.GPU)
	if err != nil {
		e.err = err
		return
	}
	e.idle.strikes++
	kind := Repair
	if !o.Up {
		e.unused()
	}
	for g := lo; g < hi; g++ {
		switch {
		case !o.Up:
			e.interrupt(g)
			e.outages[g]++
			e.lower(g)
		case e.outages[g] > 0: // a repair of what never failed is nothing
			e.outages[g]--
			e.raise(g)
		}
	}
	if !o.Up {
		kind = Fail
		e.bootFails(o.Machine)
	} else {
		e.bootAgain(o.Machine)
	}
	e.free.Commit()
	e.batch = append(e.batch, Event{Kind: kind, Job: NoJob})
}

// unit gives the GPUs of a machine, or one of them.
func (e *Engine) unit(machine, gpu int32) (lo, hi cluster.GPU, err error) {
	if machine < 0 || int(machine) >= e.top.Machines() {
		return 0, 0, fmt.Errorf("outage of machine %d, expected 0..%d", machine, e.top.Machines()-1)
	}
	lo, hi = e.top.MachineGPUs(int(machine))
	if gpu >= 0 {
		if gpu >= int32(hi-lo) {
			return 0, 0, fmt.Errorf("outage of GPU %d of machine %d, expected 0..%d", gpu, machine, hi-lo-1)
		}
		lo += cluster.GPU(gpu)
		hi = lo + 1
	}
	return lo, hi, nil
}

// interrupt stops every job on a GPU and returns it to its last checkpoint.
func (e *Engine) interrupt(g cluster.GPU) {
	for e.owner[g] != NoJob {
		id := e.owner[g]
		r := e.of(id)
		if e.isReplica(id) {
			e.idleReplica(r, end.Fault)
			e.fleet.events = append(e.fleet.events, Event{Kind: Fail, Job: id})
			continue
		}
		if !r.out { // else it fails already
			r.faults++
		}
		r.settle(e.now, e.every)
		e.release(r, end.Fault)
		e.restarted(r)
		r.fallBack()
		e.wait(r)
		e.batch = append(e.batch, Event{Kind: Fail, Job: id})
	}
}

// lower takes a GPU out of service, raise brings it back. Both nest, so that a GPU in a
// failed machine may itself have failed.
func (e *Engine) lower(g cluster.GPU) {
	if e.down[g]++; e.down[g] == 1 && e.used[g] == 0 {
		e.free.Take(g)
		e.downGPUs++
	}
}

func (e *Engine) raise(g cluster.GPU) {
	if e.down[g]--; e.down[g] == 0 && e.used[g] == 0 {
		e.free.Release(g)
		e.downGPUs--
	}
}

// cordon keeps a machine's GPUs from being given out without stopping who runs there.
func (e *Engine) cordon(d *Decision) error {
	lo, hi, err := e.unit(d.Machine, -1)
	if err != nil {
		return err
	}
	if on := d.Kind == Cordon; e.cordoned[d.Machine] == on {
		return fmt.Errorf("the machine's cordon is %v already", on)
	}
	e.cordoned[d.Machine] = d.Kind == Cordon
	for g := lo; g < hi; g++ {
		if d.Kind == Cordon {
			e.lower(g)
		} else {
			e.raise(g)
		}
	}
	return nil
}
