package synth

import (
	"math"
	"slices"

	"tarry/internal/fixmath"
	"tarry/sim/rng"
)

// table gives the run times of a demand by normal score: run(z) is the run that as many jobs stay
// below as normal draws stay below z (within 0.4 % of the jobs). Runs of normal scores thus have
// the law of the demand, however the scores are made up of parts.
type table struct {
	gpus int32
	// logs are log run times at the scores -reach, -reach+step, ... reach.
	logs []float64
}

const (
	reach = 8.0
	step  = 1.0 / 16
	// points is how many run times the law is evaluated at.
	points = 400
)

// tables are what all workloads of one law read: a table for each demand, and the first users of
// its site. They do not change.
type tables struct {
	of    []table
	law   *Config // whose tables they are
	first *site   // nil = each workload has a site of its own
}

// sameLaw reports whether two configurations have the same demands and run times.
func (c *Config) sameLaw(of *Config) bool {
	return c.Law == of.Law && c.GPUs == of.GPUs && c.MeanS == of.MeanS && c.SCV == of.SCV
}

// tabled gives the tables of the law: c's own, if they are of its law still.
func (c *Config) tabled() []table {
	if t := c.tables; t != nil && c.sameLaw(t.law) {
		return t.of
	}
	var of []table
	grid := scores()
	for _, cl := range c.classes() {
		of = append(of, newTable(cl, grid))
	}
	return of
}

// Tabled gives the configuration with the tables of run times that every site of recurring jobs
// reads, and the first users of its Site, for programs that generate many workloads: without them
// each workload makes them anew. The jobs are the same.
func (c Config) Tabled() Config {
	if c.Recur.Templates == 0 {
		return c
	}
	law := c
	law.tables, law.Models = nil, slices.Clone(c.Models)
	c.tables = &tables{of: law.tabled(), law: &law}
	if law.tables = c.tables; law.Recur.Site > 0 {
		c.tables.first = newSite(&law, rng.Source{})
	}
	return c
}

// scores are the shares of normal draws below -reach, -reach+step, ... reach.
func scores() []float64 {
	shares := make([]float64, int(2*reach/step)+1)
	for i := range shares {
		shares[i] = fixmath.NormalCDF(-reach + float64(step*float64(i)))
	}
	return shares
}

// newTable inverts the law at the shares of the scores, between points that are evenly spaced in
// log run time.
func newTable(c class, shares []float64) table {
	m := c.run.(mixture)
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range m.parts {
		lo, hi = min(lo, p.mu-float64(reach*p.sigma)), max(hi, p.mu+float64(reach*p.sigma))
	}
	lo, hi = max(lo, math.Log(0.001)), min(hi, math.Log(m.max)) // runs are rounded to a millisecond
	t := table{gpus: c.gpus, logs: make([]float64, 0, len(shares))}
	width := (hi - lo) / points
	below := 0.0 // the share of runs below the point before
	for i := range points {
		at := lo + float64(width*float64(i))
		share := 1.0
		if i < points-1 {
			share = m.cdf(fixmath.Exp(at + width))
		}
		for len(t.logs) < len(shares) && shares[len(t.logs)] <= share {
			t.logs = append(t.logs, at+float64(width*(shares[len(t.logs)]-below)/max(share-below, 1e-300)))
		}
		below = share
	}
	return t
}

// log is the log run time of a score, between the entries of the table.
func (t *table) log(z float64) float64 {
	at := (max(-reach, min(reach, z)) + reach) / step
	i := min(int(at), len(t.logs)-2)
	return t.logs[i] + float64((at-float64(i))*(t.logs[i+1]-t.logs[i]))
}

// run is the run time of a score, in seconds.
func (t *table) run(z float64) float64 { return fixmath.Exp(t.log(z)) }

// mean is the expected run of a score of the given mean and deviation, in seconds, by the trapezoid
// rule: within 3 % where the law is cut in its bulk, else 1 %.
func (t *table) mean(centre, deviation float64) float64 {
	const most, width = 8.0, 0.25
	sum, weights := 0.0, 0.0
	for x := -most; x <= most; x += width {
		w := fixmath.Exp(-float64(x*x) / 2)
		sum += float64(w * t.run(centre+float64(deviation*x)))
		weights += w
	}
	return sum / weights
}
