package ffdl

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/sim/param"
)

// scorer is the score of a machine as kube-scheduler has it: the sum of the plugins
// NodeResourcesFit and NodeResourcesBalancedAllocation by their weights, each up to top.
type scorer struct {
	spread, ratio bool // fit is LeastAllocated, or RequestedToCapacityRatio; else MostAllocated
	shape         []point
	weights       [3]int64 // of GPUs, CPU, memory
	fit, balance  int64    // of the plugins
}

// point is one of a shape: a utilisation in per cent, and its score up to top.
type point struct{ at, score int64 }

// resources are the names of weights.
var resources = [3]string{"gpu", "cpu", "mem"}

// read takes the settings but place.
func (c *scorer) read(s *param.Set) {
	c.fit, c.balance = int64(s.Int("fit", 1, 0, 100)), int64(s.Int("balance", 0, 0, 100))
	if c.fit+c.balance == 0 {
		s.Fault("fit and balance are 0, expected one of them above")
	}
	c.weights = [3]int64{1, 1, 1}
	for _, e := range strings.Split(s.Text("weights", "gpu:1+cpu:1+mem:1"), "+") {
		name, text, _ := strings.Cut(e, ":")
		i := slices.Index(resources[:], name)
		n, err := strconv.ParseInt(text, 10, 8)
		if i < 0 || err != nil || n < 0 || n > 100 {
			s.Wrong("weights", "gpu:N+cpu:N+mem:N with N in 0..100")
			break
		}
		c.weights[i] = n
	}
	if c.weights == [3]int64{} {
		s.Wrong("weights", "at least one above 0")
	}
	c.shape = nil
	for _, e := range strings.Split(s.Text("shape", "0:0+100:10"), "+") {
		at, score, _ := strings.Cut(e, ":")
		x, bad := strconv.ParseInt(at, 10, 8)
		y, worse := strconv.ParseInt(score, 10, 8)
		if n := len(c.shape); bad != nil || worse != nil || x < 0 || x > 100 || y < 0 || y > 10 || n > 0 &&
			x <= c.shape[n-1].at {
			s.Wrong("shape", "UTILISATION:SCORE+... with utilisations in 0..100 that rise, and scores in 0..10")
			break
		}
		c.shape = append(c.shape, point{x, y * (top / 10)})
	}
}

// score is the score of a machine, up to most.
func (c *scorer) score(x load) int64 {
	sum := int64(0)
	if c.fit > 0 {
		sum += c.fit * c.fits(&x)
	}
	if c.balance > 0 {
		sum += c.balance * c.balanced(&x)
	}
	return sum
}

// most is the best score that there can be.
func (c *scorer) most() int64 { return top * (c.fit + c.balance) }

// fits is NodeResourcesFit: the mean over the resources by weight, in whole numbers.
func (c *scorer) fits(x *load) int64 {
	sum, weights := int64(0), int64(0)
	for i, has := range x.has {
		if has <= 0 {
			continue
		}
		w, used := c.weights[i], min(x.req[i], has)
		switch {
		case c.ratio: // a resource with score 0 has no part in the mean
			if n := c.bend(used * top / has); n > 0 {
				sum += w * n
				weights += w
			}
			continue
		case c.spread:
			used = has - used
		}
		sum += w * (used * top / has)
		weights += w
	}
	if c.ratio {
		return int64(math.Round(float64(sum) / float64(max(1, weights))))
	}
	return sum / max(1, weights)
}

// bend is the score of a utilisation: linear between the points, constant outside.
func (c *scorer) bend(at int64) int64 {
	for i, p := range c.shape {
		if at > p.at {
			continue
		}
		if i == 0 {
			return p.score
		}
		o := c.shape[i-1]
		return o.score + (p.score-o.score)*(at-o.at)/(p.at-o.at)
	}
	return c.shape[len(c.shape)-1].score
}

// balanced is NodeResourcesBalancedAllocation: the smaller the standard deviation of what is used
// of the resources, as parts of what there is, the better. Resources without weight are left out;
// the others count alike.
func (c *scorer) balanced(x *load) int64 {
	var parts [3]float64
	n, sum := 0, 0.0
	for i, has := range x.has {
		if has > 0 && c.weights[i] > 0 {
			parts[n] = float64(min(x.req[i], has)) / float64(has)
			sum += parts[n]
			n++
		}
	}
	std := 0.0
	switch n {
	case 2:
		std = math.Abs(float64(parts[0]-parts[1]) / 2)
	case 3:
		mean, squares := sum/3, 0.0
		for _, f := range parts {
			squares += float64((f - mean) * (f - mean))
		}
		std = math.Sqrt(squares / 3)
	}
	return int64(float64((1 - std) * top))
}
