package scenario

import (
	"strings"
	"testing"

	"tarry/catalogue/speeds"
	"tarry/catalogue/traces"
	"tarry/sim"
	"tarry/sim/param"
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
