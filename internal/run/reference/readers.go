package reference

// readers lists the forms that are compared, one line each.
func readers() []reader {
	return []reader{
		{"afs-l", isAFSL, compareAFSL},
		{"artist-sim", isArtistSim, compareArtistSim},
		{"elasticflow", isElasticFlow, compareElasticFlow},
		{"gavel", isGavel, compareGavel},
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

// whyNot says why a folder is not compared.
func whyNot(name string) string {
	for _, w := range [][2]string{
		{"hived", "HiveD's cells are not among the baselines"},
	} {
		if w[0] == name {
			return w[1]
		}
	}
	return "its files have a form that no reader knows"
}
