package reference

// Readers lists the forms whose comparers are in this package, one line each.
func Readers() []Reader {
	return []Reader{
		{"afs-l", isAFSL, compareAFSL},
		{"artist-sim", isArtistSim, compareArtistSim},
		{"elasticflow", isElasticFlow, compareElasticFlow},
		{"gavel", isGavel, compareGavel},
		{"hived", isHived, compareHived},
		{"lucid", isLucid, compareLucid},
		{"muri", isMuri, compareMuri},
		{"optimisation", isOptimisation, compareOptimisation},
		{"optimus-fit", isOptimusFit, compareOptimusFit},
		{"pollux-vectors", isPolluxVectors, comparePolluxVectors},
		{"pollux", isPollux, comparePollux},
		{"rlscheduler", isRLScheduler, compareRLScheduler},
		{"shockwave", isShockwave, compareShockwave},
		{"sia-ilp", isSiaILP, compareSiaILP},
		{"themis-auction", isAuction, compareAuction},
		{"voda", isVoda, compareVoda},
	}
}
