package logs

import (
	"strings"

	"tarry/experiments/sweep"
)

// setting is a log at a load: what agents are trained and measured on.
type setting struct {
	name string
	// options are the environment's options that decide its jobs and its machine.
	options string
	// log names the log; busy states that its jobs come faster than they did.
	log  string
	busy bool
	// windows of test, and validations of the part between, that there are; at most so many are
	// taken.
	windows, validations int
	// alone states that agents are trained on its own train part, too: not on a log whose windows
	// cost most.
	alone bool
	// kept states that the jobs' rows stay, from which the users' are counted.
	kept bool
}

// The most windows of a part that are taken.
const (
	mostWindows     = 30
	mostValidations = 12
)

// log is a log in examples/logs, with how many windows of three days it has in its parts of test
// and of validation: as it is, and at 1.05 of its machine (examples/logs/busy).
type log struct {
	name              string
	tests, validation [2]int
	alone, kept       bool
}

// all lists the logs. Weights are never searched on the last: it is the largest, and stands for an
// unseen log.
func all() []log {
	return []log{
		{"sdsc-sp2", [2]int{72, 56}, [2]int{48, 37}, true, true},
		{"sdsc-blue", [2]int{44, 34}, [2]int{29, 22}, true, false},
		{"kth-sp2", [2]int{33, 22}, [2]int{22, 14}, true, true},
		{"llnl-atlas", [2]int{18, 12}, [2]int{12, 8}, true, false},
		{"curie-thin-120d", [2]int{11, 8}, [2]int{7, 5}, false, false},
	}
}

// file is the scenario of a log, from the root of the repository.
func file(name string, busy bool) string {
	if busy {
		return "examples/logs/busy/" + name + ".yaml"
	}
	return "examples/logs/" + name + ".yaml"
}

// settings are the logs at both loads; below full scale generated jobs, which need no file.
func settings(scale string) []setting {
	if scale != sweep.Full {
		return generated()[:sweep.At(scale, 1, 3, 0)]
	}
	var out []setting
	for k, busy := range []bool{false, true} {
		for _, l := range all() {
			name := l.name
			if busy {
				name += "-busy"
			}
			out = append(out, setting{name, "scenario=" + file(l.name, busy), l.name, busy,
				min(l.tests[k], mostWindows), min(l.validation[k], mostValidations), l.alone, l.kept})
		}
	}
	return out
}

// generated are users whose jobs recur and who ask for times, on 64 processors.
func generated() []setting {
	one := func(law, load string) string {
		return "cluster=1x64x1,speed=counting,predict=ridge,workload=\"" + law + ",request=3\",load=" + load +
			",windows=60,warm=0,horizon=47"
	}
	return []setting{
		{"recur-busy", one("recur", "1.1"), "recur", true, mostWindows, mostValidations, true, true},
		{"recur", one("recur", "0.85"), "recur", false, mostWindows, mostValidations, true, true},
		{"drift-busy", one("recur-drift", "1.1"), "drift", true, mostWindows, mostValidations, true, false},
	}
}

// others are the options of what an agent is trained on that has not seen the setting's log:
// windows of the others in turn, at the same load.
func (s setting) others(scale string) string {
	if scale != sweep.Full {
		for _, o := range generated() {
			if o.log != s.log && o.busy {
				return o.options
			}
		}
	}
	var files []string
	for _, l := range all() {
		if l.alone && l.name != s.log {
			files = append(files, file(l.name, s.busy))
		}
	}
	return "mixture=" + strings.Join(files, "+")
}

// costs is what it takes to preempt a job: 60 s to save it and 60 s to restore it.
const costs = "checkpoint_s=60,restore_s=60"
