package order

import (
	"slices"
	"strings"
)

// setting is a workload on 64 GPUs: what agents are trained and measured on.
type setting struct {
	name string
	// options are the environment's options, except for its part, for common and for the predictor.
	options string
	// windows are measured on; longer windows are fewer.
	windows int
	// heavy states that a window costs much more than the others: searches have a quarter of the
	// windows.
	heavy bool
}

// common are the options of all environments: what preemption costs, and how fast jobs run.
const common = "speed=collective,checkpoint_s=5,restore_s=10"

// The clusters: 2 and 16 racks of 4 machines of 8 GPUs behind Ethernet.
const (
	small = "cluster=ethernet:2x4x8"
	large = "cluster=ethernet:16x4x8"
)

// The traces: Philly with the models of the paper (tarry reproduce order --data), and the Dally
// paper's own two lists.
const (
	phillyTrace = "trace=csv:build/results/philly.csv"
	batchTrace  = "trace=artistsim:../shared/traces/artist-sim/sense_500jobs_0start0arrival-withBert.json"
	weekTrace   = "trace=artistsim:../shared/traces/artist-sim/sense_500jobs_poisson_1proc-week.json"
)

// settings are five workloads whose users and models tell something of run times. The cuts are as
// in the question results.
//
//   - recur-LOAD: users whose jobs recur, Poisson arrivals, half a day of warm-up and two days;
//     drawn anew for each window.
//   - batch: 70 jobs of the batch list, all at once.
//   - week: 60 jobs of the week list, six times as fast.
//   - philly: the trace three times as fast, in four classes, 41 hours.
//
// Parts never have a job in common. Windows of one part do where they are drawn from a list: batch,
// week.
func settings() []setting {
	return []setting{
		{"recur-1.1", small + "," + recur("1.1"), 60, false},
		{"recur-0.9", small + "," + recur("0.9"), 60, false},
		{"batch", small + "," + batchTrace + ",shares=40:20:40,batch_jobs=70,windows=400,warm=0,horizon=0", 60, false},
		{"week", small + "," + weekTrace + ",shares=40:20:40,rate=6,batch_jobs=60,windows=400,warm=0,horizon=0", 60,
			false},
		{"philly", small + "," + phillyTrace + ",shares=40:20:40,gap=1,rate=3,thin=4,warm=12,horizon=29", 30, true},
	}
}

// recur are windows of two days of users whose jobs recur.
func recur(load string) string {
	return "workload=recur,windows=400,warm=12,horizon=48,load=" + load
}

// elsewhere are settings that agents are measured on and not trained on.
func elsewhere() []setting {
	return append(settings(),
		setting{"recur-0.7", small + "," + recur("0.7"), 60, false},
		setting{"recur-1.1-512", large + "," + recur("1.1"), 20, true},
		setting{"drift-0.9", small + ",workload=recur-drift,windows=400,warm=12,horizon=48,load=0.9", 60, false},
	)
}

// find gives a setting by its name.
func find(name string) setting {
	all := elsewhere()
	return all[slices.IndexFunc(all, func(s setting) bool { return s.name == name })]
}

// places are the settings of a scale: at full all, else generated jobs, which need no file.
func places(scale string) []setting {
	all := settings()
	switch scale {
	case "full":
		return all
	case "small":
		return all[:2]
	}
	return all[1:2]
}

// fields are the options of a setting with a predictor.
func (s setting) fields(predict string) string {
	return strings.Join([]string{s.options, common, "predict=" + predict}, ",")
}
