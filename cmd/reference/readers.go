package main

import (
	"tarry/fidelity/adasrsfref"
	"tarry/fidelity/artist/artistref"
	"tarry/fidelity/capsref"
	"tarry/fidelity/deepbootref"
	"tarry/fidelity/elasticflowsim/elasticref"
	"tarry/fidelity/energyref"
	"tarry/fidelity/gavelsim/gavelref"
	"tarry/fidelity/genieref"
	"tarry/fidelity/hivedref"
	"tarry/fidelity/kaisref"
	"tarry/fidelity/linksref"
	"tarry/fidelity/loansref"
	"tarry/fidelity/lucidsim/lucidref"
	"tarry/fidelity/lyraref"
	"tarry/fidelity/migerservicesref"
	"tarry/fidelity/murisim/muriref"
	"tarry/fidelity/muxflowref"
	"tarry/fidelity/optimisationref"
	"tarry/fidelity/optimusref"
	"tarry/fidelity/polluxsim/polluxref"
	"tarry/fidelity/polluxsim/vectorsref"
	"tarry/fidelity/powerflowref"
	"tarry/fidelity/predictsim/predictsimref"
	"tarry/fidelity/priceref"
	"tarry/fidelity/queuesref"
	"tarry/fidelity/reference"
	"tarry/fidelity/rlscheduler/rlref"
	"tarry/fidelity/shockwavesim/shockwaveref"
	"tarry/fidelity/siaref"
	"tarry/fidelity/sleepref"
	"tarry/fidelity/themissim/themisref"
	"tarry/fidelity/vodasim/vodaref"
)

// readers lists the forms of results that are compared, one line for each peer.
func readers() []reference.Reader {
	return []reference.Reader{
		vodaref.AFSReader(),
		capsref.Reader(),
		deepbootref.Reader(),
		energyref.Reader(),
		genieref.Reader(),
		hivedref.Reader(),
		kaisref.Reader(),
		linksref.Reader(),
		linksref.TestedReader(),
		loansref.Reader(),
		priceref.Reader(),
		queuesref.Reader(),
		lucidref.Reader(),
		lyraref.Reader(),
		migerservicesref.Reader(),
		muxflowref.Reader(),
		optimisationref.Reader(),
		optimusref.Reader(),
		vectorsref.Reader(),
		rlref.Reader(),
		siaref.Reader(),
		sleepref.SeriesReader(),
		sleepref.DaysReader(),
		powerflowref.Reader(),
		themisref.Reader(),
		vodaref.Reader(),
		artistref.Reader(),
		gavelref.Reader(),
		muriref.Reader(),
		shockwaveref.Reader(),
		polluxref.Reader(),
		elasticref.Reader(),
		predictsimref.Reader(),
		adasrsfref.Reader(),
		adasrsfref.DualReader(),
	}
}
