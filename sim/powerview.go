package sim

import (
	"math"

	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/power"
	"tarry/sim/series"
)

// Power is what a policy sees of machines' states, of watts and of the prices of energy, valid as
// long as its View.
type Power struct{ v *View }

// Power shows power. Machines can be switched off in every run; watts are NaN and Spec is nil where
// the run states none.
func (v *View) Power() Power { return Power{v} }

// Spec is what a machine draws; nil = nothing is stated, and a boot takes a microsecond.
func (p Power) Spec(machine int) *power.Spec { return p.v.e.spec(int32(machine)) }

// State is a machine's state.
func (p Power) State(machine int) power.State { return p.v.e.powerState(int32(machine)) }

// Off counts the machines that are not on: off, stopping or booting.
func (p Power) Off() int { return p.v.e.machines.off }

// ReadyAt is when the boot of a machine ends, with the event Ready; Never where it does not boot, or
// has failed.
func (p Power) ReadyAt(machine int) Time {
	if p.State(machine) != power.Booting {
		return Never
	}
	return p.v.e.machines.at[machine]
}

// Price is the price of energy at an instant, per kWh; NaN where the run states none, and for an
// instant to come without know.Series.
func (p Power) Price(at Time) float64 {
	if m := p.v.e.cfg.Power; m != nil {
		return p.value(m.Price, at)
	}
	return math.NaN()
}

// Carbon is the carbon intensity, in grams per kWh, as Price is.
func (p Power) Carbon(at Time) float64 {
	if m := p.v.e.cfg.Power; m != nil {
		return p.value(m.Carbon, at)
	}
	return math.NaN()
}

// Cap is the most that the cluster should draw, in watts, as Price is.
func (p Power) Cap(at Time) float64 {
	if m := p.v.e.cfg.Power; m != nil {
		return p.value(m.Cap, at)
	}
	return math.NaN()
}

func (p Power) value(s *series.Series, at Time) float64 {
	if s == nil || at > p.v.e.now && p.v.knows&know.Series == 0 {
		return math.NaN()
	}
	return s.At(int64(at))
}

// Watts is what the cluster draws now; jobs that pause count as if they ran.
func (p Power) Watts() float64 {
	e := p.v.e
	if e.cfg.Power == nil {
		return math.NaN()
	}
	sum := 0.0
	for m := range e.top.Machines() {
		s := e.spec(int32(m))
		switch e.powerState(int32(m)) {
		case power.Off:
			sum += s.OffW
		case power.Booting:
			sum += s.BootW
		default:
			lo, hi := e.top.MachineGPUs(m)
			sum += s.OnW(int(hi - lo))
		}
	}
	for _, j := range e.running {
		sum += p.Draw(j)
	}
	return sum
}

// Draw is what the GPUs of a running job draw on top of what they draw idle, in watts; a job that
// pauses counts as if it ran. 0 for other jobs.
func (p Power) Draw(j JobID) float64 {
	e, r := p.v.e, p.v.e.of(j)
	if e.cfg.Power == nil {
		return math.NaN()
	}
	if r.state != Running {
		return 0
	}
	k := e.knobs(r)
	return e.busyW(r.gpus, e.utilFrac(j, r.share, Speed{r.rate, r.frac}), k.FreqFrac)
}

// DrawOn is what a job's GPUs would draw on a placement on top of what they draw idle, in watts. It
// needs know.Speed, else it is NaN; so it is where the model has no answer.
func (p Power) DrawOn(j JobID, on Placement) float64 {
	e := p.v.e
	if e.cfg.Power == nil || p.v.knows&know.Speed == 0 {
		return math.NaN()
	}
	q := p.v.ask(j, &on)
	if q == nil {
		return math.NaN()
	}
	share, freq := q.ShareMilli, q.FreqFrac
	s, err := e.answer(q)
	if err != nil {
		return math.NaN()
	}
	return e.busyW(on.GPUs, e.utilFrac(j, share, s), freq)
}

// busyW adds up what GPUs draw on top of idle.
func (e *Engine) busyW(gpus []cluster.GPU, util, freq float64) float64 {
	sum := 0.0
	for i := 0; i < len(gpus); {
		m, n := e.top.Machine(gpus[i]), 0
		for ; i < len(gpus) && e.top.Machine(gpus[i]) == m; i++ {
			n++
		}
		sum += float64(float64(n) * float64(util*e.spec(int32(m)).BusyW(freq)))
	}
	return sum
}
