package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tarry/experiments/engine"
	"tarry/experiments/sweep"
)

// fakeSlurm answers Slurm's commands from a table of elements.
type fakeSlurm struct {
	t        *testing.T
	size     int // MaxArraySize
	next     int
	elements map[element]*queued
	order    []element
	calls    []string
	// refuse is sbatch's error at its n-th call, from 1; nil = it takes all.
	refuse  func(n int) error
	offered int
	// deaf is how many further calls of squeue fail.
	deaf int
	// own elements are put back by Slurm itself just before the order to do so.
	own map[string]bool
}

func newFakeSlurm(t *testing.T) *fakeSlurm {
	return &fakeSlurm{t: t, size: 1001, next: 100, elements: map[element]*queued{}}
}

// option reads an option of a batch script.
func option(script []byte, key string) string {
	_, rest, _ := strings.Cut(string(script), "#SBATCH --"+key+"=")
	value, _, _ := strings.Cut(rest, "\n")
	return value
}

func (f *fakeSlurm) run(ctx context.Context, name string, args ...string) (string, error) {
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if name != "squeue" && !slices.Equal(args, []string{"show", "config"}) {
		f.calls = append(f.calls, name+" "+strings.Join(args, " "))
	}
	switch {
	case name == "sbatch":
		if f.offered++; f.refuse != nil {
			if err := f.refuse(f.offered); err != nil {
				return "", err
			}
		}
		script, err := os.ReadFile(args[1])
		if err != nil {
			f.t.Fatal(err)
		}
		array, _, _ := strings.Cut(option(script, "array"), "%")
		tasks, err := engine.ParseRanges(array)
		if err != nil {
			f.t.Fatal(err)
		}
		f.next++
		for _, task := range tasks {
			e := element{strconv.Itoa(f.next), task}
			f.elements[e] = &queued{name: option(script, "job-name"), state: "PENDING", reason: "Priority"}
			f.order = append(f.order, e)
		}
		return fmt.Sprintf("%d;cluster\n", f.next), nil
	case name == "squeue":
		if f.deaf > 0 {
			f.deaf--
			return "", errors.New("squeue: Unable to contact slurm controller")
		}
		var names string
		for _, a := range args {
			if n, ok := strings.CutPrefix(a, "--name="); ok {
				names = "," + n + ","
			}
		}
		var b strings.Builder
		for _, e := range f.order {
			if q := f.elements[e]; q != nil && strings.Contains(names, ","+q.name+",") {
				fmt.Fprintf(&b, "%s|%d|%s|%s|%s|%s|%s\n", e.job, e.task, q.name, q.state, clockText(q.used),
					clockText(q.limit), q.reason)
			}
		}
		return b.String(), nil
	case args[0] == "show":
		return fmt.Sprintf("MaxArraySize            = %d\n", f.size), nil
	case args[0] == "requeue":
		for e, q := range f.elements {
			if e.String() == args[1] && q != nil {
				q.state, q.reason = "PENDING", "BeginTime"
				if f.own[args[1]] {
					return "", errors.New("scontrol: Requested operation is presently disabled")
				}
				return "", nil
			}
		}
		return "", errors.New("scontrol: Invalid job id specified")
	case name == "scancel":
		for e, q := range f.elements {
			if slices.Contains(args, e.job) && !q.over() {
				q.state = "CANCELLED"
			}
		}
		return "", nil
	}
	f.t.Fatalf("unexpected %s %v", name, args)
	return "", nil
}

// clockText writes a duration as squeue does.
func clockText(d time.Duration) string {
	if d == 0 {
		return "UNLIMITED"
	}
	return fmt.Sprintf("%d:%02d", d/time.Minute, d%time.Minute/time.Second)
}

// set changes what the queue states; "" forgets the element.
func (f *fakeSlurm) set(e, state, reason string) {
	for x := range f.elements {
		if x.String() == e {
			if state == "" {
				delete(f.elements, x)
			} else {
				f.elements[x].state, f.elements[x].reason = state, reason
			}
			return
		}
	}
	f.t.Fatalf("no element %s", e)
}

// bench is a run over a fakeSlurm in a folder of its own.
type bench struct {
	t      *testing.T
	dir    string
	slurm  *fakeSlurm
	status map[int]sweep.Status
	events []string
	log    bytes.Buffer
	cells  []int
	option map[string]string
	retry  int
	clock  time.Duration
	sum    string // of the sweep
}

func newBench(t *testing.T, cells ...int) *bench {
	b := &bench{t: t, dir: t.TempDir(), slurm: newFakeSlurm(t), status: map[int]sweep.Status{}, cells: cells,
		option: map[string]string{}}
	if err := os.Mkdir(filepath.Join(b.dir, "slurm"), 0o777); err != nil {
		t.Fatal(err)
	}
	return b
}

// set writes a STATUS.
func (b *bench) set(cell int, state sweep.State, exit int) {
	b.status[cell] = sweep.Status{State: state, Exit: exit, Attempts: 1}
}

// run calls the engine; before look number i (from 1) step(i) is called.
func (b *bench) run(step func(i int)) error {
	b.t.Helper()
	opt, err := parseSlurmOptions(b.option, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	if opt.name == "" {
		opt.name = "tarry-demo"
	}
	var pending []int
	for _, c := range b.cells {
		if s := b.status[c]; !s.Over(b.retry) {
			pending = append(pending, c)
		}
	}
	rec, err := readSlurmRecord(b.dir)
	if err != nil {
		b.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	i := 0
	j := &engine.Job{Dir: b.dir, Folder: &sweep.Folder{Spec: sweep.Spec{Name: "demo"}, SHA256: b.sum},
		Pending: pending, Worker: []string{"tarry", "sweep", "worker"}, Log: &b.log,
		Retries: b.retry, Clock: func() time.Duration { return b.clock }, Watch: func(e engine.Event) {
			text := fmt.Sprintf("%d %s", e.Index, e.State)
			b.events = append(b.events, text)
		}}
	r := &slurmRun{j: j, opt: &opt, cli: slurmClient{b.slurm.run}, rec: rec, work: "/work dir",
		open: map[int]*watched{}, fresh: map[int]bool{}, noted: map[string]bool{},
		id: func(i int) string { return fmt.Sprintf("seed=%d", i) },
		status: func(i int) sweep.Status {
			if s, ok := b.status[i]; ok {
				return s
			}
			return sweep.Status{State: sweep.Waiting}
		},
		mark:    func(i int, s sweep.Status) error { b.status[i] = s; return nil },
		seconds: func(i int) float64 { return float64(10 * (i + 1)) },
		pause: func(ctx context.Context, d time.Duration) bool {
			b.clock += d
			if i++; i > 60 {
				b.t.Errorf("no end after %d looks", i)
				stop()
			} else if step != nil {
				step(i)
			}
			return ctx.Err() == nil
		}}
	return r.all(ctx)
}

// want compares what was called with what is expected; the folder is written DIR.
func (b *bench) want(what string, got []string, want ...string) {
	b.t.Helper()
	for i := range got {
		got[i] = strings.ReplaceAll(got[i], b.dir, "DIR")
	}
	if !slices.Equal(got, want) {
		b.t.Errorf("%s:\n%s\nexpected:\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
