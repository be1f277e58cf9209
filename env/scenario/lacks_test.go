package scenario

import (
	"strings"
	"testing"

	"tarry/catalogue/speeds"
	"tarry/catalogue/traces"
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// gavelTrace has a job of the model cut on lines 3 and 5, on GPUs as given.
func gavelTrace(t *testing.T, cut, gpus string) string {
	t.Helper()
	return written(t, "gavel.csv", "job_id,job_type,scale_factor,total_steps,arrival_s\n"+
		"a,ResNet-50 (batch size 64),2,900000,0\nb,"+cut+","+gpus+",900000,40000\n"+
		"c,ResNet-50 (batch size 64),2,900000,80000\nd,"+cut+","+gpus+",900000,120000\n"+
		"e,vgg17,2,900000,160000\n")
}

func setup(t *testing.T, options string) (*Setup, error) {
	t.Helper()
	s := param.Parse("test", options)
	c := Default()
	c.Read(s)
	c.ReadCuts(s)
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return c.Build(Catalogues{Traces: traces.All(), Speeds: speeds.All()})
}

// A trace of which windows are cut is refused where the speed model has no speed of a model, with
// the place of each such model.
func TestWindowsLackModels(t *testing.T) {
	const cut = "ResNet-50atch size 64)"
	for speed, want := range map[string]string{
		"collective": `gavel.csv:3: column "job_type": job "b": unknown model "` + cut + `", did you mean "resnet50"?`,
		"contended":  `gavel.csv:6: column "job_type": job "e": unknown model "vgg17", did you mean "vgg11"?`,
	} {
		_, err := setup(t, "part=train,horizon=1,batch_jobs=1,speed="+speed+",trace=gavel:"+gavelTrace(t, cut, "2"))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "unknown model") != 2 {
			t.Errorf("%s: %v\nexpected %s, and two faults", speed, err, want)
		}
	}
}

// Models count where the speed model needs them: not with a model that stands in, on one GPU, or
// where jobs without one are given one.
func TestCheckModels(t *testing.T) {
	jobs := func(model string, gpus, most int32) *sim.Workload {
		return &sim.Workload{Jobs: []sim.Job{{ID: "j", Model: model, GPUs: gpus, MaxGPUs: most, Work: 1}}}
	}
	places := map[string]string{"mine": "f.csv:2"}
	for _, c := range []struct {
		options string
		w       *sim.Workload
		want    string
	}{
		{"speed=collective", jobs("mine", 2, 0), `f.csv:2: job "j": unknown model "mine"`},
		{"speed=collective", jobs("yours", 2, 0), `job "j": unknown model "yours"`},
		{"speed=collective", jobs("mine", 1, 4), `f.csv:2: job "j": unknown model "mine"`},
		{"speed=collective", jobs("mine", 1, 0), ""},
		{"speed=collective,models=vgg16", jobs("mine", 2, 0), ""},
		{"speed=collective", jobs("", 2, 0), ""},
		{"speed=collective,models=none", jobs("", 2, 0), `job "j": it names no model`},
		{"speed=counting", jobs("mine", 2, 0), ""},
	} {
		s, err := setup(t, c.options)
		if err != nil {
			t.Fatal(err)
		}
		err = s.CheckModels(places, c.w)
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s, %q: %v, expected %q", c.options, c.w.Jobs[0].Model, err, c.want)
		}
	}
}

// The error of unknown models ends, once, with what to do about them, whatever the speed model.
func TestUnknownModelsNameTheWaysOut(t *testing.T) {
	w := &sim.Workload{Jobs: []sim.Job{{ID: "a", Model: "A3C", GPUs: 4, Work: 1}, {ID: "b", Model: "bret", GPUs: 4,
		Work: 1}}}
	table := written(t, "isolated.csv", "job_type,scale_factor,gpu_type,steps_per_s\nbert,4,v100,1\n")
	for speed, want := range map[string][2]string{
		"collective": {`did you mean "bert-large"?`, "(--models NAME)"},
		"contended":  {`did you mean "bert-large"?`, "(--profile FILE.yaml)"},
		"gavel:" + strings.TrimSuffix(table, "/isolated.csv"): {`did you mean "bert"?`, "(--speed gavel:...,model=NAME)"},
	} {
		s, err := setup(t, "speed="+speed)
		if err != nil {
			t.Fatal(err)
		}
		err = s.CheckModels(nil, w)
		if err == nil || !strings.HasSuffix(err.Error(), s.waysOut()) || strings.Count(err.Error(), "ways out") != 1 ||
			!strings.Contains(err.Error(), want[0]) || !strings.Contains(s.waysOut(), want[1]) ||
			!strings.Contains(err.Error(), `"A3C"`) {
			t.Errorf("%s: %v", speed, err)
		}
	}
	for models, want := range map[string]string{"llama2-7": `did you mean "llama2-7b"?`, "pape": `did you mean "paper"?`} {
		if _, err := setup(t, "speed=counting,models="+models); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("models=%s: %v", models, err)
		}
	}
}

// A model that needs more memory than its GPUs have is remarked, and refused where what models need
// is asked for.
func TestModelsThatDoNotFit(t *testing.T) {
	jobs := func(model string, gpus, mib int32) *sim.Workload {
		return &sim.Workload{Jobs: []sim.Job{{ID: "j", Model: model, GPUs: gpus, Work: 1, GPUMiB: mib}}}
	}
	for _, c := range []struct {
		cluster string
		w       *sim.Workload
		want    string
	}{
		{"p3-64", jobs("llama2-70b", 1, 0), `job "j" trains llama2-70b on 1 GPUs, of which each would need 1059278 MiB and has 16384`},
		{"dgx-a100-64", jobs("llama2-70b", 8, 0), "each would need 138341 MiB and has 81920"},
		{"8x1x8", jobs("llama2-70b", 8, 0), "and has 81920"}, // states nothing: as the reference GPU
		{"dgx-a100-64", jobs("llama2-70b", 32, 0), ""}, {"dgx-a100-64", jobs("llama2-70b", 1, 40000), ""},
		{"p3-64", jobs("vgg16", 1, 0), ""}, {"p3-64", jobs("none of these", 1, 0), ""}, {"p3-64", jobs("", 1, 0), ""},
	} {
		s, err := setup(t, "speed=collective,cluster="+c.cluster)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.TooLarge(c.w); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s, %s on %d: %q, want %q", c.cluster, c.w.Jobs[0].Model, c.w.Jobs[0].GPUs, got, c.want)
		}
	}
	s, err := setup(t, "speed=collective,cluster=dgx-a100-64,gpu_profile=catalogue")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Prepare(jobs("llama2-70b", 8, 0), rng.Source{}); err == nil ||
		!strings.Contains(err.Error(), `job "j" needs 139365 MiB of each GPU, and the largest that it may use has 81920`) {
		t.Errorf("with gpu_profile: %v", err)
	}
	if _, _, err := s.Prepare(jobs("llama2-70b", 32, 0), rng.Source{}); err != nil {
		t.Errorf("on 32 GPUs: %v", err)
	}
}
