package experiments

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarry/catalogue/envs"
	"tarry/catalogue/questions"
	"tarry/catalogue/shipped"
	"tarry/catalogue/simulation"
	"tarry/catalogue/traces"
	"tarry/env"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/experiments/sweep"
	"tarry/sim/param"
)

// windows states how many windows of each part an environment is asked for.
type windows map[schedenv.Part]int

// raise asks for at least n windows of a part.
func (w windows) raise(p schedenv.Part, n any) {
	if v, err := strconv.Atoi(fmt.Sprint(n)); err == nil {
		w[p] = max(w[p], v)
	}
}

// scenarios lists what the settings of learners and of tuned schedulers ask their environments for, by
// the options that decide jobs and cluster. It has the environments of training, of validation and,
// where evaluate has other options, of tests.
func scenarios(t *testing.T, name string) map[string]windows {
	t.Helper()
	out := map[string]windows{}
	of := func(options []string) windows {
		key := strings.Join(slices.DeleteFunc(slices.Sorted(slices.Values(options)), func(o string) bool {
			key, _, _ := strings.Cut(o, "=")
			return !slices.Contains([]string{"cluster", "speed", "workload", "trace", "windows", "warm", "horizon",
				"load", "shares", "gap", "rate", "thin", "batch_jobs", "copies", "scenario"}, key)
		}), ",")
		if out[key] == nil {
			out[key] = windows{}
		}
		return out[key]
	}
	q, err := questions.All().Find(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range q.Specs(sweep.Full) {
		cells, err := s.Cells(shipped.All())
		if err != nil {
			t.Fatal(err)
		}
		for i := range cells {
			set := cells[i].Settings
			_, text, _ := strings.Cut(fmt.Sprint(set["env"]), ":")
			options := param.Split(text)
			w := of(options)
			w.raise(schedenv.Train, set["windows"])
			w.raise(schedenv.Validation, set["validation"])
			w.raise(schedenv.Validation, set["validate_episodes"])
			how, _ := set["evaluate"].(map[string]any)
			other, _ := how["set"].([]any)
			of(exchanged(options, other)).raise(schedenv.Test, how["windows"])
		}
	}
	return out
}

// exchanged puts options over others; one without a value takes an option away.
func exchanged(options []string, over []any) []string {
	out := slices.Clone(options)
	for _, o := range over {
		key, value, _ := strings.Cut(fmt.Sprint(o), "=")
		out = slices.DeleteFunc(out, func(have string) bool { return strings.HasPrefix(have, key+"=") })
		if value != "" {
			out = append(out, fmt.Sprint(o))
		}
	}
	return out
}

// Every setting of the questions that train and tune on windows has as many of them as training,
// validation and measuring ask for, and no window of a test is without jobs.
func TestSettingsHaveWindows(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the windows of every setting at full scale")
	}
	t.Chdir("..")
	for _, name := range []string{"results", "order"} {
		all := scenarios(t, name)
		if len(all) < 8 {
			t.Errorf("%s has %d environments", name, len(all))
		}
		for options, asked := range all {
			set := param.Parse("", options)
			if _, file := scenario.TraceFile(traces.All(), set.Text("trace", "")); file != "" {
				if _, err := os.Stat(file); err != nil {
					t.Logf("%s is left out, its jobs are not there (tarry reproduce %s --data): %v", options, name, err)
					continue
				}
			}
			if err := holds(options, asked); err != nil {
				t.Errorf("%s: %s: %v", name, options, err)
			}
		}
	}
}

// holds checks that an environment with some options has the windows that are asked for.
func holds(options string, asked windows) (err error) {
	e, err := envs.All().Make(simulation.All(), "tarry/DelayTimer-v1:"+options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	on, ok := env.Find[*schedenv.Env](e)
	if !ok {
		return errors.New("no environment of a cluster")
	}
	source := on.Config().Source
	for p, least := range asked {
		n := source.Windows(p)
		if n < least {
			return fmt.Errorf("%d windows of part %s, expected at least %d", n, p, least)
		}
		if w, err := source.Window(p, n-1); err != nil || len(w.Jobs) == 0 {
			return fmt.Errorf("the last window of part %s has %v, %w", p, w, err)
		}
	}
	return nil
}

// Sweeps of a question have names of their own at every scale, and learning ones need no file
// below full scale. A setting that states its GPUs has as many.
func TestSweepsOfLearners(t *testing.T) {
	gpus := regexp.MustCompile(`-(64|512)-`)
	for _, name := range []string{"results", "order", "logs"} {
		q, err := questions.All().Find(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, scale := range sweep.Scales() {
			seen := map[string]bool{}
			for _, s := range q.Specs(scale) {
				if seen[s.Name] {
					t.Errorf("%s: two sweeps are called %s", scale, s.Name)
				}
				seen[s.Name] = true
				cells, err := s.Cells(shipped.All())
				if err != nil {
					t.Fatal(err)
				}
				for i := range cells {
					on := fmt.Sprint(cells[i].Settings["env"])
					if scale != sweep.Full && (strings.Contains(on, "trace=") || strings.Contains(on, "scenario=")) {
						t.Errorf("%s: %s, %s needs a file", scale, s.Name, cells[i].ID)
					}
					if m := gpus.FindStringSubmatch(cells[i].Axes["setting"]); m != nil {
						shape := map[string]string{"64": "2x4x8,", "512": "16x4x8,"}[m[1]]
						if !strings.Contains(on, "="+shape) && !strings.Contains(on, ":"+shape) {
							t.Errorf("%s: %s has another cluster, %s", s.Name, cells[i].ID, on)
						}
					}
				}
			}
		}
	}
}
