package polluxsim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Table holds what was measured. It does not change once read.
type Table struct {
	// Dir is the folder that it was read from.
	Dir string

	apps    []app
	named   map[string]int32 // lower-case name -> index
	longest int              // machines of the largest measured ring
}

// app is what was measured of an application.
type app struct {
	name     string
	initial  int32 // M0
	most     int32 // samples of an update
	minLocal int32 // samples of a GPU and micro-step
	maxLocal int32
	epochs   int
	batches  []int32 // validated, ascending
	passes   []pass  // [batch][epoch]
	ends     []float64
	rings    map[uint64]curve
	grid     []curve // [machines-1][GPUs-1], gridGPUs wide; nil = the application does not scale
}

// pass is an epoch at a batch size.
type pass struct {
	progress, iteration, sqr, variance float64
}

// curve is step times by samples of a GPU.
type curve []knot

type knot struct{ local, step, sync float64 }

// The grid has machines of four GPUs.
const (
	gridMachines = 16
	gridGPUs     = 64
	perMachine   = 4
)

// Applications lists the names, in the order of the file.
func (t *Table) Applications() []string {
	names := make([]string, len(t.apps))
	for i := range t.apps {
		names[i] = t.apps[i].name
	}
	return names
}

// app finds an application, nil where there is none. Case does not count.
func (t *Table) app(name string) *app {
	i, ok := t.named[strings.ToLower(name)]
	if !ok {
		return nil
	}
	return &t.apps[i]
}

// Lookup is the seconds of a micro-step with synchronisation, and of them the seconds that
// synchronise, of an application on a ring of machines with so many of the job's GPUs each, at so
// many samples a GPU.
func (t *Table) Lookup(application string, ring []int, local int) (step, sync float64, err error) {
	a := t.app(application)
	if a == nil {
		return 0, 0, fmt.Errorf("%s: no application %q, expected one of %s", t.Dir, application,
			strings.Join(t.Applications(), ", "))
	}
	p := place{}
	for _, n := range ring {
		if n < 1 {
			return 0, 0, fmt.Errorf("%s: a machine with %d GPUs of a job, expected at least 1", t.Dir, n)
		}
		p.add(n)
	}
	if p.gpus == 0 {
		return 0, 0, errors.New("no GPUs, expected at least one")
	}
	c, err := t.curve(a, &p)
	if err != nil {
		return 0, 0, err
	}
	step, sync = c.at(float64(local))
	return step, sync, nil
}

// place is the machines of a job in the order of its ring.
type place struct {
	counts         [longestRing]uint8 // GPUs of the first machines
	machines, gpus int
	units          int // machines of four GPUs
	odd            bool
}

// longestRing bounds the machines of a measured ring; placements are digits.
const longestRing = 15

func (p *place) add(gpus int) {
	if p.machines < longestRing {
		p.counts[p.machines] = uint8(min(gpus, 255))
	}
	p.odd = p.odd || gpus > 9
	p.machines++
	p.gpus += gpus
	p.units += (gpus + perMachine - 1) / perMachine
}

// sort puts the machines with most GPUs first.
func (p *place) sort() {
	c := p.counts[:min(p.machines, longestRing)]
	slices.Sort(c)
	slices.Reverse(c)
}

// key names the ring whatever machine it starts at: the digits of its smallest rotation. 0 = it is
// too long to be named.
func (p *place) key() uint64 {
	if p.machines > longestRing || p.odd {
		return 0
	}
	c := p.counts[:p.machines]
	best := uint64(math.MaxUint64)
	for i := range c {
		k := uint64(0)
		for j := range c {
			k = k<<4 | uint64(c[(i+j)%len(c)])
		}
		best = min(best, k)
	}
	return best
}

// curve is the step times on a ring.
func (t *Table) curve(a *app, p *place) (curve, error) {
	if p.machines <= t.longest {
		if c, ok := a.rings[p.key()]; ok {
			return c, nil
		}
	}
	gpus := min(p.gpus, gridGPUs)
	machines := min(p.units, gridMachines, gpus)
	if a.grid != nil {
		if c := a.grid[(machines-1)*gridGPUs+gpus-1]; c != nil {
			return c, nil
		}
	}
	return nil, fmt.Errorf("%s: no step time of %q on %d GPUs of %d machines", t.Dir, a.name, p.gpus, p.machines)
}

// at is linear between knots, and the nearest's beyond them.
func (c curve) at(local float64) (step, sync float64) {
	i, ok := slices.BinarySearchFunc(c, local, func(k knot, x float64) int {
		switch {
		case k.local < x:
			return -1
		case k.local > x:
			return 1
		}
		return 0
	})
	switch {
	case ok:
	case i == 0:
	case i == len(c):
		i--
	default:
		p, q := c[i-1], c[i]
		f := (local - p.local) / (q.local - p.local)
		return p.step + float64(f*(q.step-p.step)), p.sync + float64(f*(q.sync-p.sync))
	}
	return c[i].step, c[i].sync
}

// epoch is how many epochs of an application are done at a progress; what is short by rounding
// counts.
func (a *app) epoch(progress float64) int {
	progress += rounding * a.ends[len(a.ends)-1]
	i, _ := slices.BinarySearch(a.ends, progress)
	if i < len(a.ends) && a.ends[i] == progress {
		i++
	}
	return i
}

// rounding is the part of all progress by which the work done may be short of a mark.
const rounding = 1e-12

// between gives the neighbours of a batch size among those validated and how far it is from the
// first to the second.
func (a *app) between(batch float64) (lo, hi int, f float64) {
	i, ok := slices.BinarySearchFunc(a.batches, batch, func(b int32, x float64) int {
		switch {
		case float64(b) < x:
			return -1
		case float64(b) > x:
			return 1
		}
		return 0
	})
	switch {
	case ok || i == 0:
		return i, i, 0
	case i == len(a.batches):
		return i - 1, i - 1, 0
	}
	p, q := float64(a.batches[i-1]), float64(a.batches[i])
	return i - 1, i, (batch - p) / (q - p)
}

// noise is the squared norm and the variance of the gradient during an epoch; beyond the last the
// last's.
func (a *app) noise(batch float64, epoch int) (sqr, variance float64) {
	lo, hi, f := a.between(batch)
	epoch = min(epoch, a.epochs-1)
	p, q := &a.passes[lo*a.epochs+epoch], &a.passes[hi*a.epochs+epoch]
	return p.sqr + float64(f*(q.sqr-p.sqr)), p.variance + float64(f*(q.variance-p.variance))
}

// iterations is the updates at a batch size after an epoch.
func (a *app) iterations(batch float64, epoch int) float64 {
	lo, hi, f := a.between(batch)
	p, q := a.passes[lo*a.epochs+epoch].iteration, a.passes[hi*a.epochs+epoch].iteration
	return p + float64(f*(q-p))
}
