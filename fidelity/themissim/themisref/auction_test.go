package themisref

import (
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

// Two bidders and four GPUs, by hand: 5 x 1 < 3 x 3 = 9 > 2 x 4; without either the other has all
// four, 5. A bidder alone keeps all.
const (
	someBids     = "instance,app,apps,gpus,value_at_0_1_2\n0,0,2,4,1 2 3 4 5\n0,1,2,4,1 2 3 4 5\n1,0,1,1,0.5 0.75\n"
	someOutcomes = "instance,apps,gpus,proportional_fair_gpus,product_of_values,kept_fraction_c\n0,2,4,2 2,9,0.6 " +
		"0.6\n1,1,1,1,0.75,1\n"
)

func TestAuctionsByHand(t *testing.T) {
	files := map[string]string{"bids.csv": someBids, "outcome.csv": someOutcomes}
	reftest.Edits(t, setup(), files, map[string]reftest.Edit{
		"right": {"outcome.csv", "", "", "mine: 2 of 2 agree, worst ", ""},
		"a split": {"outcome.csv", "2 2", "1 3", "mine: 1 of 2 agree, worst ",
			"outcome.csv: instance 0: split [2 2], there [1 3]"},
		"a product": {"outcome.csv", "0.75", "0.76", "mine: 1 of 2 agree, worst 0.0132 ",
			"instance 1: a product or fraction differs by 0.0132"},
		"a fraction": {"outcome.csv", "0.6 0.6", "0.6 0.5", "mine: 1 of 2 agree, worst 0.1 ",
			"instance 0: a product or fraction differs by 0.1"},
		"no bids":      {"outcome.csv", "\n1,1", "\n7,1", "mine: 1 of 2 agree, ", "instance 7: 0 bids, 1 counts"},
		"not a number": {"outcome.csv", "2 2", "2 x", "mine: 1 of 2 agree, ", "expected numbers separated by spaces"},
		"a value of 0": {"bids.csv", "0.5 0.75", "0 0.75", "mine: could not be compared: ", ""},
		"a gap":        {"bids.csv", "0,1,2", "0,2,2", "mine: could not be compared: ", ""},
	})
}

// setup compares with this program alone.
func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}
