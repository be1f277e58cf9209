package sleep

// Rule is Helios' rule for machines that go to sleep, after a number of machines in use each step.
// Settings state where its numbers are from.
type Rule struct {
	// History and Future are the steps before, with which the present one is compared, and the steps
	// ahead of the forecast.
	History, Future int
	// FellBy and FallBy are how many machines fewer must be in use than before, and later than now;
	// Least is the fewest machines that go to sleep.
	FellBy, FallBy, Least float64
	// Keep is the steps without sleep after machines were woken.
	Keep int
	// Buffer is how many machines without a job stay awake.
	Buffer int
}

// Trend is what the rule looks at.
type Trend struct {
	// Before is the mean number of machines in use in the last History steps, Now the present number.
	// Soon and Later are the mean forecast of the next Future steps and of twice as many.
	Before, Now, Soon, Later float64
}

// Warm is the number of steps at the start without a look at trends: the authors' first hour.
const Warm = 6

// Excess is how many of the machines awake go to sleep; 0 = none. step counts from 0, and quiet is the
// step up to which none does.
func (r *Rule) Excess(step, quiet int, awake float64, t Trend) float64 {
	n := max(0, awake-t.Now-float64(r.Buffer))
	if step < Warm {
		return n
	}
	falls := t.Before-t.Now >= r.FellBy && t.Now-t.Soon >= r.FallBy && t.Soon >= t.Later
	if !falls || step < quiet || n < r.Least {
		return 0
	}
	return n
}

// Replay is the rule on a recorded series of machines in use, as the authors' programs play it: there
// boots take no time.
type Replay struct {
	Rule
	// Total is the number of machines.
	Total float64
	on    float64
	quiet int
}

// Step gives the machines on after a step, and how many were lacking at it. used and forecast are of
// all steps; means of a forecast end with it.
func (r *Replay) Step(i int, used, forecast []float64) (on, lack float64) {
	if now := used[i]; i < Warm {
		r.on = now + float64(r.Buffer)
	} else if now > r.on {
		lack = now - r.on
		r.on, r.quiet = now+float64(r.Buffer), i+r.Keep
	}
	r.on = min(r.on, r.Total)
	if i >= Warm {
		mean := func(from, to int) float64 {
			sum := 0.0
			for _, x := range used[max(0, from):to] {
				sum += x
			}
			return sum / float64(to-max(0, from))
		}
		ahead := func(n int) float64 {
			sum, part := 0.0, forecast[i:min(len(forecast), i+n)]
			for _, x := range part {
				sum += x
			}
			return sum / float64(len(part))
		}
		r.on -= r.Excess(i, r.quiet, r.on, Trend{Before: mean(i-r.History, i), Now: used[i], Soon: ahead(r.Future),
			Later: ahead(2 * r.Future)})
	}
	return r.on, lack
}
