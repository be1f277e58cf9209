package traces_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"tarry/catalogue/traces"
	"tarry/sim/entry"
	"tarry/sim/tabular"
	"tarry/traces/tracetest"
)

// TestCases reads the inputs that users reported, in place: jobs as "id submit gpus work user vc;",
// what is left out and noted behind "|", or the error.
func TestCases(t *testing.T) {
	for _, c := range []struct{ format, file, want string }{
		{"swf", "01-swf-float-unknown/log.swf", "1 0 1 88.5 - -;2 5.5 2 200 3 2;|the job shows no run time"},
		{"artistsim", "02-artistsim-start-time/list.json", "1 0 4 100 - -;2 314 4 100 - -;3 590 4 100 - -;|3 of 3 " +
			"jobs have no arrival_time: start_time is taken as their submit"},
		{"parquet", "04-parquet-int64/int64.parquet", "a 0 1 100 - -;b 1 2 400 - -;"},
		{"parquet", "04-parquet-int64/intid.parquet", "1 0 1 100 - -;2 1 2 400 - -;"},
		{"parquet", "04-parquet-int64/floatwork.parquet", "a 0 1 150 - -;b 1 2 600 - -;"},
		{"parquet", "05-parquet-pandas-index/filtered.parquet",
			`16 jobs|column "__index_level_0__" is taken as the row numbers of a data frame and not read`},
		{"parquet", "05-parquet-pandas-index/nomodel.parquet", "20 jobs"},
		{"parquet", "05-parquet-pandas-index/own.parquet", "20 jobs"},
		{"parquet", "06-parquet-encodings/bss.parquet", "a 0 1 100 - -;b 1 2 400 - -;"},
		{"parquet", "06-parquet-encodings/lz4.parquet", "a 0 1 100 - -;b 1 2 400 - -;"},
		{"parquet", "06-parquet-encodings/twice.parquet", `error column "id" appears twice`},
		{"philly", "07-philly-first-attempt/log.json", "application_1_0001 0 2 7200 u1 v1;application_1_0004 30 1 " +
			"3000 u1 v1;application_1_0002 90 1 600 u2 v1;|the job was still running at the end of the log: no " +
			"attempt has an end"},
		{"gavel", "08-gavel-msr/msr.trace", "0 0 1 17465.832657 - -;1 6 2 309.09 - -;"},
		{"acme", "09-acme/seren.csv", "5778001 0 8 936 u01 Other;5778002 336 8 21544 u01 Pretrain;5778004 698 32 345600 " +
			"u03 Pretrain;|the job asks for no GPU|times are in the zone +08:00"},
		{"acme", "09-acme/kalos.csv", "dlcaaaa 0 64 512 uf1 Other;dlcbbbb 1664 64 4480 uf1 Other;|times are in the zone " +
			"+00:00|2 of 2 jobs have another duration than end_time - start_time, which is taken; 2 of them end_time - " +
			"submit_time, with the wait"},
		{"deepshare", "13-deepshare-json/trace0", "0 0 8 212.790887 - -;1 0 2 0.077218 - -;2 0 2 0.077218 - -;"},
		{"swf", "12-swf-dialects/extra.swf", "0 0 64 3584704 62 -;1 548 12 13971564 101 -;|2 lines have more than 18 " +
			"fields, up to 21: those behind the 18 are not read"},
		{"swf", "12-swf-dialects/short.swf", "1 0 4 200 - -;2 5 4 200 - -;|2 lines have less than 18 fields: those " +
			"missing at their end are taken as unknown"},
		{"batsim", "11-batsim/batsim.json", "1 0 2 200 - -;|profiles of type parallel_homogeneous need the speed of a " +
			"host: batsim:FILE,speed=1Gf"},
		{"openb", "14-openb-running/pods.csv", "p0 0 1 12902960 - -;p1 100 1 230 - -;|1 of 2 pods were still " +
			"Running when the trace ends: their runs are cut there, which is a lower bound"},
		{"slurm", "10-sacct/sacct.txt", "1001 0 2 14400 ua gpu;1002_4 600 1 86420 ub gpu;1003 3600 16 144000 ua gpu;" +
			"|the job was pending when the log was written|the job asks for no GPU|the job never ran" +
			"|2 rows of steps (.batch, .extern, .0) are parts of their jobs and not read" +
			"|1 rows of array elements that never ran stand for 5 jobs" +
			"|1 jobs have several runs (requeued, preempted or resized): their work is the sum of all" +
			"|at most 19 GPUs of these jobs were in use at once"},
		{"csv", "16-own-csv-undocumented/a.csv",
			`1 0 1 20 - -;|column "note" is no column of jobs and not read; --trace-columns OWN=NAME would read it`},
		{"csv", "16-own-csv-undocumented/index.csv",
			`a 0 1 100 - -;|column "" is taken as the row numbers of a data frame and not read`},
		{"csv", "16-own-csv-undocumented/slurm.csv", "1 0 1 86420 - -;"},
	} {
		t.Run(c.file, func(t *testing.T) {
			path := tracetest.Case(t, c.file)
			w, report, err := traces.All().Open(c.format+":"+path, entry.TraceOptions{})
			got := ""
			switch {
			case err != nil:
				got = "error " + strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(err.Error(), path), ":1"),
					": ")
			case len(w.Jobs) > 9:
				got = fmt.Sprintf("%d jobs", len(w.Jobs))
			default:
				for _, j := range w.Jobs {
					got += fmt.Sprintf("%s %s %d %s %s %s;", j.ID, tabular.FormatMicros(int64(j.Submit)), j.GPUs,
						tabular.FormatMicros(int64(j.Work)), cmp.Or(j.User, "-"), cmp.Or(j.VC, "-"))
				}
			}
			if err == nil {
				for _, d := range report.Dropped {
					got += "|" + d.Text
				}
				got += strings.Join(append([]string{""}, report.Notes...), "|")
			}
			if got != c.want && !(err != nil && strings.HasPrefix(got, c.want)) {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
