// Package dl2ref compares the cluster and the rules of DL2's simulator. A set is files of one folder,
// or of a folder below it, of which several may stand beside one another with a head, HEADinput.json
// and so on:
//
//	input.json               types, jobs (id, slot, type from 1, epochs), pm
//	means.csv                scheduler, jobs, mean_jct_slots, makespan_slots, mean_reward
//	fair_rivals.csv          rule, jobs, mean_jct_slots, makespan_slots
//	jobs_result.csv          scheduler, job, end_slot, jct_slots
//	allocations.csv          scheduler, slot, job, workers, servers, epochs_done_after
//	slot_reward.csv          scheduler, slot, reward
//	drf_demonstrations.json  slot, state, action
//	rl_steps.json            slot, window, state, prob, masked_zero, action, slot_ended, kept_as_sample, reward
//
// All numbers are to be equal.
package dl2ref

import (
	"fmt"
	"slices"

	"tarry/env/grow/dl2"
	"tarry/fidelity/reference"
)

const (
	inputFile       = "input.json"
	meansFile       = "means.csv"
	rivalsFile      = "fair_rivals.csv"
	jobsFile        = "jobs_result.csv"
	allocationsFile = "allocations.csv"
	rewardsFile     = "slot_reward.csv"
	demosFile       = "drf_demonstrations.json"
	stepsFile       = "rl_steps.json"
)

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.BySets(reference.Sets{Name: "dl2", Unit: "slots", Key: inputFile, Deep: true, Compare: compare,
		Knows: func(s *reference.Set) bool {
			var in input
			return s.JSON(inputFile, &in) == nil && len(in.Types) > 0 && len(in.Jobs) > 0 && in.PM.Nodes > 0
		}})
}

// comparer is a set: one cluster and its jobs, and what rules did there.
type comparer struct {
	*reference.Set
	in      input
	setting *dl2.Setting
	jobs    []dl2.Job
	played  map[string]*run
}

// input is what a set is made of.
type input struct {
	Types []struct {
		A, B, C, D float64
		EpochSize  float64 `json:"epoch_size"`
		Worker     dl2.Units
		Server     dl2.Units `json:"ps"`
	}
	Jobs []struct {
		ID, Slot, Type int
		Epochs         float64
	}
	PM struct {
		Nodes  int     `json:"CLUSTER_NUM_NODES"`
		Units  int     `json:"NUM_RESR_SLOTS"`
		Most   int     `json:"MAX_NUM_WORKERS"`
		SlotS  float64 `json:"TS_DURATION"`
		Window int     `json:"SCHED_WINDOW_SIZE"`
	}
}

func compare(s *reference.Set) error {
	c := &comparer{Set: s, played: map[string]*run{}}
	if err := c.JSON(inputFile, &c.in); err != nil {
		return err
	}
	pm := &c.in.PM
	c.setting = &dl2.Setting{Nodes: pm.Nodes, Units: pm.Units, SlotS: pm.SlotS, Most: pm.Most, Window: pm.Window}
	for _, t := range c.in.Types {
		c.setting.Types = append(c.setting.Types, dl2.Type{A: t.A, B: t.B, C: t.C, D: t.D, EpochSize: t.EpochSize,
			Worker: t.Worker, Server: t.Server})
	}
	for _, j := range c.in.Jobs {
		c.jobs = append(c.jobs, dl2.Job{ID: j.ID, Slot: j.Slot, Type: j.Type - 1, Epochs: j.Epochs})
	}
	if _, err := c.world(); err != nil {
		return fmt.Errorf("%s: %w", c.File(inputFile), err)
	}
	for _, judge := range []func() error{c.means, c.rivals, c.ends, c.allocations, c.rewards, c.demos, c.steps} {
		if err := judge(); err != nil {
			return err
		}
	}
	return nil
}

// world makes the set's cluster with its jobs.
func (c *comparer) world() (*dl2.World, error) {
	w, err := dl2.New(c.setting)
	if err == nil {
		err = w.Begin(c.jobs)
	}
	return w, err
}

// run is what a rule did.
type run struct {
	*dl2.World
	rewards []float64
	held    []map[int]dl2.Task // of each slot, by id
}

// play lets a rule allocate.
func (c *comparer) play(name string) (*run, error) {
	if r := c.played[name]; r != nil {
		return r, nil
	}
	rules := dl2.Rules()
	i := slices.IndexFunc(rules, func(r dl2.Rule) bool { return r.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("no rule %q", name)
	}
	w, err := c.world()
	if err != nil {
		return nil, err
	}
	r := &run{World: w}
	for !w.Ended() {
		w.Open()
		rules[i].Allocate(w)
		w.Close()
		r.rewards = append(r.rewards, w.Reward)
		held := map[int]dl2.Task{}
		for j, t := range w.Tasks {
			if t.Workers+t.Servers > 0 && (!t.Ended || t.End > float64(w.Slot-2)) {
				held[w.Jobs()[j].ID] = t
			}
		}
		r.held = append(r.held, held)
	}
	c.played[name] = r
	return r, nil
}
