package policies

import (
	"tarry/baselines/deepboot"
	"tarry/baselines/lyra"
	"tarry/baselines/muxflow"
	"tarry/sim/entry"
)

// borrowing lists policies for what services leave.
func borrowing() entry.Policies {
	return entry.Policies{
		policy("lyra", "Lyra: base demands, the shortest job first, then extra workers by seconds saved, on machines "+
			"that are lent", "Li et al., EuroSys 2023", lyra.Params, lyra.New),
		policy("deepboot", "DeepBoot: Pollux' agents, numbers of GPUs by a knapsack over speed-ups; services come "+
			"first (operator deepboot)", "Chen et al., IEEE TPDS 34(9), 2023", deepboot.Params, deepboot.New),
		policy("muxflow", "MuxFlow: jobs of one GPU beside replicas, on the share that requests leave, matched for the "+
			"largest sum of speeds", "Zhao et al., arXiv 2303.13803", muxflow.Params, muxflow.New),
	}
}
