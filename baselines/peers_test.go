package baselines_test

import (
	"testing"

	"tarry/catalogue/policies"
	"tarry/sim/simtest"
)

// peer states what the schedulers have and a variant with another program's habits has not.
type peer struct {
	// without are the traits that the variant is not made for, why the reason.
	without simtest.Trait
	why     string
	// starves is why jobs may wait for ever.
	starves string
	// polls is why events of a long run are not bounded by what happens.
	polls string
	// hostless is why limits of CPU and memory are not kept to.
	hostless string
}

// peers lists the variants that the tests of all schedulers do not take as they take these.
func peers() map[string]peer {
	return map[string]peer{
		"elasticflow-sim": {without: simtest.Types,
			why:      "its simulator has one type, and takes a job's GPUs as a number",
			starves:  "it is for machines of one size: on others a job may find no block",
			hostless: "its simulator has GPUs alone"},
		"gavel-sim":      {starves: "a job that made no step in five rounds is dropped, as its simulator drops it"},
		"voda-sim":       {starves: "some algorithms give a job less than its minimum"},
		"shockwave-sim":  {polls: "each round of its simulator ends, also where nothing changes"},
		"pollux-optimus": {polls: "each minute of its simulator is decided"},
	}
}

// options are the options of a policy of the catalogue or of a variant.
func options(name string) simtest.Options {
	p := peers()[name]
	return simtest.Options{Without: p.without, MayStarve: p.starves != "", Alone: alone(name)}
}

// Each exception is of a variant, and with a reason.
func TestPeers(t *testing.T) {
	for name, p := range peers() {
		if (p.without != 0) != (p.why != "") || p == (peer{}) {
			t.Errorf("%s: %+v, expected an exception and its reason", name, p)
		}
		found := false
		for _, e := range policies.Variants() {
			found = found || e.Name == name
		}
		if !found {
			t.Errorf("%s is no variant", name)
		}
	}
}
