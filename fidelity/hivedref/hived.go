// Package hivedref compares HiveD's cells (baselines/hived/cells) in scenarios. A folder holds
// scenarios in a JSON list of {name, config, steps} and a config_NAME.json for each
// configuration that they name. A step is one thing compared: a decision, a refusal, or a check
// of the state. What a scenario does that the cells of tarry have not is noted, and the rest of
// that scenario is left out with it.
package hivedref

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	hived "tarry/baselines/hived/cells"
	"tarry/fidelity/reference"
)

// hivedScenario is one of them.
type hivedScenario struct {
	Name, Config   string
	SuggestedNodes string          `json:"suggested_nodes"`
	Changes        json.RawMessage `json:"config_changes"`
	Steps          []hivedStep
}

// hivedStep is one step; which fields it has depends on Op.
type hivedStep struct {
	Op            string
	Spec          hivedPod
	Specs         []hivedPod
	Suggested     json.RawMessage
	Except        []string `json:"suggested_all_except"`
	Phase         string
	Allocate      *bool
	Pod, Node, VC string
	Nodes         []string
	Group, State  string
	Groups        []string
	Priority      *int
	Chain         string
	Level         int
	Expect        json.RawMessage
}

// hivedPod is a request.
type hivedPod struct {
	Pod, VC        string
	Priority       int
	LazyPreemption bool   `json:"lazy_preemption"`
	PinnedCell     string `json:"pinned_cell"`
	GPUType        string `json:"gpu_type"`
	GPUs           int
	Group          string
	GroupMembers   []hived.Member `json:"group_members"`
}

// hivedFiles are the files with scenarios.
func hivedFiles(f *reference.Folder) (files []string, all [][]hivedScenario) {
	for _, name := range f.Files {
		if !strings.HasSuffix(name, ".json") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(f.Dir, name))
		if err != nil || !strings.HasPrefix(strings.TrimSpace(string(text)), "[") {
			continue
		}
		var list []hivedScenario
		if json.Unmarshal(text, &list) != nil || len(list) == 0 {
			continue
		}
		if !slices.ContainsFunc(list, func(s hivedScenario) bool {
			return s.Name == "" || len(s.Steps) == 0 || !slices.Contains(f.Files, s.configFile())
		}) {
			files, all = append(files, name), append(all, list)
		}
	}
	return files, all
}

func (s *hivedScenario) configFile() string { return "config_" + s.Config + ".json" }

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Reader{Name: "hived", Knows: isHived, Compare: compareHived}
}

func isHived(f *reference.Folder) bool {
	files, _ := hivedFiles(f)
	return len(files) > 0
}

func compareHived(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := reference.Outcome{Unit: "steps"}
	files, all := hivedFiles(f)
	every := slices.Concat(all...)
	for k, list := range all {
		for i := range list {
			s := &list[i]
			o.Reads(s.configFile())
			cfg, err := readHived(filepath.Join(f.Dir, s.configFile()))
			if err != nil {
				return o, err
			}
			r := hivedRun{s: s, file: files[k], o: &o, group: map[string]string{}}
			if s.replays() {
				if why := r.before(every, cfg); why != "" {
					r.leave(0, why)
					continue
				}
			} else if err := s.change(cfg); err != nil {
				r.leave(0, err.Error())
				continue
			}
			r.run(cfg)
		}
	}
	o.Worst = float64(o.Of() - o.Agree())
	return o, ctx.Err()
}

// hivedRun is a scenario on its way.
type hivedRun struct {
	s    *hivedScenario
	file string // that it stands in
	o    *reference.Outcome
	c    *hived.Cluster
	done []string // pods that are bound or ask, the newest last
	// group is each pod's, placed are the bound pods of an earlier configuration.
	group  map[string]string
	placed []hived.Placed
	old    bool // on that configuration: nothing is compared
}

// run goes through a scenario.
func (r *hivedRun) run(cfg *hived.Config) {
	c, err := hived.New(*cfg)
	r.c = c
	if r.s.Steps[0].Op == "build" {
		var want string
		if e := json.Unmarshal(r.s.Steps[0].Expect, &want); e != nil || !strings.HasPrefix(want, "error: ") {
			r.leave(0, "what a build is to give is not known")
			return
		}
		what, _ := strings.CutPrefix(want, "error: ")
		r.say(0, err != nil && strings.Contains(err.Error(), what), fmt.Sprintf("the build gives %v", err))
		return
	}
	if err != nil {
		r.say(0, false, fmt.Sprintf("the cluster cannot be built: %v", err))
		return
	}
	for i := range r.s.Steps {
		why := r.step(i, &r.s.Steps[i])
		switch op := r.s.Steps[i].Op; {
		case why == "":
		// it changes nothing, so that what follows can be compared
		case strings.HasPrefix(op, "check") || strings.HasPrefix(op, "group"):
			r.o.Leave("steps", r.file, 1, fmt.Sprintf("%s: step %d (%s) is not compared: %s", r.s.Name, i+1, op, why))
		default:
			r.leave(i, why)
			return
		}
	}
}

// say counts a step.
func (r *hivedRun) say(i int, good bool, got string) {
	if r.old {
		return
	}
	if r.o.One("steps", r.file, good); good {
		return
	}
	r.o.Short = append(r.o.Short, fmt.Sprintf("%s: step %d (%s): %s", r.s.Name, i+1, r.s.Steps[i].Op, got))
}

// leave states that a scenario is not compared from a step on.
func (r *hivedRun) leave(i int, why string) {
	r.o.Leave("steps", r.file, len(r.s.Steps)-i, fmt.Sprintf("%s: steps %d to %d are not compared: %s", r.s.Name, i+1,
		len(r.s.Steps), why))
}

// decision words what came of a request.
func decision(d hived.Decision, err error) string {
	switch {
	case err != nil:
		return fmt.Sprintf("refused (%v)", err)
	case d.Result == hived.Bind:
		return fmt.Sprintf("bind %s %v", d.Node, d.GPUs)
	case d.Result == hived.Preempt:
		return fmt.Sprintf("preempt %v", d.Victims)
	}
	return "wait"
}
