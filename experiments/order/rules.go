package order

import "tarry/experiments/sweep"

// rule is a scheduler by hand whose numbers an optimiser chooses.
type rule struct {
	name, policy, predict string
	params                sweep.Settings
	// points are those of the search at full scale, on 16 windows each.
	points int
}

// rules are tuned with 11 264 windows together, more than the 8 192 of one training of an agent (where windows are heavy both have a
// quarter), and more of them where there are more numbers. The first has
// what the learners have beside the weights: the order by a prediction, the margin, the least run time and both timers. The bounds of
// Tiresias's queues are GPU-seconds.
func rules() []rule {
	predicted := sweep.Settings{"order": []any{"gittins", "psrpt", "psrsf"}, "margin": "0:2", "min_run": "0.01:4:log"}
	timed := sweep.Settings{"t_rack": "0.05:50:log", "t_net": "0.05:100:log"}
	for k, v := range predicted {
		timed[k] = v
	}
	gittins := sweep.Settings{"margin": "0:2", "min_run": "0.01:4:log"}
	return []rule{
		{"rule-timed", "dally:evict=later", predictor, timed, 256},
		{"rule", "dally:evict=later", predictor, predicted, 160},
		{"gittins-global", "dally:order=gittins,evict=later", "global", gittins, 64},
		{"gittins-size", "dally:order=gittins,evict=later", "size", gittins, 64},
		{"gittins-user-size", "dally:order=gittins,evict=later", "user-size", gittins, 64},
		{"las-tuned", "dally:order=las,evict=later", predictor, sweep.Settings{"min_run": "0.01:4:log"}, 32},
		{"tiresias-tuned", "tiresias", predictor, sweep.Settings{"queues/0": "300:360000:log", "queues/1": "3600:3600000:log",
			"promote": "0:16", "place": []any{"consolidate", "skew-waits", "skew"}, "packlimit": "0:0.8"}, 256},
	}
}

// fixed are schedulers without a number to tune, beside the first rule; "dally" is what all are held against.
func fixed() []string {
	return []string{"dally", "dally-consolidated", "las", "qssf", "gittins", "srtf:by=left", "dally:order=gittins"}
}
