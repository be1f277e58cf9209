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
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	return reference.Reader{Name: "dl2", Knows: func(f *reference.Folder) bool { return len(sets(f)) > 0 },
		Compare: func(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
			o := reference.Outcome{Unit: "slots"}
			for _, s := range sets(f) {
				if err := s.compare(&o); err != nil {
					return o, err
				}
				o.Reads(s.below)
			}
			return o, ctx.Err()
		}}
}

// set is the files of one cluster and its jobs.
type set struct {
	dir, head string
	below     string // the folder below, "" = none
	in        input
	*dl2.Setting
	jobs   []dl2.Job
	played map[string]*run
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

// sets finds the sets of a folder and of the folders below it, of which each holds one or none does.
func sets(f *reference.Folder) []*set {
	out := setsOf(f, "")
	own := len(out)
	for _, name := range f.Files {
		if !strings.HasSuffix(name, "/") {
			continue
		}
		below := setsOf(f, name)
		if len(below) == 0 {
			return out[:own]
		}
		out = append(out, below...)
	}
	return out
}

// setsOf finds the sets whose files are in a folder below, "" = the folder itself.
func setsOf(f *reference.Folder, below string) (out []*set) {
	dir := filepath.Join(f.Dir, filepath.FromSlash(below))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		head, ok := strings.CutSuffix(e.Name(), inputFile)
		if !ok {
			continue
		}
		s := &set{dir: dir, head: head, below: below, played: map[string]*run{}}
		if s.read(inputFile, &s.in) == nil && len(s.in.Types) > 0 && len(s.in.Jobs) > 0 && s.in.PM.Nodes > 0 {
			out = append(out, s)
		}
	}
	return out
}

// path is a file of the set.
func (s *set) path(file string) string { return filepath.Join(s.dir, s.head+file) }

// name is the file as results state it.
func (s *set) name(file string) string { return s.below + s.head + file }

func (s *set) read(file string, to any) error {
	text, err := os.ReadFile(s.path(file))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, to); err != nil {
		return fmt.Errorf("%s: %w", s.name(file), err)
	}
	return nil
}

// compare plays the set and judges its files.
func (s *set) compare(o *reference.Outcome) error {
	pm := &s.in.PM
	s.Setting = &dl2.Setting{Nodes: pm.Nodes, Units: pm.Units, SlotS: pm.SlotS, Most: pm.Most, Window: pm.Window}
	for _, t := range s.in.Types {
		s.Setting.Types = append(s.Setting.Types, dl2.Type{A: t.A, B: t.B, C: t.C, D: t.D, EpochSize: t.EpochSize,
			Worker: t.Worker, Server: t.Server})
	}
	for _, j := range s.in.Jobs {
		s.jobs = append(s.jobs, dl2.Job{ID: j.ID, Slot: j.Slot, Type: j.Type - 1, Epochs: j.Epochs})
	}
	if _, err := s.world(); err != nil {
		return fmt.Errorf("%s: %w", s.name(inputFile), err)
	}
	o.Reads(s.name(inputFile))
	for _, judge := range []func(*reference.Outcome) error{s.means, s.rivals, s.ends, s.allocations, s.rewards, s.demos,
		s.steps} {
		if err := judge(o); err != nil {
			return err
		}
	}
	return s.rest(o)
}

// world makes the set's cluster with its jobs.
func (s *set) world() (*dl2.World, error) {
	w, err := dl2.New(s.Setting)
	if err == nil {
		err = w.Begin(s.jobs)
	}
	return w, err
}

// rest notes files of a folder below that are none of a set.
func (s *set) rest(o *reference.Outcome) error {
	entries, err := os.ReadDir(s.dir)
	for _, e := range entries {
		known := slices.ContainsFunc([]string{inputFile, meansFile, rivalsFile, jobsFile, allocationsFile, rewardsFile,
			demosFile, stepsFile, "README.md"}, func(file string) bool { return strings.HasSuffix(e.Name(), file) })
		if s.below != "" && !known {
			o.Short = append(o.Short, s.below+e.Name()+" is neither compared nor named as not compared")
		}
	}
	return err
}

// run is what a rule did.
type run struct {
	*dl2.World
	rewards []float64
	held    []map[int]dl2.Task // of each slot, by id
}

// play lets a rule allocate.
func (s *set) play(name string) (*run, error) {
	if r := s.played[name]; r != nil {
		return r, nil
	}
	rules := dl2.Rules()
	i := slices.IndexFunc(rules, func(r dl2.Rule) bool { return r.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("no rule %q", name)
	}
	w, err := s.world()
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
	s.played[name] = r
	return r, nil
}
