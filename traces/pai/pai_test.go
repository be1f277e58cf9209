package pai

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const (
	jobs = "j1,i1,uA,Terminated,1000.0,5000.0\n" +
		"j2,i2,uB,Terminated,900.0,5000.0\n" +
		"j3,i3,uB,Failed,1100,1200\n" +
		"j4,i4,uB,Running,1200,\n" +
		"j5,i5,uB,Waiting,,\n" +
		"j6,i6,uB,Terminated,1300,1400\n"
	tasks = "j1,worker,2,Terminated,1010,5000,600,29.296875,150,V100\n" +
		"j1,ps,1,Terminated,1005,5000,600,29.0,,CPU\n" +
		"j2,tensorflow,1,Terminated,910,960,400,16,25,MISC\n" +
		"j3,a,1,Failed,1110,1200,400,16,100,T4\n" +
		"j3,b,3,Failed,1100,1190,400,16,50,P100\n" +
		"j4,a,1,Running,1210,,400,16,100,T4\n" +
		"j5,a,1,Waiting,,,400,16,100,T4\n" +
		"j6,ps,1,Terminated,1310,1400,400,16,,CPU\n"
	instances = "j1,worker,n1,w1,i1,Terminated,1100,4900,m1\n" +
		"j1,worker,n2,w2,i1,Terminated,1110,4990,m2\n" +
		"j1,ps,n3,w3,i1,Terminated,1000,5990,m2\n" +
		"j9,ps,n3,w3,i1,Terminated,1000,5990,m2\n"
)

// separator joins the three tables into one text for the suites, which read one stream.
const separator = "\n%%\n"

// parse writes the parts of the text as the tables of a folder and reads that.
func parse(dir func() string) intake.Parse {
	return func(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
		text, err := io.ReadAll(r)
		if err != nil {
			return nil, nil, err
		}
		d := dir()
		parts := strings.SplitN(string(text), separator, 3)
		for i, table := range []string{"pai_job_table.csv", "pai_task_table.csv", "pai_instance_table.csv"} {
			if i < len(parts) {
				if err := os.WriteFile(filepath.Join(d, table), []byte(parts[i]), 0o600); err != nil {
					return nil, nil, err
				}
			}
		}
		w, report, err := Read(d, opt)
		if err != nil {
			err = shortError{strings.ReplaceAll(err.Error(), d+string(filepath.Separator), ""), d}
		}
		return w, report, err
	}
}

// shortError leaves the folder out, which has another name in every run.
type shortError struct{ text, dir string }

func (e shortError) Error() string { return strings.ReplaceAll(e.text, e.dir, "DIR") }

func TestJoin(t *testing.T) {
	read := parse(t.TempDir)
	w, report, err := read("", strings.NewReader(jobs+separator+tasks+separator+instances),
		intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []sim.Job{
		// A quarter of one GPU; no instances: the task's own run.
		{ID: "j2", User: "uB", State: "Terminated", GPUs: 1, ShareMilli: 250, CPUMilli: 4000, MemMiB: 16384,
			GPUType: "MISC", Work: 50 * sim.Second / 4},
		// Two workers on 1.5 GPUs each; instances of the worker only.
		{ID: "j1", User: "uA", State: "Terminated", GPUs: 3, CPUMilli: 4000, MemMiB: 20000, GPUType: "V100",
			Submit: 100 * sim.Second, Work: 3 * 3890 * sim.Second},
		// 1 + 3 x 0.5 GPUs, rounded up; two types.
		{ID: "j3", User: "uB", State: "Failed", GPUs: 3, CPUMilli: 5333, MemMiB: 21845, Submit: 200 * sim.Second,
			Work: 3 * 100 * sim.Second},
	}
	for i := range want {
		if w.Jobs[i] != want[i] {
			t.Errorf("got %+v, want %+v", w.Jobs[i], want[i])
		}
	}
	if report.Rows != 6 || report.Kept != 3 || len(report.Dropped) != 3 || len(report.Notes) != 2 {
		t.Errorf("%v", report)
	}
}

func TestFilesOfThePublishedForms(t *testing.T) {
	want, _, err := parse(t.TempDir)("", strings.NewReader(jobs+separator+tasks), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// With headers, compressed, one CRLF; opened through the job table.
	header := strings.Join(jobColumns(), ",") + "\r\n"
	write("pai_job_table.csv.gz", tracetest.Gzip(t, header+strings.ReplaceAll(jobs, "\n", "\r\n")))
	write("pai_task_table.csv.zst", tracetest.Zstd(t, "\xef\xbb\xbf"+strings.Join(taskColumns(), ",")+"\n"+tasks))
	got, _, err := Read(filepath.Join(dir, "pai_job_table.csv.gz"), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if got.Hash() != want.Hash() {
		t.Error("the jobs differ from those of the plain tables")
	}
	if _, _, err := Read(filepath.Join(dir, "absent"), intake.Options{}); !os.IsNotExist(err) {
		t.Errorf("an absent path gives the error %v", err)
	}
}

func TestWrong(t *testing.T) {
	in := func(table, old, new string) string {
		parts := map[string]string{"job": jobs, "task": tasks, "instance": instances}
		if !strings.Contains(parts[table], old) {
			t.Fatalf("%q is not in the %s table", old, table)
		}
		parts[table] = strings.Replace(parts[table], old, new, 1)
		return parts["job"] + separator + parts["task"] + separator + parts["instance"]
	}
	tracetest.TestWrong(t, parse(t.TempDir), []tracetest.Wrong{
		{"no task table", jobs,
			`DIR: no pai_task_table.csv here, plain, .gz or .zst; expected the job and the task table in one folder`},
		{"empty tables", separator, `pai_job_table.csv: no job can be kept: it holds no rows`},
		{"no tasks", jobs + separator,
			`pai_job_table.csv: no job can be kept of 6 rows: 6 dropped: the job has no task with a GPU (pai_job_table.csv:1)`},
		{"negative GPUs", in("task", ",150,", ",-150,"),
			`pai_task_table.csv:1: column "plan_gpu" is "-150", expected a number >= 0`},
		{"infinite GPUs", in("task", ",150,", ",inf,"),
			`pai_task_table.csv:1: column "plan_gpu" is "inf", expected a number >= 0`},
		{"no instances", in("task", "worker,2,", "worker,0,"),
			`pai_task_table.csv:1: column "inst_num" is "0", expected a whole number from 1 to 1000000`},
		{"task ends before it starts", in("task", "1010,5000", "1010,500"),
			`pai_task_table.csv:1: column "end_time" is "500", expected seconds not before start_time 1010`},
		{"cpu in words", in("task", ",600,29.296875", ",six,29.296875"),
			`pai_task_table.csv:1: column "plan_cpu" is "six", expected a number >= 0`},
		{"short task", in("task", ",V100\n", "\n"), `pai_task_table.csv:1: 9 fields, expected 10`},
		{"negative submit", in("job", "1000.0", "-1000.0"),
			`pai_job_table.csv:1: column "start_time" is "-1000.0", expected seconds >= 0`},
		{"submit in words", in("job", "1000.0", "Monday"),
			`pai_job_table.csv:1: column "start_time" is "Monday", expected seconds >= 0`},
		{"job twice", in("job", "j3,", "j1,"), `pai_job_table.csv:3: job id "j1" appears twice, expected unique ids`},
		{"instance ends before it starts", in("instance", "1100,4900", "1100,49"),
			`pai_instance_table.csv:1: column "end_time" is "49", expected seconds not before start_time 1100`},
		{"instance in words", in("instance", "1100,", "x,"),
			`pai_instance_table.csv:1: column "start_time" is "x", expected seconds >= 0`},
		{"short instance", in("instance", ",m1\n", "\n"), `pai_instance_table.csv:1: 8 fields, expected 9`},
		{"too many GPUs", in("task", ",150,", ",150000000,"),
			`pai_job_table.csv:1: the job asks for 1000001 GPUs, expected 1 to 1000000`},
	})
}

func FuzzParse(f *testing.F) {
	dir := f.TempDir()
	tracetest.Fuzz(f, parse(func() string { return dir }), jobs+separator+tasks,
		jobs+separator+tasks+separator+instances, separator)
}

// Tables with a header have their columns in any order and case, and others beside them; names that
// stand for a missing value are unknown.
func TestHeaders(t *testing.T) {
	const head = "job_name,inst_id,user,status,start_time,end_time\n"
	const tasksHead = "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type\n"
	read := func(text string) *sim.Workload {
		t.Helper()
		w, _, err := parse(t.TempDir)("", strings.NewReader(text), intake.Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	want := read("j1,i1,u,Failed,10,90\n" + separator + "j1,w,2,Failed,20,80,600,29,100,T4\n").Hash()
	for name, text := range map[string]string{
		"headers": head + "j1,i1,u,Failed,10,90\n" + separator + tasksHead + "j1,w,2,Failed,20,80,600,29,100,T4\n",
		"another order, row numbers": ",STATUS,user,inst_id,job_name,start_time,end_time\n0,Failed,u,i1,j1,10.0,90.0\n" +
			separator + "gpu_type,plan_gpu,plan_mem,plan_cpu,end_time,start_time,status,inst_num,task_name,job_name\n" +
			"T4,100.0,29.0,600.0,80.0,20.0,Failed,2.0,w,j1\n",
		"quoted": strings.ReplaceAll(head, "inst_id", `"inst_id"`) + "\"j1\",i1,u,Failed,10,90\n" + separator +
			"j1,w,2,Failed,20,80,600,29,100,\"T4\"\n",
	} {
		if read(text).Hash() != want {
			t.Errorf("%s: the jobs differ from the published form's", name)
		}
	}
	w := read("j1,i1,NaN,nan,10,90\n" + separator + "j1,w,2,Failed,20,80,600,29,100,None\n")
	if j := w.Jobs[0]; j.User != "" || j.State != "" || j.GPUType != "" {
		t.Errorf("missing values became names: %+v", j)
	}
	_, _, err := parse(t.TempDir)("", strings.NewReader("job_name,user,status\nj1,u,Failed\n"+separator+
		"j1,w,2,Failed,20,80,600,29,100,T4\n"), intake.Options{})
	if err == nil || !strings.Contains(err.Error(), `pai_job_table.csv:1: column "inst_id" is missing`) {
		t.Errorf("a header without columns that are needed gives %v", err)
	}
}
