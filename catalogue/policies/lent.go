package policies

import (
	"tarry/baselines/lyra"
	"tarry/sim/entry"
)

// borrowing lists policies for machines that services lend.
func borrowing() entry.Policies {
	return entry.Policies{
		policy("lyra", "Lyra: base demands, the shortest job first, then extra workers by seconds saved, on machines "+
			"that are lent", "Li et al., EuroSys 2023", lyra.Params, lyra.New),
	}
}
