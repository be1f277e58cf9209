package scenario

import (
	"fmt"
	"strings"
	"testing"

	"tarry/catalogue/speeds"
	"tarry/catalogue/traces"
	"tarry/sim"
	"tarry/sim/entry"
	"tarry/sim/param"
	"tarry/sim/speed"
)

// Types of gpu_speed match the cluster's without case; others are errors with the nearest
// name, and so are models that nothing has.
func TestSpeedsOfNamesThatNothingHas(t *testing.T) {
	racks := "racks: [{machines: [{gpus: 1, type: H100}, {gpus: 1, type: v100}]}]\n"
	for _, c := range []struct{ speeds, want string }{
		{"gpu_speed: {h100: 3, V100: 1}", ""},
		{"gpu_speed: {H10: 3, v100: 1}",
			`gpu_speed.H10: the cluster has no GPUs of this type, expected one of H100, v100; did you mean "H100"?`},
		{"gpu_speed: {H100: 3, h100: 2}", "gpu_speed.h100: the type is named twice"},
		{"gpu_speed: {H100: {other: 3, vgg6: 2}}", `gpu_speed: unknown model "vgg6", did you mean "vgg16"?`},
		{"gpu_speed: {H100: {other: 3, VGG-16: 2}}", ""},
		{"gpu_speed: {H100: {other: 3, OURS: 2}}", ""}, // a job's own
	} {
		s := param.Parse("test", "cluster="+written(t, "lab.yaml", racks+c.speeds+"\n")+",speed=counting")
		sc := Default()
		sc.Read(s)
		made, err := sc.Build(Catalogues{Speeds: speeds.All()})
		if err == nil {
			err = made.CheckSpeeds(map[string]bool{"ours": true})
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.speeds, err, c.want)
		}
	}
}

// Windows check the models of gpu_speed by themselves, for environments have no runs: a job's own
// model is known from the trace.
func TestSpeedsOfWindows(t *testing.T) {
	racks := "racks: [{machines: [{gpus: 1, type: H100}, {gpus: 1, type: v100}]}]\n"
	rows := "submit_s,gpus,work_s,model\n0,1,100,vgg16\n"
	for i := range 40 {
		rows += fmt.Sprintf("%d,1,100,ours\n", 60*(1+i))
	}
	jobs := written(t, "jobs.csv", rows)
	for _, c := range []struct{ cuts, speeds, want string }{
		{"workload=demo,load=0.5", "gpu_speed: {H100: {other: 3, vgg6: 2}}",
			`unknown model "vgg6", did you mean "vgg16"?`},
		{"workload=demo,load=0.5", "gpu_speed: {H100: {other: 3, vgg16: 2}}", ""},
		{"workload=demo,load=0.5", "gpu_speed: {H100: {other: 3, ours: 2}}", `unknown model "ours"`},
		{"trace=" + jobs + ",gap=0,warm=0,horizon=1,lease_s=60,shares=50:25:25",
			"gpu_speed: {H100: {other: 3, Ours: 2}}", ""},
		{"trace=" + jobs + ",gap=0,warm=0,horizon=1,lease_s=60,shares=50:25:25",
			"gpu_speed: {H100: {other: 3, oursss: 2}}", `unknown model "oursss"`},
	} {
		s := param.Parse("test", "cluster="+written(t, "lab.yaml",
			racks+c.speeds+"\n")+",speed=counting,part=train,"+c.cuts)
		sc := Default()
		sc.Read(s)
		sc.ReadCuts(s)
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
		_, err := sc.Build(Catalogues{Speeds: speeds.All(), Traces: traces.All()})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: error %v, want %q", c.cuts, c.speeds, err, c.want)
		}
	}
}

// A type without a speed, among others, is remarked upon.
func TestTypesWithoutASpeedAreNoted(t *testing.T) {
	for file, want := range map[string]string{
		"racks: [{machines: [{gpus: 1, type: a}, {gpus: 1, type: b}]}]\ngpu_speed: {a: 2}\n": "gpu " +
			"types: no gpu_speed is given for b: as fast as the " +
			"reference type",
		"racks: [{machines: [{gpus: 1, type: a}, {gpus: 1, type: b}]}]\ngpu_speed: {a: 2, b: 1}\n": "",
		"racks: [{machines: [{gpus: 1, type: a}]}]\n":                                              "",
		"racks: [{machines: [{gpus: 1, type: a}, {gpus: 1}]}]\n": "gpu types: no gpu_speed is given for a: as " +
			"fast as the " +
			"reference type",
	} {
		s := param.Parse("test", "cluster="+written(t, "lab.yaml", file)+",speed=counting")
		sc := Default()
		sc.Read(s)
		made, err := sc.Build(Catalogues{Speeds: speeds.All()})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(made.Notes, "; "); got != want {
			t.Errorf("%q: notes %q, want %q", file, got, want)
		}
	}
}

// A model that was measured on one type of GPUs states that gpu_speed does not reach it.
func TestOneTypeIsNoted(t *testing.T) {
	one := entry.Speeds{{Name: "one", OneType: true, New: func(*param.Set, entry.SpeedEnv) (sim.SpeedModel,
		error) {
		return speed.NewCounting(nil, nil), nil
	}}}
	for speeds, want := range map[string]string{
		"gpu_speed: {a: 2, b: 1}": "gpu types: one was measured on one type, and gpu_speed does " +
			"not change it: a, b are equally fast",
		"gpu_speed: {a: {other: 2, vgg16: 3}, b: 1}": "", // by model the clock of a GPU is set outside
	} {
		s := param.Parse("test", "cluster="+written(t, "lab.yaml", "racks: [{machines: [{gpus: 1, type: a}, {gpus: "+
			"1, type: b}]}]\n"+speeds+"\n")+",speed=one")
		sc := Default()
		sc.Read(s)
		made, err := sc.Build(Catalogues{Speeds: one})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(made.Notes, "; "); got != want {
			t.Errorf("%s: notes %q, want %q", speeds, got, want)
		}
	}
}
