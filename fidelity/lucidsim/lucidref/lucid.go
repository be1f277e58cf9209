// Package lucidref compares with the simulator of Lucid without profiling and sharing. A folder
// holds files
//
//	LIST__RxG__POLICY.csv   job, num_gpu, submit_s, start_s, end_s, duration_s, jct_s, queue_s, preemptions
//	summary.csv             policy, jobs, mean_jct_s, mean_queue_s, last_end_s, p99_jct_s, preemptions (lucidsummary.go)
//
// of R machines of G GPUs. LIST.csv (job, num_gpu, submit_s, duration_s) may stand in the folder
// or where the shared data has it; without it the jobs are from the file itself. First start,
// end, completion time, waiting time and number of preemptions must be equal in every row, and
// what a row states of its job must be what the list states. qssf is with exact predictions.
package lucidref

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tarry/fidelity/reference"
	"tarry/sim"
	"tarry/sim/cluster"
)

var lucidFile = regexp.MustCompile(`^(.+)__([0-9]{1,4})x([0-9]{1,2})__([^_]+)\.csv$`)

// lucidPolicy is a scheduler of that simulator in tarry's words. More is by how many seconds its
// jobs run longer than they state: it looks whether a job is done before it counts the second. It
// demotes above 18000 GPU-seconds, tarry at the bound, hence the microsecond.
type lucidPolicy struct {
	spec string
	more float64
}

func lucidPolicies(name string) (lucidPolicy, bool) {
	switch name {
	case "fifo":
		return lucidPolicy{"fifo:place=consolidate", 0}, true
	case "sjf":
		return lucidPolicy{"sjf:block=true,place=consolidate", 0}, true
	case "qssf":
		return lucidPolicy{"lucid-qssf:place=consolidate", 0}, true
	case "srtf":
		return lucidPolicy{"srtf-sim:ties=waiting-first,penalty=40/60,place=consolidate", 1}, true
	case "tiresias":
		return lucidPolicy{"tiresias-sim:queues=18000.000001,promote=0,inside=submitted,ties=waiting-first,service=held," +
			"every_s=60,penalty=40/60,place=consolidate", 1}, true
	}
	return lucidPolicy{}, false
}

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Reader{Name: "lucid", Variants: []string{"lucid-qssf", "srtf-sim", "tiresias-sim"},
		Knows: isLucid, Compare: compareLucid}
}

// outcome gathers how a folder compares.
type outcome struct{ reference.Outcome }

func isLucid(f *reference.Folder) bool { return slices.ContainsFunc(f.Files, lucidFile.MatchString) }

func compareLucid(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := outcome{reference.Outcome{Unit: "s"}}
	var done []lucidDone
	for _, name := range f.Files {
		m := lucidFile.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		if _, ok := lucidPolicies(strings.ToLower(m[4])); !ok {
			o.Leave("jobs", name, 0, "the scheduler "+m[4]+" is not among fifo, sjf, qssf, srtf and tiresias")
			continue
		}
		got, err := o.lucidRun(ctx, f, name, m)
		if err != nil {
			o.Short = append(o.Short, fmt.Sprintf("%s: %v", name, err))
			continue
		}
		done = append(done, lucidDone{m[1], strings.ToLower(m[4]), got})
	}
	if slices.Contains(f.Files, lucidSummary) {
		if err := o.lucidMeans(f, done); err != nil {
			o.Short = append(o.Short, err.Error())
		}
	}
	return o.Outcome, ctx.Err()
}

// lucidRun runs one file's jobs and compares the rows. m is the file's name, list, machines, GPUs
// and policy.
func (o *outcome) lucidRun(ctx context.Context, f *reference.Folder, name string,
	m []string) (map[string]reference.Life, error) {
	want, err := reference.ReadRows(filepath.Join(f.Dir, name), "job", "num_gpu", "submit_s", "start_s", "end_s",
		"duration_s",
		"jct_s", "queue_s", "preemptions")
	if err != nil {
		return nil, err
	}
	agree, worst, apart := 0, 0.0, ""
	defer func() { o.Many("jobs", name, agree, len(want.Cells)) }()
	p, _ := lucidPolicies(strings.ToLower(m[4]))
	list := want
	if path, err := f.Find(m[1]+".csv", "traces/lucid"); err == nil {
		if list, err = reference.ReadRows(path, "job", "num_gpu", "submit_s", "duration_s"); err != nil {
			return nil, err
		}
	}
	if err := sameJobs(want, list); err != nil {
		return nil, err
	}
	got, err := simulateLucid(ctx, f, list, m, p)
	if err != nil {
		return nil, err
	}
	if agree, worst, apart, err = lucidRows(want, got); err != nil {
		return nil, err
	}
	o.Worst = max(o.Worst, worst)
	if agree < len(want.Cells) || len(got) != len(want.Cells) {
		o.Short = append(o.Short, fmt.Sprintf("%s: %d of %d jobs agree (%d simulated), worst %.3g s%s", name, agree,
			len(want.Cells), len(got), worst, apart))
	}
	return got, nil
}

// sameJobs reports an error where the rows of results differ from the list of jobs.
func sameJobs(want, list *reference.Rows) error {
	at := map[string]int{}
	for i := range list.Cells {
		at[list.Text(i, "job")] = i
	}
	for i := range want.Cells {
		k, ok := at[want.Text(i, "job")]
		if !ok {
			return fmt.Errorf("%s: row %d: job %s is not in %s", want.File, i+1, want.Text(i, "job"), list.File)
		}
		for _, c := range [...]string{"num_gpu", "submit_s", "duration_s"} {
			x, err1 := want.Number(i, c)
			y, err2 := list.Number(k, c)
			if err := errors.Join(err1, err2); err != nil {
				return err
			}
			if x != y {
				return fmt.Errorf("%s: row %d: %s of job %s is %v, expected %v as in %s", want.File, i+1, c,
					want.Text(i, "job"), x, y, list.File)
			}
		}
	}
	return nil
}

func simulateLucid(ctx context.Context, f *reference.Folder, list *reference.Rows, m []string,
	p lucidPolicy) (map[string]reference.Life, error) {
	machines, err1 := strconv.Atoi(m[2])
	gpus, err2 := strconv.Atoi(m[3])
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	top, err := cluster.New(cluster.Uniform(1, machines, gpus, 1))
	if err != nil {
		return nil, err
	}
	jobs := make([]sim.Job, 0, len(list.Cells))
	for i := range list.Cells {
		n, err1 := list.Number(i, "num_gpu")
		submit, err2 := list.Number(i, "submit_s")
		run, err3 := list.Number(i, "duration_s")
		if err := errors.Join(err1, err2, err3); err != nil {
			return nil, err
		}
		if n != math.Trunc(n) || n < 1 || n > 1e6 || !(submit >= 0 && submit <= 1e12) || !(run >= 0 && run <= 1e12) {
			return nil, fmt.Errorf("%s: row %d: %v GPUs, submit %v s, duration %v s, expected 1..1e6 GPUs and "+
				"0..1e12 s", list.File, i+1, n, submit, run)
		}
		// Jobs submitted together stand in the order of the file.
		jobs = append(jobs, sim.Job{ID: fmt.Sprintf("%09d", i), GPUs: int32(n), Submit: sim.Seconds(submit),
			Work: sim.Time(n) * sim.Seconds(run+p.more)})
	}
	w, err := sim.NewWorkload(m[1], jobs)
	if err != nil {
		return nil, err
	}
	lives, err := f.Play(ctx, w, top, p.spec, nil)
	if err != nil {
		return nil, err
	}
	out := make(map[string]reference.Life, len(lives))
	for i := range list.Cells {
		out[list.Text(i, "job")] = lives[fmt.Sprintf("%09d", i)]
	}
	return out, nil
}

// lucidRows counts the rows that are equal. apart names the first in time that is not.
func lucidRows(want *reference.Rows, got map[string]reference.Life) (agree int, worst float64, apart string,
	err error) {
	first := math.Inf(1)
	for i := range want.Cells {
		var x [5]float64
		for k, c := range [...]string{"start_s", "end_s", "queue_s", "preemptions", "jct_s"} {
			if x[k], err = want.Number(i, c); err != nil {
				return 0, 0, "", err
			}
		}
		g, ok := got[want.Text(i, "job")]
		if !ok || math.IsNaN(g.End) {
			g = reference.Life{Start: math.Inf(1), End: math.Inf(1), Queue: math.Inf(1)}
		}
		d := max(math.Abs(g.Start-x[0]), math.Abs(g.End-x[1]), math.Abs(g.Queue-x[2]), math.Abs(g.End-g.Submit-x[4]))
		worst = max(worst, d)
		if d == 0 && g.Preemptions == int(x[3]) {
			agree++
			continue
		}
		at := x[1]
		if g.Start != x[0] {
			at = min(x[0], g.Start)
		}
		if at < first {
			first = at
			apart = fmt.Sprintf(", first job %s: start %v, end %v, queue %v s, %d preemptions, there %v, %v, %v s, "+
				"%v, completion time %v s", want.Text(i, "job"),
				g.Start, g.End, g.Queue, g.Preemptions, x[0], x[1], x[2], x[3], x[4])
		}
	}
	return agree, worst, apart, nil
}
