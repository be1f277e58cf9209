package reference

// Readers lists the forms whose comparers are in this package, one line each.
func Readers() []Reader {
	return []Reader{
		{Name: "afs-l", Knows: isAFSL, Compare: compareAFSL},
		{Name: "hived", Knows: isHived, Compare: compareHived},
		{Name: "lucid", Variants: []string{"lucid-qssf", "srtf-sim", "tiresias-sim"}, Knows: isLucid, Compare: compareLucid},
		{Name: "optimisation", Knows: isOptimisation, Compare: compareOptimisation},
		{Name: "optimus-fit", Knows: isOptimusFit, Compare: compareOptimusFit},
		{Name: "pollux-vectors", Knows: isPolluxVectors, Compare: comparePolluxVectors},
		{Name: "rlscheduler", Variants: []string{"rlscheduler-picked", "rlscheduler-wfp3", "rlscheduler-unicep"},
			Knows: isRLScheduler, Compare: compareRLScheduler},
		{Name: "sia-ilp", Knows: isSiaILP, Compare: compareSiaILP},
		{Name: "themis-auction", Variants: []string{"themis-sim"}, Knows: isAuction, Compare: compareAuction},
		{Name: "voda", Variants: []string{"voda-sim"}, Knows: isVoda, Compare: compareVoda},
	}
}
