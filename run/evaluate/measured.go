package evaluate

import (
	"fmt"
	"slices"
	"strings"

	"tarry/env/schedenv"
	"tarry/run/train"
	"tarry/sim"
)

// measured is what the policies of a request are measured on, and the part of it that was seen
// before.
type measured struct {
	first   string // who set it
	id      string // of its environment
	outside bool   // the environment is outside the simulator
	options string // of the environment, with the request's
	jobs    string // jobsOf the options
	envs    []*policyEnv
	known   []known
}

// same takes the options of the first, and refuses options that mean other jobs than the first's.
// did is what who did on them.
func (on *measured) same(s *Setup, who, did, envText, options string, e *policyEnv) error {
	jobs := ""
	if e != nil && e.scored != nil { // any option may change its instances
		jobs = e.spec.ID + ":" + options
	} else {
		jobs = jobsOf(s.defaults(envText), options)
	}
	switch {
	case on.first == "":
		on.first, on.options, on.jobs = who, options, jobs
		if e != nil {
			on.id, on.outside = e.spec.ID, e.scored != nil
		}
	case e != nil && on.id != "" && e.spec.ID != on.id && (on.outside || e.scored != nil):
		return fmt.Errorf("%s acts in %s and %s in %s, expected agents of one environment: costs outside the simulator "+
			"are of their own", who, e.spec.ID, on.first, on.id)
	case on.jobs != jobs:
		return fmt.Errorf("%s %s other jobs or another cluster than %s: name cluster, workload, ... to measure both "+
			"on the same", who, did, on.first)
	}
	return nil
}

// known is what was seen of jobs, and by whom.
type known struct {
	*train.Trained
	who string
	// spared is a part of which nothing was seen.
	spared schedenv.Part
}

// unseen refuses a window that was seen in training.
func (on *measured) unseen(p schedenv.Part, i int, w *sim.Workload, sum string) error {
	for _, k := range on.known {
		if err := unseen(k.Trained, w, sum, on.envs[0].config.TraceSHA256); err != nil {
			return fmt.Errorf("window %d of part %s %w of %s: expected windows that training has not seen", i, p, err,
				k.who)
		}
	}
	return nil
}

// unshared refuses a part whose jobs were seen in windows that were cut in another way.
func (on *measured) unshared(p schedenv.Part) error {
	for _, k := range on.known {
		if p != schedenv.Test && p != k.spared && sameJobs(trainedOn(k.Trained), on.options) {
			return fmt.Errorf("part %s of the jobs of %s, cut into windows in another way: expected part %s, or "+
				"another data_seed or trace", p, k.who, schedenv.Test)
		}
	}
	return nil
}

// alike refuses policies that begin with the first job beside agents that begin after the warm-up.
// All jobs of a window are counted, including its warm-up's, so that the two would be compared on
// what only one of them decided.
func (on *measured) alike(r *Request) error {
	late := slices.ContainsFunc(on.envs, func(e *policyEnv) bool { return e.config.Begins() > 0 })
	beside := slices.Concat(r.Tuned, r.Baselines)
	if r.Bounds {
		beside = append(beside, "the rows of --bounds")
	}
	if !late || len(beside) == 0 {
		return nil
	}
	return fmt.Errorf("warmup is base with %s beside the agents: agents would decide after the warm-up, the others "+
		"from the first job; expected warmup=agent, or agents alone",
		strings.Join(beside, ", "))
}
