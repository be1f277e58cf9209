package order

import (
	"strings"

	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

// rule is a scheduler by hand whose numbers an optimiser chooses.
type rule struct {
	name, policy, predict string
	params                sweep.Settings
	// points are the points of the search at full scale, on 16 windows each; whole states that they
	// are all there are, which a grid tries.
	points int
	whole  bool
	// light states that it is too slow for heavy windows: with delay timers srtf:by=left, which
	// reads the laws of all waiting jobs at every event, takes more than ten seconds for a window
	// of Philly.
	light bool
}

// placedMark ends the name of a scheduler without a number to tune for which validation chose one
// of rivals.Places.
const placedMark = "-placed"

// rules are tuned with 14 528 windows together, more than the 8 192 of one training of an agent
// (where windows are heavy both have a quarter), and more of them where there are more numbers. The
// first has what the learners have beside the weights: the order by a prediction, the margin, the
// least run time and both timers. The bounds of Tiresias's queues are GPU-seconds. Of the orders
// that say nothing of places every form is measured.
func rules() []rule {
	predicted := sweep.Settings{"order": []any{"gittins", "psrpt", "psrsf"}, "margin": "0:2", "min_run": "0.01:4:log"}
	timed := sweep.Settings{"t_rack": "0.05:50:log", "t_net": "0.05:100:log"}
	for k, v := range predicted {
		timed[k] = v
	}
	gittins := sweep.Settings{"margin": "0:2", "min_run": "0.01:4:log"}
	out := []rule{
		{"rule-timed", "dally:evict=later", predictor, timed, 256, false, false},
		{"rule", "dally:evict=later", predictor, predicted, 160, false, false},
		{"gittins-global", "dally:order=gittins,evict=later", "global", gittins, 64, false, false},
		{"gittins-size", "dally:order=gittins,evict=later", "size", gittins, 64, false, false},
		{"gittins-user-size", "dally:order=gittins,evict=later", "user-size", gittins, 64, false, false},
		{"las-tuned", "dally:order=las,evict=later", predictor, sweep.Settings{"min_run": "0.01:4:log"}, 32, false,
			false},
		{"tiresias-tuned", "tiresias", predictor, sweep.Settings{"queues/0": "300:360000:log",
			"queues/1": "3600:3600000:log",
			"promote":  "0:16", "place": []any{"consolidate", "skew-waits", "skew"}, "packlimit": "0:0.8"}, 256, false,
			false},
	}
	for _, policy := range plain() {
		name, _, _ := strings.Cut(policy, ":")
		out = append(out, rule{name + placedMark, policy, predictor, rivals.Choice(), len(rivals.Places()), true,
			name == "srtf"})
	}
	return out
}

// plain are orders that say nothing of places. As they are they stand beside the first rule; with
// the placement that validation chose for a workload they are rules.
func plain() []string { return []string{"las", "qssf", "gittins", "srtf:by=left"} }

// fixed are schedulers without a number to tune, beside the first rule; "dally" is what all are
// held against.
func fixed() []string {
	return append(append([]string{"dally", "dally-consolidated"}, plain()...), "dally:order=gittins")
}
