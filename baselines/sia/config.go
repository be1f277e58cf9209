package sia

import (
	"math"
	"strings"

	"tarry/baselines/sia/ilp"
	"tarry/sim"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `interval_s time between two rounds, s
power      p, to which normalised goodputs are taken; below 0 the sum is made least
lambda     what a job without GPUs counts; beyond 1, of the sign that power has not
clip       largest entry of the matrix
digits     decimals of an entry of the matrix: the fewer, the more entries tie, and of equal choices one is taken in which jobs
           stay; 6 is next to the paper, which does not round
gap        part of the sum by which a choice may be worse than the best
kind       what may be changed of elastic jobs: auto = the batch too where the speed model lets it | scale = numbers of GPUs | rigid = nothing
           but the type
restart_s  cost of a restart in the restart factor, s: auto = by the authors' list (cifar10 30, deepspeech2 25, yolov3 45, bert 120, imagenet 250,
           others 30) | a number
grow       a job gets at most twice the GPUs on which it was measured (double) or any number (free)
share_max  that holds for all types together (true) or for each type (false)
most       largest number of GPUs of a job, 0 = no limit, as in the paper
bootstrap  each job is measured on one GPU of each type before it starts, at no cost
project    a type on which a job was not measured on several GPUs gets the rate of another, times the ratio on one GPU
retune     batches are chosen anew each round and at marks of progress (marks) or each round (rounds)`

// kind is what may be changed of a job.
type kind uint8

const (
	adaptive kind = iota // GPUs and batch
	scaling              // GPUs
	rigid                // the type of GPU
)

type config struct {
	interval         sim.Time
	rules            ilp.Rules
	gap              float64
	kind             kind // the most that elastic jobs are
	restart          float64
	listed           bool // restarts cost what the list states
	double, shareMax bool
	most             int
	bootstrap        bool
	project, atMarks bool
}

func settings(s *param.Set) config {
	d := ilp.Default()
	c := config{interval: sim.Seconds(s.Float("interval_s", 60, 1e-3, 1e6)), gap: s.Float("gap", 1e-4, 0, 1)}
	c.rules = ilp.Rules{Power: s.Float("power", d.Power, -10, 10), Lambda: s.Float("lambda", d.Lambda, -1e6, 1e6),
		Clip:   s.Float("clip", d.Clip, 1e-3, 1e6),
		Digits: s.Int("digits", d.Digits, 1, 6)}
	if err := c.rules.Validate(); err != nil {
		s.FaultAt("power", "%s", strings.TrimPrefix(err.Error(), "ilp: "))
	}
	switch s.Enum("kind", "auto", "scale", "rigid") {
	case "scale":
		c.kind = scaling
	case "rigid":
		c.kind = rigid
	}
	if c.restart, c.listed = s.FloatOr("restart_s", "auto", math.NaN(), 0, 1e6); c.listed {
		c.restart = 30
	}
	c.double = s.Enum("grow", "double", "free") == "double"
	c.shareMax = s.Bool("share_max", true)
	c.most = s.Int("most", 64, 0, 1<<20)
	c.bootstrap = s.Bool("bootstrap", true)
	c.project = s.Bool("project", true)
	c.atMarks = s.Enum("retune", "marks", "rounds") == "marks"
	return c
}

// penalty is what a restart costs a job of a model, in seconds.
func (c *config) penalty(model string) float64 {
	if c.listed {
		switch model {
		case "deepspeech2":
			return 25
		case "yolov3":
			return 45
		case "bert":
			return 120
		case "imagenet":
			return 250
		}
	}
	return c.restart
}
