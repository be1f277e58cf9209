package queueing_test

import (
	"fmt"
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

func TestConformance(t *testing.T) {
	for name := range constructors {
		t.Run(name, func(t *testing.T) {
			o := simtest.Options{Laws: simtest.AllLaws}
			params := ""
			if name == "las" {
				params = "quantum_s=4,starve_s=50"
				o.Scaled = func(k int64) sim.Policy {
					return policy(t, name,
						fmt.Sprintf("quantum_s=%d,starve_s=%d", 4*k, 50*k))
				}
			}
			switch name {
			case "unicep", "f1", "f2", "f3", "f4": // their scores weigh a time against a number
				o.Laws &^= simtest.ScaleTimes
			}
			simtest.Policy(t, func() sim.Policy { return policy(t, name, params) }, o)
		})
	}
}

// With settings that block or that have a rule of places.
func TestConformanceOfSettings(t *testing.T) {
	for _, c := range []struct {
		name, params string
		o            simtest.Options
	}{
		{"fifo", "place=consolidate", simtest.Options{}},
		{"fit-first", "place=consolidate", simtest.Options{}},
		{"fifo", "place=delay,delay_machine_s=3,delay_rack_s=2", simtest.Options{}},
		{"fit-first", "place=delay,delay_machine_s=5,delay_rack_s=inf", simtest.Options{}},
		{"srtf", "place=delay,delay_machine_s=2,delay_rack_s=3", simtest.Options{}},
		{"gittins", "place=consolidate", simtest.Options{}},
		{"las", "place=consolidate,quantum_s=3", simtest.Options{}},
		{"las", "place=delay,delay_machine_s=2,quantum_s=3", simtest.Options{}},
		{"qssf", "place=delay,delay_machine_s=2,delay_rack_s=9", simtest.Options{}},
		{"easy", "place=consolidate", simtest.Options{}},
		{"easy", "place=delay,delay_machine_s=4,delay_rack_s=4", simtest.Options{}},
		{"conservative", "place=consolidate", simtest.Options{}},
		{"conservative", "place=lowest,by=request", simtest.Options{}},
		{"conservative", "place=delay,delay_machine_s=4,delay_rack_s=4", simtest.Options{}},
		{"conservative", "depth=2", simtest.Options{}},
		{"conservative", "depth=1,interval=5", simtest.Options{}},
		{"conservative", "interval=9,by=request", simtest.Options{}},
		{"conservative", "depth=3,interval=4,place=consolidate", simtest.Options{}},
		{"wfp3", "backfill=easy,place=consolidate", simtest.Options{}},
		{"f1", "hold=true,backfill=fcfs,place=delay,delay_machine_s=3", simtest.Options{}},
		{"picked", "order=sjf,backfill=fcfs,place=consolidate", simtest.Options{}},
		{"sjf", "block=true", simtest.Options{}},
		{"sjf", "by=estimate", simtest.Options{}},
		{"srtf", "by=left,margin=0.5", simtest.Options{}},
		{"srsf", "by=gittins", simtest.Options{}},
		{"gittins", "per=gpu-time,margin=1", simtest.Options{}},
		{"qssf", "block=false", simtest.Options{}},
		{"sjf", "block=true,place=consolidate", simtest.Options{}},
		{"picked", "order=sjf", simtest.Options{}},
		{"picked", "order=f1,backfill=fcfs", simtest.Options{}},
		{"picked", "order=wfp3,backfill=fcfs", simtest.Options{}},
		{"picked", "order=unicep,backfill=fcfs", simtest.Options{}},
		{"wfp3", "backfill=easy", simtest.Options{}},
		{"unicep", "backfill=easy,fill=score,by=request", simtest.Options{}},
		{"f2", "backfill=easy,fill=shortest", simtest.Options{}},
		{"f3", "hold=true,backfill=fcfs", simtest.Options{}},
		{"easy", "fill=shortest", simtest.Options{}},
		{"easy", "order=wfp3,by=request", simtest.Options{}},
		{"srtf", "place=consolidate", simtest.Options{}},
	} {
		t.Run(c.name+":"+c.params, func(t *testing.T) {
			simtest.Policy(t, func() sim.Policy { return policy(t, c.name, c.params) }, c.o)
		})
	}
}
