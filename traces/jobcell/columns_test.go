package jobcell

import (
	"fmt"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// oneOf reads a row of words below a header with a mapping, as "id submit gpus work user|notes".
func oneOf(header, given, cells string) string {
	h, err := Match(strings.Split(header, ","), given)
	if err != nil {
		return err.Error()
	}
	var jobs Jobs
	values := words(strings.Split(cells, ",")...)
	j, faults := jobs.Row(h, func(i int) Value { return values[i] })
	c := intake.New("f", intake.Options{})
	h.Note(c)
	jobs.Note(c)
	j.GPUs = max(j.GPUs, 1)
	out := fmt.Sprint(j.ID, " ", j.Submit.Seconds(), " ", j.GPUs, " ", j.Work.Seconds(), " ", j.User)
	if len(faults) > 0 {
		out += fmt.Sprint(" ", faults)
	}
	if err := c.Keep(row0(), sim.Job{ID: "a", GPUs: 1, Work: 1}); err != nil {
		return err.Error()
	}
	_, report, err := c.Finish("f", intake.AsWritten)
	if err != nil {
		return err.Error()
	}
	return strings.Join(append([]string{out}, report.Notes...), "|")
}

// Names are read in upper and lower case, times with any unit or none, and other columns as mapped.
func TestNamesOfColumns(t *testing.T) {
	const bare = `|column %q has no unit in its name: numbers in it are seconds`
	for _, c := range []struct{ header, given, cells, want string }{
		{"ID,Submit_S,GPUs,Work_s,User", "", "a,1,2,3,u", "a 1 2 3 u"},
		{"Id,submit,gpus,duration", "", "a,1,2,3", "a 1 2 6 " + fmt.Sprintf(bare+bare, "submit", "duration")},
		{"id,submit_ms,gpus,duration_h", "", "a,1500,2,0.5", "a 1.5 2 3600 "},
		{"id,submitNs,gpus,duration (min)", "", "a,1500000000,1,1.5", "a 1.5 1 90 "},
		{"id,submit_days,gpus,work_seconds", "", "a,2,1,7", "a 172800 1 7 "},
		{"n,start,num gpu,len_min,who", "id=n,submit=start,gpus=num gpu,duration=len_min,user=who", "a,9,2,3,u",
			"a 9 2 360 u" + fmt.Sprintf(bare, "start")},
		{"n,t,g,w", `id=n,submit_us=t,gpus=g,work_h=w`, "a,5000000,2,1", "a 5 2 3600 "},
		{"id,submit_s,gpus,work_s,job_status,note", "job_status=-", "a,1,2,3,x,y",
			`a 1 2 3 |column "note" is no column of jobs and not read; --trace-columns OWN=NAME would read it`},
		{"id,submit_s,gpus,cores,work_s,a,b", "gpus=cores", "a,1,2,3,4,5,6", `a 1 3 4 |columns "gpus", "a", "b" are no ` +
			`columns of jobs and not read; --trace-columns OWN=NAME would read one`},
		{"id,submit_s,gpus,work_s,duration_s", "duration_s=-", "a,1,2,3,4", "a 1 2 3 "},
		{"index,submit_s,gpus,work_s", "id=index", "a,1,2,3", "a 1 2 3 "},
		{"id,submit_s,gpus,work_s", "", "a,1709280000123,2,3", "a 1.709280000123e+09 2 3 |wall-clock times that are " +
			"numbers too large for seconds are read as milliseconds since 1970; a length of time beside them is in " +
			"the unit of its column's name"},
		{"id,submit_s,gpus,work_s", "", "a,1709280000123456789,2,3", "a 1.709280000123457e+09 2 3 |wall-clock times " +
			"that are numbers too large for seconds are read as nanoseconds since 1970; a length of time beside them " +
			"is in the unit of its column's name"},
		{"id,submit_s,gpus,work_s", "gpsu=x", "a,1,2,3", `trace_columns: unknown column "gpsu", expected one of id, ` +
			`submit_s, gpus, min_gpus, max_gpus, worker_gpus, work_s, duration_s, iterations, iter_s, batch_size, model, ` +
			`user, group, vc, gpu_type, state, request_s, deadline_s, share_milli, cpu_milli, mem_mib, gpu_mem_mib, ` +
			`gpu_util_frac, priority, log_start_s, log_machines, drawn, drawn_bits (tarry list columns); did ` +
			`you mean "gpus"?`},
		{"id,submit_s,num_gpu,work_s", "gpus=num_gpus", "a,1,2,3", `trace_columns: the table has no column "num_gpus", ` +
			`expected one of id,submit_s,num_gpu,work_s; did you mean "num_gpu"?`},
		{"id,submit_s,gpus,work_s", "submit=submit_s,submit_us=id", "a,1,2,3", `trace_columns: submit and submit_us are ` +
			`one column, expected one of them`},
		{"id,submit_s,gpus,work_s", "user=id,model=id", "a,1,2,3", `trace_columns: column "id" is given for user and ` +
			`model, expected one of them`},
		{"id,submit_s,gpus,work_s", "gpus=", "a,1,2,3", `trace_columns: nothing after gpus=, expected the name of a ` +
			`column of the file, or - to leave the column gpus out`},
	} {
		if got := oneOf(c.header, c.given, c.cells); got != c.want {
			t.Errorf("%s with %q gives\n%s\nexpected\n%s", c.header, c.given, got, c.want)
		}
	}
}

func row0() *tabular.Row { return tabular.NewRow("f", 1, 1, nil, nil) }
