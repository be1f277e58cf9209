package play

import (
	"slices"
	"strings"

	"tarry/output/results"
	"tarry/run/trial"
	"tarry/sim/cluster"
)

// Schedule is one run over time, in the form that output/report/assets/replay.js reads.
type Schedule struct {
	Name     string    `json:"name"`
	Group    string    `json:"group"`
	Machines []Machine `json:"machines"`
	Jobs     []Job     `json:"jobs"`
	Spans    []Span    `json:"spans"`
	// Timers states that the policy may wait for closer GPUs.
	Timers bool `json:"timers"`
}

// Machine is one machine.
type Machine struct {
	Rack int    `json:"rack"`
	GPUs int    `json:"gpus"`
	Type string `json:"type,omitempty"`
}

// Job is one job; Gone is when it left without finishing, nil = it did not.
type Job struct {
	ID     string   `json:"id"`
	User   string   `json:"user"`
	Model  string   `json:"model"`
	GPUs   int64    `json:"gpus"`
	Submit float64  `json:"submit_s"`
	Gone   *float64 `json:"gone_s,omitempty"`
}

// Span is one allocation: ranges of GPUs as [first, count].
type Span struct {
	Job   int      `json:"job"`
	Start float64  `json:"start_s"`
	End   float64  `json:"end_s"`
	GPUs  [][2]int `json:"gpus"`
	Level string   `json:"level"`
	Ended string   `json:"ended"`
	Share float64  `json:"share"`
}

// Replay gives the schedules of all policies on one replicate's jobs.
func (r *Result) Replay(replicate int) ([]Schedule, error) {
	var out []Schedule
	for p, row := range r.rows {
		run, err := r.replicate(p, replicate)
		if err != nil {
			return nil, err
		}
		s := Schedule{Name: row.Policy, Machines: machines(r.setup.Topology), Timers: timers(row.Policy)}
		at := s.addJobs(run)
		for i := range run.Intervals {
			span, err := spanOf(&run.Intervals[i])
			if err != nil {
				return nil, err
			}
			span.Job = at[run.Intervals[i].Job]
			s.Spans = append(s.Spans, span)
		}
		out = append(out, s)
	}
	return out, nil
}

// timers reports whether a policy waits for closer GPUs; others take what is free.
func timers(policy string) bool {
	name, _, _ := strings.Cut(policy, ":")
	return slices.Contains([]string{"delay", "consolidate", "dally", "dally-manual", "dally-consolidated", "dally-evict"},
		name)
}

func machines(t *cluster.Topology) []Machine {
	var out []Machine
	for m := range t.Machines() {
		lo, hi := t.MachineGPUs(m)
		out = append(out, Machine{Rack: t.Rack(m), GPUs: int(hi - lo), Type: t.Type(m)})
	}
	return out
}

// addJobs adds the jobs, and gives the number of each by its name.
func (s *Schedule) addJobs(run *trial.Result) map[string]int {
	at := map[string]int{}
	for i := range run.Jobs {
		row := &run.Jobs[i]
		at[row.ID] = i
		j := Job{ID: row.ID, User: row.User, Model: row.Model, GPUs: row.GPUs, Submit: row.Submit}
		if row.Outcome == "refused" || row.Outcome == "rejected" {
			j.Gone = &row.Submit
		}
		s.Jobs = append(s.Jobs, j)
	}
	return at
}

func spanOf(row *results.Interval) (Span, error) {
	s := Span{Start: row.Start, End: row.End, Level: row.Tier, Ended: row.Reason,
		Share: float64(row.ShareMilli) / 1000}
	gpus, err := results.ParseGPUs[cluster.GPU](row.GPUList)
	for _, g := range gpus {
		if n := len(s.GPUs) - 1; n >= 0 && s.GPUs[n][0]+s.GPUs[n][1] == int(g) {
			s.GPUs[n][1]++
			continue
		}
		s.GPUs = append(s.GPUs, [2]int{int(g), 1})
	}
	return s, err
}
