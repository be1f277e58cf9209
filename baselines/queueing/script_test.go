package queueing_test

import (
	"flag"
	"fmt"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

var update = flag.Bool("update", false, "rewrite the transcripts under testdata")

func TestScripts(t *testing.T) {
	simtest.Scripts(t, "testdata", *update, func(name, params string) (sim.Policy, error) {
		f, ok := constructors[name]
		if !ok {
			return nil, fmt.Errorf("no policy %q", name)
		}
		return f(param.Parse("policy "+name, params), cluster.BestFit)
	})
}
