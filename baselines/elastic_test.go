package baselines_test

import (
	"testing"

	"tarry/catalogue/schedulers"
	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// elastic is a setting in which a policy of the catalogue changes numbers of GPUs, with the laws
// that are theorems for it there beside the laws of all. tripled is the setting with times three
// times as long.
type elastic struct {
	spec, tripled string
	ids           bool
}

func elastics() []elastic {
	return []elastic{
		{"ones:epoch_s=4,every=0", "", true}, // the network rounds, and features are logarithms
		{"ones:epoch_s=4,every=0,predict=lindy,place=near", "", true},
		{"heet-like:round=3", "heet-like:round=9", true},
		{"themis:lease=24", "themis:lease=72", true},
		{"themis:lease=24,f=0,align=false,payments=false", "themis:lease=72,f=0,align=false,payments=false", true},
		{"slaq:epoch=6,half=20", "", true}, // fits round
		{"optimus:every=6,left=work,speed=oracle", "optimus:every=18,left=work,speed=oracle", true},
		{"optimus:every=6", "", true},                               // fits round
		{"pollux:interval=3,population=12,generations=8", "", true}, // so do these, and restarts have their own time
		{"deepboot:interval=3", "", true},
		{"slaq:epoch=6,by=fair", "slaq:epoch=18,by=fair", true},
		{"heet-like:round=0,order=fifo", "heet-like:round=0,order=fifo", true},
		{"dally-manual:lease=4,shrink=most,yield=largest,grow=idle,grow_to=max",
			"dally-manual:lease=12,shrink=most,yield=largest,grow=idle,grow_to=max", true},
		{"voda:interval=2,check=1", "voda:interval=6,check=3", true},
		{"voda:algorithm=elastic-srjf,interval=0,check=0", "voda:algorithm=elastic-srjf,interval=0,check=0", true},
		{"voda:algorithm=ffdl-optimizer,interval=0,check=0", "voda:algorithm=ffdl-optimizer,interval=0,check=0", true},
		{"sia:interval_s=2,restart_s=3", "sia:interval_s=6,restart_s=9", true},
		{"afs-l", "afs-l", true},
		{"dl2:every=2", "dl2:every=6", true},
		{"dl2:rule=saved,jobs=4", "dl2:rule=saved,jobs=4", true},
		{"decima-like", "decima-like", true},
		{"decima-like:rule=fair,jobs=3", "decima-like:rule=fair,jobs=3", true},
		{"lyra:slot_s=2", "lyra:slot_s=6", true},
		{"lyra:slot_s=0,left=work,base=least", "lyra:slot_s=0,left=work,base=least", true},
		{"afs-p", "afs-p", true},
		{"edl:queue=20,promote=2", "edl:queue=60,promote=2", true},
		{"themis:lease=6", "themis:lease=18", true},
		{"nonintrusive-like:restart_s=3", "nonintrusive-like:restart_s=9", true},
		{"voda:algorithm=elastic-tiresias,interval=1,check=2,queue=6,compact=1",
			"voda:algorithm=elastic-tiresias,interval=3,check=6,queue=18,compact=1", true},
		{"voda:algorithm=afs-l,interval=3", "voda:algorithm=afs-l,interval=9", true},
		{"gadget-like:slot=3,scale=2", "gadget-like:slot=9,scale=6", true},
		{"afs-p:every=2", "afs-p:every=6", true},
	}
}

// fresh gives a function that makes policies by a setting.
func fresh(t *testing.T, spec string) func() sim.Policy {
	t.Helper()
	_, build, err := schedulers.All().Parse(spec, cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	return func() sim.Policy {
		p, err := build()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
}

// Elastic policies keep the laws of simtest.CheckElastic, and every policy of the catalogue the
// laws that hold for all: it never resizes a job that has one number, whatever else it does.
func TestElasticLaws(t *testing.T) {
	for _, e := range elastics() {
		t.Run(e.spec, func(t *testing.T) {
			o := simtest.ElasticLaws{IDs: e.ids}
			if e.tripled != "" {
				scaled := fresh(t, e.tripled)
				o.Times, o.Scaled = true, func(int64) sim.Policy { return scaled() }
			}
			if simtest.CheckElastic(t, fresh(t, e.spec), o) == 0 {
				t.Error("it is listed as elastic, and never resized a job")
			}
		})
	}
	for _, e := range schedulers.All() {
		t.Run(e.Name, func(t *testing.T) {
			simtest.CheckElastic(t, fresh(t, e.Name), simtest.ElasticLaws{Seeds: effort.Of(t, 3, 10)})
		})
	}
}
