package app

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"tarry/experiments/engine"
	"tarry/experiments/engine/k8s"
	"tarry/experiments/engine/slurm"
	"tarry/experiments/sweep"
	"tarry/internal/legible"
	"tarry/internal/memory"
	"tarry/sim/param"
)

// engineFlags set how a sweep is run.
func engineFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "the sweep's `DIR`"},
		&cli.StringFlag{Name: "engine", Usage: "`ENGINE`: local (this machine), dir (all hosts that run the same " +
			"command over one folder), slurm, k8s, print (a list of commands)"},
		&cli.StringSliceFlag{Name: "option", Usage: "an option of the engine, `KEY=VALUE` (docs/howto/slurm.md lists " +
			"the options of slurm and k8s); repeatable"},
		&cli.StringFlag{Name: "pack", Usage: "slurm: run `N` cells one after the other in each element of an array, " +
			"or as many as take a time together (10m) by the estimate of --dry-run"},
		&cli.BoolFlag{Name: "no-wait", Usage: "slurm: submit the cells and return without waiting for them"},
		&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "run `N` cells at once, 0 = one per processor; " +
			"never changes a result"},
		&cli.StringFlag{Name: "memory", Usage: "start no cell if the memory of all running cells would exceed " +
			"`SIZE` (8G, 500M); by default the memory that is available, 0 = no bound"},
		&cli.BoolFlag{Name: "isolate", Usage: "local, dir: run every cell in a process of its own"},
		&cli.StringFlag{Name: "host", Usage: "this host's `NAME`, which must differ between hosts that share a folder"},
		&cli.DurationFlag{Name: "stale", Usage: "dir: take over a cell whose host gave no sign of life for `TIME`; " +
			"the same on all hosts", Value: time.Minute},
		progressFlag(),
	}
}

// clusterJobs is the number of cells at once on a cluster by default: the cluster bounds it.
const clusterJobs = 1 << 20

// chosen is an engine with how it is run.
type chosen struct {
	name    string
	run     engine.Engine
	jobs    int
	memory  int64
	isolate bool
	host    string
	stale   time.Duration
	options map[string]string
	places  map[string]param.Place // of the options that the sweep's file gives
	minutes float64
	retries int
}

// chooseEngine resolves the sweep's defaults and the flags, which go before them.
func chooseEngine(c *cli.Context, s *sweep.Spec) (chosen, error) {
	var errs []error
	e := chosen{name: s.Engine.Name, jobs: s.Engine.Jobs, isolate: s.Engine.Isolate, host: c.String("host"),
		stale:   c.Duration("stale"),
		minutes: s.Budget.Minutes, retries: s.Budget.Retries}
	if c.IsSet("engine") || e.name == "" {
		e.name = c.String("engine")
	}
	if e.name == "" {
		e.name = "local"
	}
	engines := map[string]engine.Engine{"local": engine.Local, "dir": engine.Dir, "slurm": slurm.Run, "k8s": k8s.Run,
		"print": engine.Print}
	names := engineNames()
	if e.run = engines[e.name]; e.run == nil {
		errs = append(errs, fmt.Errorf("engine %q: unknown, expected one of %s%s", e.name, strings.Join(names, ", "),
			param.Hint(e.name, names)))
	}
	if c.IsSet("jobs") {
		e.jobs = c.Int("jobs")
	}
	if e.jobs < 0 || e.jobs > 4096 {
		errs = append(errs, fmt.Errorf("--jobs: %d, expected 0..4096", e.jobs))
	}
	if e.jobs == 0 && (e.name == "slurm" || e.name == "k8s") {
		e.jobs = clusterJobs
	} else if e.jobs == 0 {
		e.jobs = runtime.NumCPU()
	}
	text := s.Engine.Memory
	if c.IsSet("memory") {
		text = c.String("memory")
	}
	var err error
	e.memory, err = memoryBound(text)
	e.isolate = e.isolate || c.Bool("isolate")
	if e.host == "" {
		if e.host, _ = os.Hostname(); e.host == "" {
			e.host = "unknown"
		}
	}
	if strings.ContainsAny(e.host, " \n\t/") {
		errs = append(errs, fmt.Errorf("--host: %q, expected a name without blanks and slashes", e.host))
	}
	if e.stale < 100*time.Millisecond {
		errs = append(errs, fmt.Errorf("--stale: %v, expected at least 100ms", e.stale))
	}
	options, bad := engineOptions(c, s)
	e.options = options
	if c.Bool("no-wait") {
		if e.name != "slurm" {
			errs = append(errs, fmt.Errorf("--no-wait: the engine is %s, expected slurm", e.name))
		}
		options["no-wait"] = "true"
	}
	if c.IsSet("pack") {
		if e.name != "slurm" {
			errs = append(errs, fmt.Errorf("--pack: the engine is %s, expected slurm", e.name))
		}
		options["pack"] = c.String("pack")
	}
	if _, given := options["throttle"]; !given && e.name == "slurm" && e.jobs != clusterJobs {
		options["throttle"] = strconv.Itoa(e.jobs)
	}
	e.places = stillFrom(c, s)
	return e, errors.Join(append(errs, err, bad)...)
}

// stillFrom gives the places of the options that the sweep's file gives and no flag replaces.
func stillFrom(c *cli.Context, s *sweep.Spec) map[string]param.Place {
	places := map[string]param.Place{}
	for k, at := range s.Engine.Places {
		if said := slices.ContainsFunc(c.StringSlice("option"),
			func(o string) bool { return strings.HasPrefix(o, k+"=") }); !said &&
			!(c.IsSet(k) && (k == "pack" || k == "no-wait")) {
			places[k] = at
		}
	}
	return places
}

// engineOptions puts the flags' options over the sweep's.
func engineOptions(c *cli.Context, s *sweep.Spec) (map[string]string, error) {
	out := map[string]string{}
	for k, v := range s.Engine.Options {
		out[k] = v
	}
	var errs []error
	said := map[string]bool{}
	for _, o := range c.StringSlice("option") {
		key, value, ok := strings.Cut(o, "=")
		if !ok || key == "" {
			errs = append(errs, fmt.Errorf("--option: %q, expected key=value", o))
			continue
		}
		if said[key] { // lines of a prologue; what takes one line refuses two
			value = out[key] + "\n" + value
		}
		out[key], said[key] = value, true
	}
	return out, errors.Join(errs...)
}

// memoryBound reads a size; "" is what the machine has available.
func memoryBound(text string) (int64, error) {
	if text == "" {
		return memory.Free(), nil
	}
	unit := int64(1)
	digits := strings.TrimRight(strings.ToUpper(text), "IB")
	if digits != "" {
		if k := strings.IndexByte("KMGT", digits[len(digits)-1]); k >= 0 {
			unit, digits = 1<<(10*(k+1)), digits[:len(digits)-1]
		}
	}
	n, err := param.ParseFloat(digits)
	if err != nil || !(n >= 0) || n*float64(unit) > math.MaxInt64/2 {
		return 0, fmt.Errorf("--memory: %q, expected a size such as 8G or 500M", text)
	}
	return int64(n * float64(unit)), nil
}

// job is what the engine is given.
func (e *chosen) job(c *cli.Context, f *sweep.Folder, pending []int) *engine.Job {
	start := time.Now()
	clock := func() time.Duration { return time.Since(start) }
	self, err := os.Executable()
	if err != nil {
		self = "tarry"
	}
	j := &engine.Job{Dir: f.Dir, Folder: f, Pending: slices.Clone(pending), Worker: []string{self, "sweep", "worker"},
		Parallel: min(e.jobs, len(pending)),
		Memory:   e.memory, Retries: e.retries, Isolate: e.isolate, Host: e.host, Options: e.options, Places: e.places,
		Stale: e.stale,
		Work:  sweep.WorkOptions{Version: version()}, Out: legible.Under(c.App.Writer), Log: c.App.ErrWriter,
		Clock: clock}
	if e.minutes > 0 {
		j.Until = time.Duration(e.minutes * float64(time.Minute))
	}
	return j
}

// engineNames lists the engines in the order in which they are shown.
func engineNames() []string { return []string{"local", "dir", "slurm", "k8s", "print"} }
