package shockwavesim

import (
	"math"

	"tarry/sim/speed/shockwave"
)

// adapt is how a job of the simulator changes its batch size: at the end of a round it may ask for
// another one, and gets it at the end of the next round in which it runs.
type adapt struct {
	model, mode    string
	schedule       *shockwave.Schedule // nil = it never changes it
	initial, batch int32
	asks           bool
}

// largest is the largest batch size of a model that is adapted; 0 = it is not.
func largest(model string) int32 {
	switch model {
	case "LM":
		return 80
	case "ResNet-18":
		return 256
	case "ResNet-50", "Transformer":
		return 128
	case "Recommendation":
		return 8192
	}
	return 0
}

// critical reports whether an epoch, counted from 1 once begun, is one in which accordion keeps the
// initial batch.
func critical(model string, initial int32, epoch int64) bool {
	within := func(lo, hi int64) bool { return lo <= epoch && epoch < hi }
	switch model {
	case "LM":
		return epoch < 10
	case "Recommendation":
		switch {
		case initial <= 1024:
			return epoch < 30
		case initial == 2048:
			return epoch < 40
		}
		return epoch < 10
	case "ResNet-50":
		return epoch%30 < 10
	case "ResNet-18":
		head := int64(10)
		if initial == 256 {
			head = 20
		}
		return within(0, head) || within(150, 160) || within(250, 260)
	}
	return false
}

// ask notes whether the job wants another batch size, by how many of its epochs have begun.
func (a *adapt) ask(done float64) {
	if a.schedule == nil {
		return
	}
	epoch := int64(math.Ceil(done - 1e-9))
	switch a.mode {
	case "accordion":
		if a.model == "Transformer" {
			return
		}
		if in := critical(a.model, a.initial, epoch); a.batch == a.initial && !in && a.batch != largest(a.model) ||
			a.batch != a.initial && in {
			a.asks = true
		}
	case "gns":
		if a.batch != largest(a.model) && max(a.at(epoch), a.at(epoch+1)) > a.batch {
			a.asks = true
		}
	}
}

// at is the schedule's batch size of an epoch. The last one, at which a doubling schedule falls
// back to the initial size, has the size of the one before.
func (a *adapt) at(epoch int64) int32 {
	return a.schedule.At(max(0, min(epoch, a.schedule.Epochs-2)))
}

// next is the batch size that the job gets when it asks.
func (a *adapt) next() int32 {
	switch {
	case a.mode == "gns":
		return 2 * a.batch
	case a.batch == a.initial:
		return largest(a.model)
	}
	return a.initial
}

// settle ends a round for a job: one that ran gets the batch size that it asked for before, if it
// was measured. It reports whether it asked.
func (a *adapt) settle(p *shockwave.Profile, gpus int) bool {
	if !a.asks {
		return false
	}
	a.asks = false
	if a.initial == largest(a.model) && a.model != "Transformer" {
		return false
	}
	if _, ok := p.PerS(a.model, a.next(), gpus); !ok {
		return false
	}
	a.batch = a.next()
	return true
}
