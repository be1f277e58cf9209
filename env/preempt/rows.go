package preempt

import (
	"math"

	"tarry/baselines/dally"
	"tarry/env/hide"
	"tarry/env/schedenv"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// options are settings in the units and words in which they are given.
type options struct {
	every, minRun float64
	wait          float64
	leases        bool
	order         string
}

// Rows are the settings of an environment beside env/schedenv's.
func Rows(id string) []setting.Row {
	var c Config
	c.ID = id
	return c.rows(new(options), id)
}

func (c *Config) rows(o *options, id string) []setting.Row {
	*o = options{every: 0.25, minRun: 0.25, leases: id == IDV1, order: dally.OrderNames()[0]}
	if id == IDV2 {
		o.order = "gittins"
	}
	c.Candidates, c.Victims = 16, 4
	rows := []setting.Row{
		schedenv.BaseRow("the policy for which the agent evicts, NAME or \"NAME:key=value,...\": one with a choice of "+
			"victims, such as dally, fifo, fifo-fit and sjf",
			func(s *param.Set) { c.ReadBase(s, choice, evicts) }),
		{Key: "every", To: &o.every, Low: 1e-3, High: 1e4, Unit: "leases", Doc: "time between decision epochs"},
		{Key: "min_run", To: &o.minRun, Low: 1e-3, High: 1e4, Unit: "leases",
			Doc: "time that a job keeps its GPUs at least"},
		{Key: "candidates", To: &c.Candidates, Low: 1, High: 4096, Doc: "running jobs shown"},
		{Key: "victims", To: &c.Victims, Low: 1, High: 4096, Doc: "jobs that may be evicted at one instant"},
		{Key: "leases", To: &o.leases, Doc: "true: Dally's leases preempt too"},
		{Key: "order", To: &o.order, Names: dally.OrderNames(), Doc: "who chooses first, is blocked and is listed: " +
			"network, slowed most by it so far | fifo | las, least GPU-time so far | srpt, least time left at full " +
			"speed | srsf, least GPU-time left; these two know how long jobs run | psrpt, psrsf, the same as predicted | " +
			"gittins, Gittins rank of what is predicted; these three know how long jobs run where predict is none"},
		hide.Row(c.groups(), &c.Hide),
	}
	if id == IDV2 {
		rows = append(rows, setting.Row{Key: "margin", To: &c.Margin, Low: 0, High: math.Inf(1),
			Doc: "a rule that is demonstrated evicts a job only if its key is above the blocked job's by so much; with " +
				"predicted orders keys are logarithms, and exp(margin) is a factor"},
			setting.Row{Key: "wait_checkpoint", To: &o.wait, Low: 0, High: 1e4, Unit: "leases",
				Doc: "a rule that is demonstrated waits for the checkpoint of the first job to go that loses work, where " +
					"it is at most so far away; 0: it never waits"})
	}
	return rows
}
