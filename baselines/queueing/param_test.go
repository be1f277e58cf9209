package queueing_test

import (
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
)

func TestParameters(t *testing.T) {
	for _, c := range []struct{ name, params, want string }{
		{"fifo", "quantum_s=3",
			`policy fifo: unknown key "quantum_s", expected one of delay_machine_s, delay_rack_s, place, vc`},
		{"sjf", "block=1,place=consolidated", `policy sjf: block is "1", expected true or false` + "\n" +
			`policy sjf: place is "consolidated", expected any, consolidate, lowest, delay; did you mean "consolidate"?`},
		{"fifo", "delay_rack_s=3", `policy fifo: delay_rack_s is given with place=any, expected place=delay`},
		{"easy", "x=1",
			`policy easy: unknown key "x", expected one of by, delay_machine_s, delay_rack_s, fill, order, place; did you mean "by"?`},
		{"conservative", "depth=-1,interval=-2", `policy conservative: depth is "-1", expected a whole number in 0..1000000000` +
			"\n" + `policy conservative: interval is "-2", expected a number in 0..1e+09`},
		{"f2", "backfill=fcfs", `policy f2: backfill is fcfs with hold=false, expected none or easy`},
		{"wfp3", "backfill=easy,hold=true", `policy wfp3: backfill is easy with hold=true, expected none or fcfs`},
		{"f3", "backfill=none,fill=score",
			`policy f3: fill is given with backfill=none, expected backfill=easy: nothing else has an order of backfilling`},
		{"f4", "sort=true",
			`policy f4: unknown key "sort", expected one of backfill, by, delay_machine_s, delay_rack_s, fill, hold, place`},
		{"las", "quantum_s=0", `policy las: quantum_s is "0", expected a number in 1e-06..1e+12`},
		{"las", "starve_s=-1", `policy las: starve_s is "-1", expected a number >= 0 (inf allowed)`},
		{"las", "service=gpu", `policy las: service is "gpu", expected gpu-time, time`},
		{"las", "quantum=3",
			`policy las: unknown key "quantum", expected one of delay_machine_s, delay_rack_s, place, quantum_s, service, starve_s; did you mean "quantum_s"?`},
	} {
		if _, err := constructors[c.name](param.Parse("policy "+c.name, c.params), cluster.BestFit); err == nil ||
			err.Error() != c.want {
			t.Errorf("%s:%s: error %v, want %s", c.name, c.params, err, c.want)
		}
	}
}

func TestDeclaredInformation(t *testing.T) {
	for name, want := range map[string]know.Set{"fifo": 0, "fit-first": 0, "sjf": know.Work,
		"srtf": know.Work,
		"srsf": know.Work, "las": 0, "easy": know.Estimate, "conservative": know.Estimate,
		"wfp3": know.Estimate, "f4": know.Estimate} {
		if got := policy(t, name, "").Knows(); got != want {
			t.Errorf("%s knows %v, expected %v", name, got, want)
		}
	}
}
