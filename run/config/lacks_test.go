package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
)

// A model of which the speed model has no speed is refused before the run, with its place in the
// trace, whatever the format; jobs outside the run's windows do not count.
func TestLackingModels(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"gavel:gavel.csv", "job_id,job_type,scale_factor,total_steps,arrival_s\na,ResNet-50 (batch size 64),2,9,0\n" +
			"b,ResNet-50atch size 64),2,9,1\n",
			`gavel.csv:3: column "job_type": job "b": unknown model "ResNet-50atch size 64)", did you mean "resnet50"?`},
		{"csv:jobs.csv", "id,submit_s,gpus,work_s,model\na,0,2,9,vgg6\n",
			`jobs.csv:2: column "model": job "a": unknown model "vgg6", did you mean "vgg16"?`},
		{"tiresias:tiresias.csv", "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n" +
			"1,8,5,133,vgg11,147,23\n2,8,6,133,xyz,147,23\n",
			`tiresias.csv:3: column "model_name": job "2": unknown model "xyz", expected one of alexnet, `},
	} {
		format, name, _ := strings.Cut(c.file, ":")
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		cfg := Default()
		cfg.Trace, cfg.Speed, cfg.Policies = format+":"+path, "collective", []string{"fifo"}
		_, err := Build(cfg, simulation.All())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nexpected %s", c.file, err, c.want)
		}
		if cfg.WindowStarts, cfg.WindowJobs = []int{0}, 1; strings.Count(c.text, "\n") == 3 {
			if _, err := Build(cfg, simulation.All()); err != nil {
				t.Errorf("%s, the first job alone: %v", c.file, err)
			}
		}
	}
}
