package results

import (
	"fmt"

	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

// The environments of the learners: timers per class of demand, and whom to preempt.
const (
	timers  = "tarry/DelayTimer-v0"
	preempt = "tarry/Preempt-v0"
)

// learner is an agent that learns timers or whom to preempt.
type learner struct {
	name, env, agent string
	// options of the environment beside the setting's; on the batch list batchOptions where
	// they are not "".
	options, batchOptions string
	// steps at full scale, and what else is set.
	steps int
	set   sweep.Settings
	// few states that it is trained on the settings of 64 GPUs with collective speeds only.
	few bool
}

// learners are trained on the settings. preempt-ppo and preempt-dqn evict for the job that Dally's
// own order puts first; preempt-srpt for the one with the least time left, with leases and at a
// finer grain (on the batch list that asks four times as often for nothing). preempt-blind does not
// know what is left, which no cluster does: neither it nor the order of the queue reads it, and it
// is shown evictions by the least attained service.
func learners() []learner {
	return []learner{
		{name: "timers-ppo", env: timers, agent: "ppo", steps: 20_480,
			set: sweep.Settings{"steps": 64, "imitate": "dally", "imitate_episodes": 8}},
		{name: "timers-sac", env: timers, agent: "sac", steps: 4_096,
			set: sweep.Settings{"learning_starts": 512, "train_every": 8, "imitate": "dally", "imitate_episodes": 8}},
		{name: "preempt-ppo", env: preempt, agent: "ppo", steps: 8_192,
			set: sweep.Settings{"steps": 64, "imitate": "srtf", "imitate_episodes": 12}},
		{name: "preempt-srpt", env: preempt, agent: "ppo", options: "order=srpt,leases=true,min_run=0.05,every=0.05",
			batchOptions: "order=srpt,leases=true", steps: 8_192, few: true,
			set: sweep.Settings{"envs": 8, "steps": 128, "learning_rate": 0.0002, "gamma": 0.9, "imitate": "srtf",
				"imitate_episodes": 12, "imitate_rate": 0.003}},
		{name: "preempt-blind", env: preempt, agent: "ppo", options: "hide=work,order=las", steps: 8_192, few: true,
			set: sweep.Settings{"steps": 64, "imitate": "las", "imitate_episodes": 12}},
		{name: "preempt-dqn", env: preempt, agent: "dqn", steps: 6_144,
			set: sweep.Settings{"learning_starts": 512, "train_every": 16, "eps_end": 0.01, "learning_rate": 0.0001,
				"imitate": "srtf", "imitate_episodes": 12, "imitate_epochs": 30}},
	}
}

// stepsAt is how long the learner is trained at full scale: for a quarter of the steps where a
// window costs much more.
func (l *learner) stepsAt(s setting) int {
	if s.large {
		return l.steps / 4
	}
	return l.steps
}

// tuned is a scheduler whose numbers an optimiser chooses.
type tuned struct {
	name, policy string
	params       sweep.Settings
	// few states that it is tuned on the settings of 64 GPUs with collective speeds only, whole
	// that a grid tries all there is to choose.
	few, whole bool
}

// tunedOnes have the same optimiser and budget. The bounds of Tiresias's queues are GPU-seconds:
// from a few GPU-minutes to a thousand GPU-hours; with them its promotion, placement and limit of
// skew are chosen. SRTF has no number: its placement is chosen.
func tunedOnes() []tuned {
	return []tuned{
		{"timers-tuned", "dally-manual", sweep.Settings{"t_rack": "0.05:50:log", "t_net": "0.05:100:log"}, false,
			false},
		{"tiresias-tuned", "tiresias", sweep.Settings{"queues/0": "300:360000:log", "queues/1": "3600:3600000:log",
			"promote": "0:16", "place": []any{"consolidate", "skew-waits", "skew"}, "packlimit": "0:0.8"}, true, false},
		{"srtf-placed", "srtf", rivals.Choice(), false, true},
	}
}

// rule is what a learned preemption is compared with: it knows the true durations, orders by what
// is left and evicts for it.
const rule = "dally:order=srpt,evict=later"

// quickRule is the rule at a grain of three minutes, as for preempt-srpt.
const quickRule = rule + ",min_run=0.05"

// baselines stand beside the timers of the optimiser; all windows are the same everywhere.
func baselines() []string {
	return []string{"dally", "dally-manual", "dally-nowait", "dally-consolidated",
		"dally:history=48,min_rack=0,min_net=0", "tiresias", "srtf",
		"dally:order=srpt", "dally:order=las", "dally:order=las,evict=later", quickRule, rule}
}

// rulers stand beside every learner, so that each sweep can be read by itself.
func rulers() []string { return []string{"dally", "srtf", rule} }

// fixedTimers are the timers of the bound.
func fixedTimers() []string {
	var out []string
	waits := []string{"0", "1", "6", "24", "inf"}
	for _, rack := range waits {
		for _, net := range waits {
			out = append(out, fmt.Sprintf("dally-manual:t_rack=%s,t_net=%s", rack, net))
		}
	}
	return out
}
