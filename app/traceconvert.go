package app

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/sim"
	"tarry/sim/rng"
	"tarry/traces"
	"tarry/traces/deadline"
	"tarry/traces/elastic"
	"tarry/traces/transform"
)

func (from program) traceConvertCommand() *cli.Command {
	return &cli.Command{
		Name:  "convert",
		Usage: "read a workload, change it, and write it as tarry's CSV, JSON lines or Parquet",
		UsageText: "tarry trace convert --trace philly:philly.csv --out philly.parquet\n" +
			"tarry trace convert --from 0 --to 604800 --scale 2 --models paper --trace philly:philly.csv --out " +
			"week.csv.gz",
		Description: "The changes are made in the order of the flags below.",
		Flags: append(sourceFlags(),
			jobsOutFlag(),
			&cli.StringSliceFlag{Name: "vc", Usage: "keep the jobs of virtual cluster `NAME`; repeatable"},
			&cli.StringSliceFlag{Name: "state", Usage: "keep the jobs that ended as `NAME` in the trace; repeatable"},
			&cli.IntFlag{Name: "min-gpus", Usage: "keep the jobs that ask for at least `N` GPUs"},
			&cli.IntFlag{Name: "max-gpus", Usage: "keep the jobs that ask for at most `N` GPUs; 0 = no bound"},
			&cli.Float64Flag{Name: "from", Usage: "keep the jobs submitted from `SECONDS` on; that becomes time zero"},
			&cli.Float64Flag{Name: "to", Usage: "keep the jobs submitted before `SECONDS`; 0 = to the end"},
			&cli.IntFlag{Name: "sample", Usage: "keep `N` jobs drawn at random"},
			&cli.Float64Flag{Name: "scale", Usage: "multiply the arrival rate by `FACTOR`"},
			&cli.StringFlag{Name: "models", Usage: "`RULE` for jobs without a model: paper (its six, equally likely)"},
			settingFlag("elastic"),
			settingFlag("deadlines"),
			&cli.IntFlag{Name: "users", Usage: "share jobs without a user out to `N` users"}),
		OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			args, err := arguments(c, "trace", "out")
			if err != nil {
				return err
			}
			w, err := from.openTrace(c, args[0], 0)
			if err != nil {
				return err
			}
			if w, err = change(c, w); err != nil {
				return usageError{err}
			}
			if err := traces.Write(args[1], w); err != nil {
				return err
			}
			note(c, "%s: %d jobs", args[1], len(w.Jobs))
			return nil
		},
	}
}

// change applies the transformations that the flags ask for.
func change(c *cli.Context, w *sim.Workload) (*sim.Workload, error) {
	src := rng.Source{Seed: c.Uint64("seed")}
	steps := []struct {
		flags string
		do    func(*sim.Workload) (*sim.Workload, error)
	}{
		{"vc state min-gpus max-gpus", func(w *sim.Workload) (*sim.Workload, error) {
			return transform.Filter(w, transform.Criteria{VCs: c.StringSlice("vc"), States: c.StringSlice("state"),
				MinGPUs: int32(c.Int("min-gpus")), MaxGPUs: int32(c.Int("max-gpus"))})
		}},
		{"from to", func(w *sim.Workload) (*sim.Workload, error) {
			from, until := c.Float64("from"), c.Float64("to")
			if !(from >= 0 && until >= 0) {
				return nil, fmt.Errorf("window from %v to %v, expected seconds >= 0", from, until)
			}
			to := sim.Seconds(until)
			if until == 0 {
				_, last := w.Span()
				to = last + 1
			}
			return transform.Window(w, sim.Seconds(from), to, true)
		}},
		{"sample", func(w *sim.Workload) (*sim.Workload, error) {
			return transform.Sample(w, c.Int("sample"), src.Stream("sample"))
		}},
		{"scale", func(w *sim.Workload) (*sim.Workload, error) { return transform.Rescale(w, c.Float64("scale")) }},
		{"models", func(w *sim.Workload) (*sim.Workload, error) {
			if rule := c.String("models"); rule != "paper" {
				return nil, fmt.Errorf("%q, expected paper", rule)
			}
			return transform.Attach(w, transform.Naming{Models: transform.PaperModels()}, src)
		}},
		{"elastic", func(w *sim.Workload) (*sim.Workload, error) {
			rule, err := elastic.Parse(c.String("elastic"))
			if err != nil {
				return nil, err
			}
			return rule.Apply(w, src)
		}},
		{"deadlines", func(w *sim.Workload) (*sim.Workload, error) {
			law, err := deadline.Parse(c.String("deadlines"))
			if err != nil || law == nil {
				return w, err
			}
			return law.Apply(w, src)
		}},
		{"users", func(w *sim.Workload) (*sim.Workload, error) {
			return transform.Attach(w, transform.Naming{Users: c.Int("users")}, src)
		}},
	}
	for _, s := range steps {
		for _, flag := range strings.Fields(s.flags) {
			if !c.IsSet(flag) {
				continue
			}
			var err error
			if w, err = s.do(w); err != nil {
				return nil, fmt.Errorf("--%s: %w", flag, err)
			}
			break
		}
	}
	return w, nil
}
