package simtest

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
)

// Scripts runs every *.txt file of a folder. A file is a scenario, a line "----", and the
// transcript expected; with update the transcripts are rewritten instead, for review. policies
// resolves a policy's name and its parameters. The scenario has one statement a line:
//
//	# a comment; a script begins with why it is there
//	cluster 1x2x4                       racks x machines x GPUs
//	cost start=1 checkpoint=2 restore=1 in seconds; also migrate=, rescale=, renew=; all optional
//	job NAME submit=0 gpus=4 run=10     run time in seconds; also share= (thousandths), estimate=, deadline= (a time),
//	                                    min=, max= and worker= (GPUs of an elastic job)
//	fail at=5 machine=0 [gpu=1]         and: repair at=8 machine=0 [gpu=1]
//	epochs 10 1 0.5 0.25                each job's epochs of 10 s of work on a GPU have these speeds, the last until its end
//	marks 1                             ends and epochs fall on multiples of 1 s
//	at 5 resize NAME 0-3,6              a decision after the policy's; also migrate NAME GPUS, lift NAME, preempt NAME
//	until 100
//	run POLICY [PARAMS]                 may be repeated
func Scripts(t *testing.T, dir string, update bool, policies func(name, params string) (sim.Policy, error)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s (error %v)", dir, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			scenario, want, _ := strings.Cut(string(text), "----\n")
			got, err := runScript(file, scenario, policies)
			switch {
			case err != nil:
				t.Fatal(err)
			case update:
				if err := os.WriteFile(file, []byte(scenario+"----\n"+got), 0o644); err != nil {
					t.Fatal(err)
				}
			case got != want:
				t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
			}
		})
	}
}

// scene is a scenario as far as it has been read.
type scene struct {
	top   *cluster.Topology
	jobs  []sim.Job
	est   map[string]sim.Time // estimated run time by name
	costs sim.Costs
	fails outage.Schedule
	hands []byHand
	until sim.Time
	speed sim.SpeedModel // nil = Counting
	marks sim.Time
	out   strings.Builder
}

func runScript(file, text string, policies func(name, params string) (sim.Policy, error)) (string, error) {
	s := &scene{est: map[string]sim.Time{}}
	for i, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if err := s.statement(words, policies); err != nil {
			return "", fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
	return s.out.String(), nil
}

func (s *scene) statement(words []string, policies func(name, params string) (sim.Policy, error)) error {
	kind, args := words[0], words[1:]
	switch {
	case kind == "cluster" && len(args) == 1:
		r, m, g, err := cluster.ParseDims(args[0])
		if err == nil {
			s.top, err = cluster.New(cluster.Uniform(r, m, g, 1))
		}
		return err
	case kind == "cost":
		f, err := fields(args, "start", "checkpoint", "restore", "migrate", "rescale", "renew")
		cost := func(name string) sim.Cost { return sim.Cost{FixedS: f[name]} }
		s.costs = sim.Costs{Start: cost("start"), Checkpoint: cost("checkpoint"), Restore: cost("restore"),
			Migrate: cost("migrate"), Rescale: cost("rescale"), Renew: cost("renew")}
		return err
	case kind == "job" && len(args) > 0:
		f, err := fields(args[1:], "submit", "gpus", "run", "share", "estimate", "deadline", "min", "max", "worker")
		g := max(f["gpus"], 1)
		s.jobs = append(s.jobs, sim.Job{ID: args[0], Submit: sim.Seconds(f["submit"]), GPUs: int32(g),
			MinGPUs: int32(f["min"]), MaxGPUs: int32(f["max"]), WorkerGPUs: int32(f["worker"]),
			ShareMilli: int32(f["share"]), Work: sim.Seconds(f["run"] * g), Deadline: sim.Seconds(f["deadline"])})
		if x, ok := f["estimate"]; ok {
			s.est[args[0]] = sim.Seconds(x * g)
		}
		return err
	case kind == "fail" || kind == "repair":
		f, err := fields(args, "at", "machine", "gpu")
		o := sim.Outage{At: sim.Seconds(f["at"]), Machine: int32(f["machine"]), GPU: -1, Up: kind == "repair"}
		if g, ok := f["gpu"]; ok {
			o.GPU = int32(g)
		}
		s.fails = append(s.fails, o)
		return err
	case kind == "at":
		h, err := parseHand(args)
		s.hands = append(s.hands, h)
		return err
	case kind == "epochs" && len(args) > 1:
		m, err := parseEpochs(args)
		s.speed = m
		return err
	case kind == "marks" && len(args) == 1:
		x, err := strconv.ParseFloat(args[0], 64)
		s.marks = sim.Seconds(x)
		return err
	case kind == "until" && len(args) == 1:
		x, err := strconv.ParseFloat(args[0], 64)
		s.until = sim.Seconds(x)
		return err
	case kind == "run" && (len(args) == 1 || len(args) == 2):
		p, err := policies(args[0], strings.Join(args[1:], ""))
		if err != nil {
			return err
		}
		fmt.Fprintf(&s.out, "%s\n", strings.Join(args, " "))
		return s.run(p)
	}
	return fmt.Errorf("%q: expected cluster, cost, job, fail, repair, at, epochs, marks, until or run with their "+
		"arguments", strings.Join(words, " "))
}

// fields reads key=number words; every key must be among names.
func fields(words []string, names ...string) (map[string]float64, error) {
	f := map[string]float64{}
next:
	for _, w := range words {
		k, v, _ := strings.Cut(w, "=")
		for _, n := range names {
			if k == n {
				x, err := strconv.ParseFloat(v, 64)
				if err != nil {
					return f, fmt.Errorf("%s is %q, expected a number", k, v)
				}
				f[k] = x
				continue next
			}
		}
		return f, fmt.Errorf("%q: expected %s=", w, strings.Join(names, "=, "))
	}
	return f, nil
}

// run writes what happens to the transcript, and audits it.
func (s *scene) run(p sim.Policy) error {
	w, err := sim.NewWorkload("script", append([]sim.Job(nil), s.jobs...))
	if err != nil {
		return err
	}
	cfg := sim.Config{Workload: w, Topology: s.top, Speed: Counting{}, Costs: s.costs, Until: s.until,
		MarkEvery: s.marks, Check: true,
		Estimate: func(j sim.JobID) sim.Time {
			if x, ok := s.est[w.Jobs[j].ID]; ok {
				return x
			}
			return w.Jobs[j].Work
		}}
	if s.speed != nil {
		cfg.Speed = s.speed
	}
	if len(s.fails) > 0 {
		cfg.Outages = s.fails.Source()
	}
	a := NewAudit(w, s.top)
	h := &handed{Policy: p, w: w, by: slices.Clone(s.hands)}
	slices.SortStableFunc(h.by, func(a, b byHand) int { return cmp.Compare(a.at, b.at) })
	if len(h.by) > 0 {
		p = h
	}
	e, err := sim.Run(context.Background(), cfg, p, &transcript{w: w, out: &s.out}, a)
	if err != nil {
		return err
	}
	if h.done < len(h.by) {
		return fmt.Errorf("the run ended before %v, when %v of %q was to be decided", h.by[h.done].at,
			h.by[h.done].kind, h.by[h.done].job)
	}
	return a.Close(e)
}

// transcript writes allocations and ends as they are reported.
type transcript struct {
	w   *sim.Workload
	out *strings.Builder
}

func (t *transcript) Interval(i *sim.Interval) {
	fmt.Fprintf(t.out, "  %6s %-8s %v-%v on %s, ran %v\n", i.End, t.w.Jobs[i.Job].ID+" "+i.Reason.String(), i.Start,
		i.End, ranges(i.GPUs), i.Run)
}

func (t *transcript) Job(r *sim.Record) {
	switch r.State {
	case sim.Rejected:
		fmt.Fprintf(t.out, "  %6s %s is rejected after %v\n", r.End, t.w.Jobs[r.Job].ID, r.End-t.w.Jobs[r.Job].Submit)
		return
	case sim.Done:
	default:
		fmt.Fprintf(t.out, "  %6s %s is %v\n", "", t.w.Jobs[r.Job].ID, r.State)
		return
	}
	fmt.Fprintf(t.out, "  %6s %s took %v: queue %v, run %v, overhead %v\n", r.End, t.w.Jobs[r.Job].ID,
		r.End-t.w.Jobs[r.Job].Submit, r.Queue, r.Run, r.Overhead)
}

func (t *transcript) Instant(*sim.Gauge) {}

// ranges writes 0-3,5 for 0 1 2 3 5.
func ranges(gpus []cluster.GPU) string {
	s := ""
	for i := 0; i < len(gpus); i++ {
		from := i
		for i+1 < len(gpus) && gpus[i+1] == gpus[i]+1 {
			i++
		}
		if s != "" {
			s += ","
		}
		if s += fmt.Sprint(gpus[from]); i > from {
			s += fmt.Sprintf("-%d", gpus[i])
		}
	}
	return s
}
