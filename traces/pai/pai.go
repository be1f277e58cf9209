// Package pai reads Alibaba's PAI trace of 2020 (Weng et al., "MLaaS in the wild",
// NSDI 2022): the job, task and instance tables, published without headers.
//
//	pai_job_table.csv       job_name,inst_id,user,status,start_time,end_time
//	pai_task_table.csv      job_name,task_name,inst_num,status,start_time,end_time,
//	                        plan_cpu,plan_mem,plan_gpu,gpu_type
//	pai_instance_table.csv  job_name,task_name,inst_name,worker_name,inst_id,status,
//	                        start_time,end_time,machine
//
// Give the folder, or the job table with the others beside it. Each may be
// compressed and end in .gz or .zst. The instance table is optional.
//
// A job's demand is the sum over its tasks with GPUs of inst_num x plan_gpu, which is
// in hundredths of a GPU, rounded up; a single instance with a part of one GPU keeps
// that share. The job table's start_time is the submit. The run goes from the first
// start to the last end of the instances of the GPU tasks, or of these tasks
// themselves when there is no instance table.
//
// The tables are joined by streaming: memory grows with the jobs that have GPU
// tasks (some 100 bytes each), not with the instances.
package pai

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// Read reads the tables in the folder at path, or the job table at path and its siblings.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	folder := path
	jobs := ""
	if info, err := os.Stat(path); err != nil {
		return nil, nil, err
	} else if !info.IsDir() {
		folder, jobs = filepath.Dir(path), path
	}
	if jobs == "" {
		found, err := find(folder, "pai_job_table")
		if err != nil {
			return nil, nil, err
		}
		jobs = found
	}
	tasks, err := find(folder, "pai_task_table")
	if err != nil {
		return nil, nil, err
	}
	instances, _ := find(folder, "pai_instance_table") // optional
	return join(jobs, tasks, instances, opt)
}

// find gives the table's file under one of its usual names.
func find(folder, table string) (string, error) {
	for _, end := range []string{".csv", ".csv.gz", ".csv.zst"} {
		p := filepath.Join(folder, table+end)
		if _, err := os.Stat(p); err == nil {
			return p, nil
		}
	}
	return "", fmt.Errorf("%s: no %s.csv here, plain, .gz or .zst; expected the job and the task table in one folder",
		folder, table)
}

func join(jobs, tasks, instances string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	c := intake.New(jobs, opt)
	t := tables{c: c, demands: map[string]*demand{}}
	if err := t.table(tasks, taskColumns(), t.task); err != nil {
		return nil, nil, err
	}
	runSource := "task table"
	if instances != "" {
		runSource = "instance table"
		if err := t.table(instances, instanceColumns(), t.instance); err != nil {
			return nil, nil, err
		}
	}
	if err := t.table(jobs, jobColumns(), t.job); err != nil {
		return nil, nil, err
	}
	if t.rounded > 0 {
		c.Note("%d jobs have several instances on parts of GPUs: their demand is rounded up to whole GPUs", t.rounded)
	}
	if t.types > 0 {
		c.Note("%d jobs have tasks on different GPU types: taken as any type", t.types)
	}
	return c.Finish("pai", intake.FromFirst,
		origin.Origin{Field: "gpus", Source: "sum of inst_num x plan_gpu / 100 over the tasks with GPUs, rounded up"},
		origin.Origin{Field: "work", Source: "(last end - first start in the " + runSource +
			") x GPUs, a share as a part of one: the traced run is taken to be without communication cost"},
		origin.Origin{Field: "cpu and memory",
			Source: "plan_cpu and plan_mem of the tasks with GPUs, divided by the GPUs"})
}

// table reads one file, whether or not it starts with a header of the known names.
func (t *tables) table(path string, columns []string, each func(*tabular.Row) error) error {
	f, err := tabular.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return t.parse(path, f, columns, each)
}

func (t *tables) parse(name string, r io.Reader, columns []string, each func(*tabular.Row) error) error {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return err
	}
	defer in.Close()
	rows := tabular.NewReader(name, in)
	rows.SetColumns(columns)
	if headed(in, columns) {
		if err := rows.Header(columns...); err != nil {
			return err
		}
	}
	return intake.Rows(rows, each)
}

// headed reports whether the first line has the name of a column: then its columns may stand in any
// order, and others beside them.
func headed(in *tabular.Stream, columns []string) bool {
	head, _ := in.Peek(1 << 12)
	line, _, _ := strings.Cut(strings.TrimLeft(string(head), " \r\n"), "\n")
	for field := range strings.SplitSeq(line, ",") {
		field = strings.Trim(field, "\" \t\r")
		if slices.ContainsFunc(columns, func(c string) bool { return strings.EqualFold(c, field) }) {
			return true
		}
	}
	return false
}

func jobColumns() []string {
	return []string{"job_name", "inst_id", "user", "status", "start_time", "end_time"}
}

func taskColumns() []string {
	return []string{"job_name", "task_name", "inst_num", "status", "start_time", "end_time", "plan_cpu", "plan_mem",
		"plan_gpu", "gpu_type"}
}

func instanceColumns() []string {
	return []string{"job_name", "task_name", "inst_name", "worker_name", "inst_id", "status", "start_time", "end_time",
		"machine"}
}
