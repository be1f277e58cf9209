package plan

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// Room is how many more GPUs of a demand a machine's CPU and memory can carry, with what the
// decision has given out so far; math.MaxInt where the demand asks for neither.
func (p *Placer) Room(v *sim.View, machine int, d *Demand) int { return p.roomOf(v, machine, d) }

// Return plans as if a job of a demand had given these of its GPUs back.
func (p *Placer) Return(v *sim.View, d *Demand, gpus []cluster.GPU) {
	for _, g := range gpus {
		p.unbook(v, g, d)
	}
}

// Burden plans as if a machine's CPU and memory that go with one GPU of a demand were in use, and
// the GPU not: as for a job that writes a checkpoint, whose GPU is promised to another.
func (p *Placer) Burden(machine int, d *Demand) { p.charge(machine, d, 1) }
