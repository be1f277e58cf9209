package policies

import (
	"tarry/baselines/queueing"
	"tarry/fidelity/artist"
	"tarry/fidelity/elasticflowsim"
	"tarry/fidelity/gavelsim"
	"tarry/fidelity/lucidsim"
	"tarry/fidelity/murisim"
	"tarry/fidelity/polluxsim"
	"tarry/fidelity/predictsim"
	"tarry/fidelity/rlscheduler"
	"tarry/fidelity/shockwavesim"
	"tarry/fidelity/srtfsim"
	"tarry/fidelity/themissim"
	"tarry/fidelity/tiresiassim"
	"tarry/fidelity/vodasim"
	"tarry/sim/entry"
)

// Variants lists schedulers with the habits of other simulators, which cmd/reference compares.
func Variants() entry.Policies {
	return entry.Policies{
		policy("artist-dally", "Dally with the chunks, the late contests and the late forgetting of its authors' simulator",
			dallyRef, artist.DallyParams, artist.NewDally),
		policy("srtf-sim", "srtf over explicit lists of jobs, as in the simulators of Muri and Lucid", textbook,
			srtfsim.Params, srtfsim.NewSRTF),
		policy("srsf-sim", "srsf over explicit lists of jobs, as in the simulators of Muri and Tiresias' authors",
			"Gu et al., NSDI 2019", srtfsim.Params, srtfsim.NewSRSF),
		policy("lucid-qssf", "QSSF with jobs that come together ordered by their GPUs, as in Lucid's simulator",
			"Hu et al., SC 2021", lucidsim.Params, lucidsim.New),
		policy("predictsim-easy", "easy, one event of an instant after another, as in the program of Gaussier et al., "+
			"SC 2015", "Lifka, JSSPP 1995", predictsim.Params, predictsim.New),
		policy("rlscheduler-picked", "picked with the wait -1 s - submit in wfp3 and unicep, as in RLScheduler's program",
			"Zhang et al., SC 2020", queueing.PickedParams, rlscheduler.NewPicked),
		policy("rlscheduler-wfp3", "wfp3 with the wait -1 s - submit, as in RLScheduler's program",
			"Zhang et al., SC 2020", queueing.ScoredParams, rlscheduler.NewScored("wfp3")),
		policy("rlscheduler-unicep", "unicep with the wait -1 s - submit, as in RLScheduler's program",
			"Zhang et al., SC 2020", queueing.ScoredParams, rlscheduler.NewScored("unicep")),
		policy("tiresias-sim", "Tiresias over explicit lists of jobs, as in the simulators of its authors, Muri, Lucid and "+
			"Pollux", "Gu et al., NSDI 2019", tiresiassim.Params, tiresiassim.New),
		policy("gavel-sim", "Gavel with the rounds, whole steps and failures of its own simulator", gavelRef,
			gavelsim.Params, gavelsim.New),
		policy("muri-sim", "Muri with the placement and the accounts of its own simulator", "Zhao et al., SIGCOMM 2022",
			murisim.Params, murisim.New),
		policy("shockwave-sim", "Shockwave with the rounds, whole steps and batch sizes of its own simulator",
			"Zheng et al., NSDI 2023", shockwavesim.Params, shockwavesim.New),
		policy("elasticflow-sim", "ElasticFlow and elastic EDF with the clock, books and real ends of their authors' "+
			"simulator", "Gu et al., ASPLOS 2023", elasticflowsim.Params, elasticflowsim.New),
		policy("pollux-optimus", "Optimus with the step times, minutes and placement of the simulator of Pollux' authors",
			"Peng et al., EuroSys 2018", polluxsim.OptimusParams, polluxsim.NewOptimus),
		policy("themis-sim", "Themis with the bids of its authors' simulator: speeds, by the worst-off app alone",
			"Mahajan et al., NSDI 2020", themissim.Params, themissim.New),
		policy("voda-sim", "VODA with the allocations of the published program, below a job's minimum too",
			"Hsieh and Lee, IC2E 2023", vodasim.Params, vodasim.New),
	}
}

// moved lists, by the name of a policy, the settings that a variant has now.
func moved() map[string][]entry.Moved {
	artistDally := func(with ...string) []entry.Moved {
		return []entry.Moved{{To: "artist-dally", Switch: "mode=artist", With: with,
			Keys: []string{"chunk", "settle", "early", "forget", "digits"}}}
	}
	lists := func(to string) []entry.Moved {
		return []entry.Moved{{To: to, With: []string{"ties=arrival"},
			Keys: []string{"ties", "repack", "interrupt", "penalty"}}}
	}
	return map[string][]entry.Moved{
		"srtf":               lists("srtf-sim"),
		"srsf":               lists("srsf-sim"),
		"easy":               {{To: "predictsim-easy", Switch: "events=apart"}},
		"qssf":               {{To: "lucid-qssf", Switch: "fresh=gpus"}},
		"dally":              artistDally(),
		"dally-manual":       artistDally("timers=manual"),
		"dally-nowait":       artistDally("t_rack=0", "t_net=0"),
		"dally-consolidated": artistDally("t_rack=inf", "t_net=inf"),
		"picked":             {{To: "rlscheduler-picked", Switch: "slip=true"}},
		"wfp3":               {{To: "rlscheduler-wfp3", Switch: "slip=true"}},
		"unicep":             {{To: "rlscheduler-unicep", Switch: "slip=true"}},
		"tiresias": {{To: "tiresias-sim", With: []string{"inside=started", "demote=exact"},
			Keys: []string{"inside", "ties", "demote", "service", "every_s", "interrupt", "penalty"}}},
		"gavel": {{To: "gavel-sim", Switch: "mode=simulator",
			Keys: []string{"ends", "steps", "split", "late", "table", "type_order"}}},
		"muri": {{To: "muri-sim", Switch: "mode=simulator", Keys: []string{"profile"}}},
		"shockwave": {{To: "shockwave-sim", Switch: "mode=simulator",
			Keys: []string{"profile", "trace", "restart_s", "reset_s", "spare"}}},
		"elasticflow": {{To: "elasticflow-sim", Switch: "mode=simulator", Keys: []string{"table", "gpu", "real"}}},
		"optimus":     {{To: "pollux-optimus", Switch: "mode=simulator"}},
		"themis":      {{To: "themis-sim", Switch: "value=speedup", Keys: []string{"threshold"}}},
		"voda":        {{To: "voda-sim", Switch: "corrected=false"}},
	}
}
