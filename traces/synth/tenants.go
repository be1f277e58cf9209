package synth

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// VCs states who owns the jobs in place of users of successive rank: Count virtual clusters, vc1 to
// vcN, the k-th with a share of the jobs' expected GPU-time proportional to 1/k^Skew. With Apart
// they differ in the size of their jobs: the demands, from the fewest GPUs to the most, are dealt
// to the virtual clusters in this order, so that vc1 has the smallest jobs and the last the
// largest. A demand at a bound belongs to both sides, in proportion. The draws are from the stream
// "tenants"; the jobs themselves are the same with any setting.
type VCs struct {
	// Count of virtual clusters; 0 = ten users of successive rank share one.
	Count int
	// Apart is the part of the jobs that belong to the virtual cluster of their size, 0..1; the
	// others may belong to any, by the shares.
	Apart float64
	// Skew is >= 0; 0 = equal shares.
	Skew float64
}

// with reads the settings.
func (v VCs) with(s *param.Set, c *Config) VCs {
	v.Count = s.Int("vcs", v.Count, 0, 100_000)
	v.Apart = s.Float("apart", v.Apart, 0, 1)
	v.Skew = s.Float("vc_skew", v.Skew, 0, 10)
	switch {
	case v.Count == 0 && (v.Apart > 0 || v.Skew > 0):
		s.Fault("apart or vc_skew is given without vcs, expected a number of virtual clusters")
	case v.Count > 0 && c.Users < v.Count:
		s.Fault("vcs is %d with users %d, expected a user or more for each", v.Count, c.Users)
	case v.Count > 0 && c.Recur.Templates > 0:
		s.Fault("vcs is %d with templates %d, expected one of them: users that recur belong to virtual "+
			"clusters by rank", v.Count, c.Recur.Templates)
	}
	return v
}

// dealing deals jobs to virtual clusters.
type dealing struct {
	v      VCs
	stream *rng.Stream
	upTo   []float64 // cumulative shares of the virtual clusters
	from   []float64 // of a class: where its part of the expected GPU-time begins, demands in order
	part   []float64 // and how much that is
}

func newDealing(v VCs, classes []class, src rng.Source) *dealing {
	d := &dealing{v: v, stream: src.Stream("tenants"), from: make([]float64, len(classes)),
		part: make([]float64, len(classes))}
	sum := 0.0
	for k := range v.Count {
		sum += fixmath.Exp(-v.Skew * math.Log(float64(k+1)))
		d.upTo = append(d.upTo, sum)
	}
	for k := range d.upTo {
		d.upTo[k] /= sum
	}
	total := 0.0
	for _, c := range classes {
		total += float64(c.share * float64(c.gpus) * c.run.mean())
	}
	order := make([]int, len(classes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(classes[a].gpus, classes[b].gpus) })
	at := 0.0
	for _, i := range order {
		d.from[i], d.part[i] = at, float64(classes[i].share*float64(classes[i].gpus)*classes[i].run.mean())/total
		at += d.part[i]
	}
	return d
}

// pick is the virtual cluster of a job of a class, from 0.
func (d *dealing) pick(class int) int {
	own, u := d.stream.Float64() < d.v.Apart, d.stream.Float64()
	if own {
		u = d.from[class] + float64(u*d.part[class])
	}
	return min(sortedAfter(d.upTo, u), d.v.Count-1)
}

// sortedAfter is how many of ascending bounds are at or below u.
func sortedAfter(bounds []float64, u float64) int {
	i, _ := slices.BinarySearchFunc(bounds, u, func(b, u float64) int {
		if b <= u {
			return -1
		}
		return 1
	})
	return i
}

// owner names the owner of a job: users belong to the virtual clusters in turn, and a rank is
// folded into the users of the picked one.
func (d *dealing) owner(j *sim.Job, class, rank, users int) {
	vc := d.pick(class)
	own := (users - vc + d.v.Count - 1) / d.v.Count
	j.User, j.VC = "u"+strconv.Itoa(rank%own*d.v.Count+vc+1), "vc"+strconv.Itoa(vc+1)
}

// origins reports where users and virtual clusters come from.
func (v VCs) origins(users int) []origin.Origin {
	by := "any demand"
	if v.Apart > 0 {
		by = fmt.Sprintf("%g of the jobs by demand, the smallest in vc1", v.Apart)
	}
	return []origin.Origin{
		{Field: "user", Source: fmt.Sprintf("drawn from stream \"users\": %d users in %d virtual clusters; a rank "+
			"with a share proportional to 1/k, folded into the users of the job's", users, v.Count)},
		{Field: "vc", Source: fmt.Sprintf("drawn from stream \"tenants\": %d with shares of GPU-time proportional "+
			"to 1/k^%g, %s", v.Count, v.Skew, by)},
	}
}
