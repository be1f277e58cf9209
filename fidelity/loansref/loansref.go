// Package loansref compares runs of jobs on servers of their own and on servers that are lent to them
// with results of another program: the end of every job, preemptions and pauses, without loans, with
// them, where a preempted job begins anew, and where returns are announced.
package loansref

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"tarry/baselines/operate"
	"tarry/baselines/queueing"
	"tarry/baselines/reclaimaware"
	"tarry/fidelity/reference"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/service"
)

// instance is jobs of one server each, and how many servers are lent when.
type instance struct {
	Own  int `json:"own_servers"`
	Jobs []struct {
		ID           int
		Arrive, Work float64
	}
	Loans   [][2]float64
	Restart float64 `json:"restart_cost_s"`
	Notice  float64 `json:"notice_s"`
	Results map[string]result
}

// result is what came of a mode.
type result struct {
	End         map[string]float64
	Preemptions int
	Overhead    float64 `json:"overhead_s"`
	MeanJCT     float64 `json:"mean_jct"`
}

// within is how far a mean may be off, relative to it.
const within = 1e-9

// Reader compares folders of instances.
func Reader() reference.Reader {
	return reference.Cases("loans", []reference.CaseKind{{Name: "loans",
		Fields: "own_servers jobs loans restart_cost_s notice_s results", Compare: compare}})
}

func compare(c *reference.Case) {
	x, ok := reference.Decode[instance](c)
	if !ok {
		return
	}
	if len(x.Results) == 0 {
		c.Errorf("no results")
	}
	for mode, want := range x.Results {
		if err := x.play(c, mode, &want); err != nil {
			c.Errorf("%s: %v", mode, err)
		}
	}
}

// list is the loans as the operator reads them.
func (x *instance) list(mode string) (text string, most int) {
	if mode == "none" {
		return "0:0", 0
	}
	var parts []string
	for _, l := range x.Loans {
		parts = append(parts, fmt.Sprintf("%v:%v", l[0], l[1]))
		most = max(most, int(l[1]))
	}
	return strings.Join(parts, "/"), most
}

// config is a run: the servers that may be lent are the last ones.
func (x *instance) config(c *reference.Case, mode string) (cfg sim.Config, err error) {
	jobs := make([]sim.Job, len(x.Jobs))
	for i, j := range x.Jobs {
		jobs[i] = sim.Job{ID: fmt.Sprintf("%06d", j.ID), GPUs: 1, Submit: sim.Seconds(j.Arrive), Work: sim.Seconds(j.Work)}
	}
	if cfg.Workload, err = sim.NewWorkload(c.Name, jobs); err != nil {
		return cfg, err
	}
	list, most := x.list(mode)
	text := "list=" + list
	if mode == "notice" {
		text += fmt.Sprintf(",notice_s=%v", x.Notice)
	}
	if cfg.Operator, err = operate.NewLoans(param.Parse("operator loans", text)); err != nil {
		return cfg, err
	}
	if cfg.Topology, err = cluster.New(cluster.Uniform(1, x.Own+max(1, most), 1, 1)); err != nil {
		return cfg, err
	}
	cfg.Services = &service.Model{Own: make([]bool, cfg.Topology.Machines())}
	for m := x.Own; m < len(cfg.Services.Own); m++ {
		cfg.Services.Own[m] = true
	}
	cfg.Speed = plain{}
	cfg.Costs = sim.Costs{Restore: sim.Cost{FixedS: x.Restart}, Kill: mode == "lost"}
	return cfg, nil
}

// plain gives a job a second of work each second.
type plain struct{}

func (plain) Speed(*sim.Query) (sim.Speed, error) { return sim.Speed{Rate: 1, ComputeFrac: 1}, nil }

// policy starts jobs in order of arrival, each on the first free server, or with notice on the first one
// that is not returned before the job would end.
func (x *instance) policy(mode string) (sim.Policy, error) {
	if mode != "notice" {
		return queueing.NewFIFO(param.Parse("policy fifo", ""), cluster.BestFit)
	}
	fifo := func(string, cluster.Rule) (sim.Policy, error) {
		return queueing.NewFIFO(param.Parse("policy fifo", ""), cluster.BestFit)
	}
	text := fmt.Sprintf("by=work,restart_s=%v", x.Restart)
	return reclaimaware.New(fifo)(param.Parse("policy reclaim-aware", text), cluster.BestFit)
}

// play runs one mode and compares.
func (x *instance) play(c *reference.Case, mode string, want *result) error {
	cfg, err := x.config(c, mode)
	if err != nil {
		return err
	}
	p, err := x.policy(mode)
	if err != nil {
		return err
	}
	e, err := sim.Run(context.Background(), cfg, p)
	if err != nil {
		return err
	}
	if len(want.End) != len(x.Jobs) {
		return fmt.Errorf("%d jobs, there %d", len(x.Jobs), len(want.End))
	}
	preemptions, overhead, sum := 0, sim.Time(0), 0.0
	for i := range cfg.Workload.Jobs {
		id, r := cfg.Workload.Jobs[i].ID, e.Record(sim.JobID(i))
		n, err := strconv.Atoi(id)
		if err != nil {
			return err
		}
		end, ok := want.End[strconv.Itoa(n)]
		if !ok {
			return fmt.Errorf("no end of job %d", n)
		}
		c.Near(fmt.Sprintf("%s: the end of job %d", mode, n), r.End.Seconds(), end, 0)
		preemptions += int(r.Preemptions)
		overhead += r.Overhead
		sum += (r.End - cfg.Workload.Jobs[i].Submit).Seconds()
	}
	c.Near(mode+": preemptions", float64(preemptions), float64(want.Preemptions), 0)
	c.Near(mode+": overhead_s", overhead.Seconds(), want.Overhead, 0)
	c.Near(mode+": mean_jct", sum/float64(len(x.Jobs)), want.MeanJCT, within)
	return nil
}
