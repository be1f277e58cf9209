package philly

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const (
	header = "timestamp,duration,num_gpus,gpu_time,cluster\n"
	sample = header + "2017-10-09 07:01:55,66.0,1,66.0,11cb48\n2017-10-09 " +
		"06:13:03,2951.0,2,5902.0,6214e9\n2017-10-09 06:13:04,1,8,8,6214e9\n"

	logOne = `{"status": "Pass", "vc": "ee9e8c", "jobid": "application_1", "attempts": [
  {"start_time": "2017-10-07 01:36:00", "end_time": "2017-10-07 02:36:00", "detail": [{"ip": "m2", "gpus": ["gpu4", "gpu5"]}, {"ip": "m3", "gpus": ["gpu0"]}]},
  {"start_time": "2017-10-07 02:40:00", "end_time": "2017-10-07 02:41:00", "detail": [{"ip": "m2", "gpus": ["gpu4"]}]}],
 "submitted_time": "2017-10-07 01:35:40", "user": "ce2f4c"}`
	logTwo   = `{"status": "Killed", "vc": "ee9e8c", "jobid": "application_2", "attempts": [{"start_time": "2017-10-07 03:00:00", "end_time": "2017-10-07 03:00:30", "detail": [{"ip": "m1", "gpus": ["gpu1"]}]}], "submitted_time": "2017-10-07 01:36:00", "user": "u"}`
	logThree = `{"status": "Failed", "vc": "v", "jobid": "application_3", "attempts": [{"start_time": "None", "end_time": null, "detail": [{"ip": "m1", "gpus": ["gpu1"]}]}, {"start_time": "2017-10-08 03:00:00", "end_time": "2017-10-08 03:00:30", "detail": []}], "submitted_time": "2017-10-07 01:37:00", "user": "u"}`
	logNever = `{"status": "Killed", "vc": "v", "jobid": "application_4", "attempts": [], "submitted_time": "2017-10-07 01:37:00", "user": "u"}`
	logCPU   = `{"status": "Pass", "vc": "v", "jobid": "application_5", "attempts": [{"start_time": "2017-10-08 03:00:00", "end_time": "2017-10-08 03:00:30", "detail": [{"ip": "m1", "gpus": []}]}], "submitted_time": "2017-10-07 01:37:00", "user": "u"}`
	logZero  = `{"status": "Pass", "vc": "v", "jobid": "application_6", "attempts": [{"start_time": "2017-10-08 03:00:00", "end_time": "2017-10-08 03:00:00", "detail": [{"ip": "m1", "gpus": ["g"]}]}], "submitted_time": "2017-10-07 01:37:00", "user": "u"}`
	logList  = "[\n" + logOne + ",\n" + logTwo + ",\n" + logThree + ",\n" + logNever + ",\n" + logCPU + ",\n" +
		logZero + "\n]\n"
)

func TestFormat(t *testing.T) {
	t.Run("log", func(t *testing.T) {
		tracetest.Test(t, tracetest.Format{Parse: Parse, Sample: logList, Duplicate: "[" + logOne + "," + logTwo +
			"," + logThree + "," + logTwo + "]", Unlisted: 3})
	})
	// The CSV has no ids, so its jobs cannot occur twice: a broken row stands in for
	// the repeated one in the suite of the formats with ids.
	w, r, err := Parse("s", strings.NewReader(sample+"2017-10-09 06:13:04,x,8,8,6214e9\n"+"2017-10-09 06:13:04,1,8,"+
		"8,6214e9\n"), intake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Rows != 5 || r.Kept != 4 || r.Wrong() != 1 || w.Jobs[2].ID != "5" {
		t.Errorf("%v: ids must be the numbers of the data rows, dropped rows counted; third job is %+v", r, w.Jobs[2])
	}
}

func TestDressedCSV(t *testing.T) {
	want, _, err := Parse("s", strings.NewReader(sample), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		strings.ReplaceAll(sample, "\n", "\r\n"), "\xef\xbb\xbf" + sample, strings.ReplaceAll(sample, ",", "\t"),
		string(tracetest.Gzip(t, sample)), string(tracetest.Zstd(t, sample)),
	} {
		got, _, err := Parse("s", strings.NewReader(text), intake.Options{Strict: true})
		if err != nil || got.Hash() != want.Hash() {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	if j := want.Jobs[0]; j.Submit != 0 || j.Work != 5902*sim.Second || j.GPUs != 2 || j.VC != "6214e9" || j.ID != "2" {
		t.Errorf("first job is %+v", j)
	}
}

func TestLogFields(t *testing.T) {
	w, report, err := Parse("s", strings.NewReader(logList), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	tracetest.Records(t, w, "application_1 20s m2*2,m3*1", "application_2 1h24m0s m1*1",
		"application_3 25h23m0s -")
	want := sim.Job{ID: "application_1", User: "ce2f4c", VC: "ee9e8c", State: "Pass", GPUs: 3, Work: (3*3600 + 60) *
		sim.Second}
	if w.Jobs[0] != want {
		t.Errorf("got %+v, want %+v", w.Jobs[0], want)
	}
	if j := w.Jobs[2]; j.GPUs != 1 || j.Work != 30*sim.Second || j.Submit != 80*sim.Second {
		t.Errorf("a job whose first attempt has no times is %+v", j)
	}
	var reasons []string
	for _, d := range report.Dropped {
		reasons = append(reasons, d.Text)
	}
	if !slices.Equal(reasons, []string{neverRan, noGPU, ranZero}) || report.Wrong() != 0 {
		t.Errorf("left out: %v", report)
	}
}

// Attempts are added up with the GPUs of each, and one without an end is still running when the log
// ends.
func TestAttempts(t *testing.T) {
	attempt := func(start, end string, gpus int) string {
		return `{"start_time": "` + start + `", "end_time": "` + end + `", "detail": [{"ip": "m", "gpus": [` +
			strings.TrimSuffix(strings.Repeat(`"g",`, gpus), ",") + `]}]}`
	}
	job := func(id string, attempts ...string) string {
		return `{"status": "Pass", "vc": "v", "jobid": "` + id + `", "attempts": [` + strings.Join(attempts, ",") +
			`], "submitted_time": "2017-10-07 01:00:00", "user": "u"}`
	}
	const zero, ten, twenty, none = "2017-10-07 01:00:00", "2017-10-07 01:10:00", "2017-10-07 01:20:00", "None"
	list := "[" + strings.Join([]string{
		job("second", attempt(none, none, 0), attempt(ten, twenty, 1)),
		job("grows", attempt(zero, ten, 1), attempt(ten, twenty, 4)),
		job("unlisted", attempt(zero, ten, 2), attempt(ten, twenty, 0)),
		job("again", attempt(zero, ten, 2), attempt(twenty, none, 2)),
		job("runs", attempt(twenty, none, 2)), job("never", attempt(none, none, 2)),
	}, ",\n") + "]"
	w, report, err := Parse("s", strings.NewReader(list), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][2]int64{}
	for _, j := range w.Jobs {
		got[j.ID] = [2]int64{int64(j.GPUs), int64(j.Work / sim.Second)}
	}
	if want := map[string][2]int64{"second": {1, 600}, "grows": {1, 3000}, "unlisted": {2, 2400},
		"again": {2, 1200}}; !maps.Equal(got, want) {
		t.Errorf("GPUs and GPU-seconds are %v, expected %v", got, want)
	}
	if len(report.Dropped) != 2 || report.Dropped[0].Text != running || report.Dropped[1].Text != neverRan ||
		len(report.Notes) != 1 || !strings.HasPrefix(report.Notes[0], "1 jobs were in a further attempt") {
		t.Errorf("left out and noted: %v", report)
	}
}

func TestWrong(t *testing.T) {
	row := func(s string) string { return header + s + "\n" }
	in := func(old, new string) string { return "[\n" + strings.Replace(logTwo, old, new, 1) + "]" }
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"empty", "", `f:1: the file is empty, expected a header with the columns timestamp,duration,num_gpus,cluster`},
		{"another CSV", "a,b\n1,2\n", strings.Join([]string{
			`f:1: column "timestamp" is missing, the header has "a,b"`,
			`f:1: column "duration" is missing, the header has "a,b"`,
			`f:1: column "num_gpus" is missing, the header has "a,b"`,
			`f:1: column "cluster" is missing, the header has "a,b"`}, "\n")},
		{"word for a duration", row("2017-10-09 07:01:55,abc,1,66.0,v"),
			`f:2: column "duration" is "abc", expected seconds > 0`},
		{"negative duration", row("2017-10-09 07:01:55,-3,1,66.0,v"),
			`f:2: column "duration" is "-3", expected seconds > 0`},
		{"NaN duration", row("2017-10-09 07:01:55,nan,1,66.0,v"),
			`f:2: column "duration" is "nan", expected seconds > 0`},
		{"no GPUs", row("2017-10-09 07:01:55,3,0,66.0,v"),
			`f:2: column "num_gpus" is "0", expected a whole number from 1 to 1000000`},
		{"no time", row("None,3,1,66.0,v"), `f:2: column "timestamp" is "None", expected a time YYYY-MM-DD hh:mm:ss`},
		{"day 31 of February", row("2017-02-31 07:01:55,3,1,66.0,v"),
			`f:2: column "timestamp" is "2017-02-31 07:01:55", expected a time YYYY-MM-DD hh:mm:ss`},
		{"more fields", row("2017-10-09 07:01:55,3,1,66.0,v,w"), `f:2: 6 fields, expected 5`},
		{"text after a quote", row(`2017-10-09 07:01:55,3,1,66.0,"v"w`),
			`f:2: text after the closing quote of field 5, expected ","`},
		{"not UTF-8", row("2017-10-09 07:01:55,3,1,66.0,\xff"), `f:2: column "cluster" is "\xff", expected UTF-8 text`},
		{"log: ends before it starts", in(`"end_time": "2017-10-07 03:00:30"`, `"end_time": "2017-10-07 02:00:30"`),
			`f:2: column "end_time" is "2017-10-07 02:00:30", expected a time not before the attempt's start 2017-10-07 03:00:00`},
		{"log: broken time", in(`"2017-10-07 03:00:30"`, `"7 Oct"`),
			`f:2: column "end_time" is "7 Oct", expected a time YYYY-MM-DD hh:mm:ss`},
		{"log: no submit", in(`"2017-10-07 01:36:00"`, `null`),
			`f:2: column "submitted_time" is "", expected a time YYYY-MM-DD hh:mm:ss`},
		{"log: attempts of another type", in(`"attempts": [`, `"attempts": 3, "x": [`),
			`f:2: field "attempts" is a number, expected a list`},
		{"log: no id", in(`"application_2"`, `""`), `f:2: the job has no id, expected a name`},
		{"log: cut off", strings.TrimSuffix(logList, "\n]\n"), `f:10: the file ends inside the list: is it cut off?`},
		{"log: nothing ran", "[" + logNever + "]",
			`f: no job can be kept of 1 rows: 1 dropped: the job never ran: no attempt has both a start and an end (f:1)`},
	})
}

func FuzzParse(f *testing.F) {
	tracetest.Fuzz(f, Parse, sample, header, logList, "["+logThree+"]")
}

// The job-level extract: counts and statistics known from elsewhere.
func TestSharedExtract(t *testing.T) {
	w, report, err := Read(tracetest.Shared(t, "philly/philly.csv"), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	runs := make([]float64, len(w.Jobs))
	demand := map[int32]int{}
	var mean, work float64
	for i, j := range w.Jobs {
		runs[i] = j.Work.Seconds() / float64(j.GPUs)
		mean += runs[i] / float64(len(runs))
		work += j.Work.Seconds()
		demand[j.GPUs]++
	}
	slices.Sort(runs)
	_, last := w.Span()
	if len(w.Jobs) != 82_247 || report.Rows != 82_247 || work != 3_521_082_502 || math.Abs(mean-13_136) > 1 {
		t.Errorf("%d jobs, work %.0f GPU-s, mean run %.1f s", len(w.Jobs), work, mean)
	}
	if n := len(runs); runs[n/2] != 1144 || runs[n-1] != 4_628_226 || math.Abs(runs[n*9/10]-11_266) > 2 ||
		math.Abs(runs[n*99/100]-254_884) > 100 {
		t.Errorf("runs: p50 %g, p90 %g, p99 %g, max %g", runs[n/2], runs[n*9/10], runs[n*99/100], runs[n-1])
	}
	for g, n := range map[int32]int{1: 76627, 2: 1818, 4: 1870, 8: 1643, 12: 7, 16: 199, 24: 7, 32: 67, 64: 6, 128: 3} {
		if demand[g] != n {
			t.Errorf("%d jobs ask for %d GPUs, want %d", demand[g], g, n)
		}
	}
	if days := last.Seconds() / 86400; math.Abs(days-108.9) > 0.1 {
		t.Errorf("the submits span %.1f days", days)
	}
}

func BenchmarkRead(b *testing.B) {
	path := tracetest.Shared(b, "philly/philly.csv")
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Read(path, intake.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
