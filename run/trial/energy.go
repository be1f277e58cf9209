package trial

import (
	"math"

	"tarry/run/measure"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
	"tarry/sim/power/books"
)

// energy is what the machines of a run drew, and how long jobs waited for boots; a measure.Meter.
type energy struct {
	model *power.Model
	top   *cluster.Topology
	book  *books.Book
	waits map[sim.JobID]bootWait // of the jobs in the system that held GPUs
	// of finished jobs
	jobs       int
	jctUs      float64 // whole numbers: exact up to 2^53, whatever the order
	bootWaitUs float64
}

// bootWait is since when a job waits, or will, and how long it waited while machines booted on which
// it then ran.
type bootWait struct{ since, booting sim.Time }

// newEnergy opens the book of a run, which is to observe it behind what calls the meter.
func newEnergy(m *power.Model, top *cluster.Topology) (*energy, error) {
	book, err := books.New(m, top, nil)
	if err != nil {
		return nil, err
	}
	return &energy{model: m, top: top, book: book, waits: map[sim.JobID]bootWait{}}, nil
}

// Interval counts the boots that an allocation waited for.
func (n *energy) Interval(j *sim.Job, i *sim.Interval) {
	w, ok := n.waits[i.Job]
	if !ok {
		w.since = j.Submit
	}
	longest, last := sim.Time(0), -1
	for _, g := range i.GPUs {
		m := n.top.Machine(g)
		if m == last {
			continue
		}
		last = m
		began, ended := n.book.LastBoot(m)
		longest = max(longest, min(ended, i.Start)-max(began, w.since))
	}
	n.waits[i.Job] = bootWait{i.End, w.booting + longest}
}

// Job takes a job that ended, or that the end of the run cut, at now. It gives its energy in kWh.
func (n *energy) Job(j *sim.Job, r *sim.Record, now sim.Time) float64 {
	n.book.Advance(now)
	if r.State == sim.Done {
		n.jobs++
		n.jctUs += float64(r.End - j.Submit)
		n.bootWaitUs += float64(n.waits[r.Job].booting)
	}
	delete(n.waits, r.Job)
	return n.book.OfJob(r.Job).KWh()
}

// Rows reports energies, and what depends on series where they are stated.
func (n *energy) Rows(add measure.Add) {
	b := n.book
	add("energy_kwh", "", "kWh", b.Total().KWh())
	add("energy_idle_kwh", "", "kWh", b.Of(books.Idle).Plus(b.Of(books.GPUIdle)).KWh())
	add("energy_busy_kwh", "", "kWh", b.Of(books.Busy).KWh())
	add("energy_boot_kwh", "", "kWh", b.Of(books.Boot).KWh())
	add("energy_off_kwh", "", "kWh", b.Of(books.Off).KWh())
	add("power_mean_w", "", "W", b.Total().MeanW(b.Now()))
	add("power_max_w", "", "W", b.MaxW())
	add("boots", "", "count", float64(b.Boots()))
	wait, jct := math.NaN(), math.NaN()
	if n.jobs > 0 {
		wait, jct = n.bootWaitUs/1e6/float64(n.jobs), n.jctUs/1e6/float64(n.jobs)
	}
	add("boot_wait_mean_s", "", "s", wait)
	add("energy_delay_kwh_s", "", "kWh s", b.Total().KWh()*jct)
	if n.model.Price != nil {
		add("energy_cost", "", "money", b.Cost())
	}
	if n.model.Carbon != nil {
		add("carbon_kg", "", "kg", b.CarbonKg())
	}
	if n.model.Cap != nil {
		add("over_cap_s", "", "s", b.OverCap().Seconds())
	}
}
