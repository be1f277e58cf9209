package predict

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/sim"
)

func seconds(y float64) float64 { return fixmath.Exp(y) }

// request regresses the logarithm of run time on the logarithm of the time which the user asked
// for; raw takes what was asked for. Jobs without a request are predicted by their size.
type request struct {
	raw             bool
	n, x, y, xx, xy float64 // sums over jobs with a request
	others          *means
}

func newRequest(raw bool) *request {
	return &request{raw: raw, others: newMeans(2, 0, everyone, bySize)}
}

// line is the regression, drawn towards slope 1 as if there were a few jobs more.
func (r *request) line() (slope, offset float64) {
	if r.raw || r.n == 0 {
		return 1, 0
	}
	const few = 4
	mx, my := r.x/r.n, r.y/r.n
	slope = (r.xy - float64(r.x*my) + few) / (r.xx - float64(r.x*mx) + few)
	return slope, my - float64(slope*mx)
}

func (r *request) point(j *sim.Job) (float64, bool) {
	if j.Request == 0 {
		return r.others.point(j)
	}
	slope, offset := r.line()
	return float64(slope*math.Log(j.Request.Seconds())) + offset, true
}

func (r *request) add(j *sim.Job, y float64) {
	r.others.add(j, y)
	if j.Request > 0 {
		x := math.Log(j.Request.Seconds())
		r.n++
		r.x += x
		r.y += y
		r.xx += float64(x * x)
		r.xy += float64(x * y)
	}
}

func (r *request) empty() estimator { return newRequest(r.raw) }

func (r *request) clone() estimator {
	c := *r
	c.others = r.others.clone().(*means)
	return &c
}
