package jobcell

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/traces/columns"
	"tarry/traces/intake"
)

// one reads a row of cells below a header.
func one(t *testing.T, header string, cells ...Value) (sim.Job, []Fault) {
	t.Helper()
	h, err := Match(strings.Split(header, ","), "")
	if err != nil {
		t.Fatal(err)
	}
	var jobs Jobs
	return jobs.Row(h, func(i int) Value { return cells[i] })
}

func words(cells ...string) (values []Value) {
	for _, c := range cells {
		values = append(values, Value{Kind: Text, Text: c})
	}
	return values
}

// A cell means the same in every type that a table may give it.
func TestCellsMeanTheSame(t *testing.T) {
	const header = "id,submit_s,gpus,work_s,user,priority,iter_s,request_s"
	want := sim.Job{ID: "7", Submit: sim.Time(15e5), GPUs: 4, Work: 90 * sim.Second, User: "17", Priority: -2,
		IterS: 0.5, Request: 100 * sim.Second}
	for _, cells := range [][]Value{
		words("7", "1.5", "4", "90", "17", "-2", "0.5", "100"),
		words("7.0", "1.5000001", "4.0", "00:01:30", "17.0", "-2.00", "5e-1", "0-00:01:40"),
		words("7", "1.5e0", "4e0", "0 days 00:01:30", "17", "-2.0", ".5", "PT1M40S"),
		words("7", "00:00:01.5", "4.", "9e1", "17", "-2", "0.50", "0 days 00:01:40.000000000"),
		{{Kind: Whole, Int: 7}, {Kind: Real, Real: 1.5}, {Kind: Real, Real: 4}, {Kind: Whole, Int: 90},
			{Kind: Real, Real: 17}, {Kind: Real, Real: -2}, {Kind: Length, Int: 5e5}, {Kind: Length, Int: 100e6}},
		{{Kind: Name, Text: "7"}, {Kind: Length, Int: 15e5}, {Kind: Whole, Int: 4}, {Kind: Real, Real: 90},
			{Kind: Whole, Int: 17}, {Kind: Whole, Int: -2}, {Kind: Real, Real: 0.5}, {Kind: Real, Real: 100}},
	} {
		if got, faults := one(t, header, cells...); got != want || len(faults) > 0 {
			t.Errorf("%v gives %+v, faults %v, expected %+v", cells, got, faults, want)
		}
	}
}

// Words and types for a missing value are unknown where that is allowed, and a fault where it is
// not.
func TestMissing(t *testing.T) {
	for _, v := range append(words("", "None", "none", "null", "NULL", "nan", "NaN", "NaT", "<NA>", "NA", "N/A", "n/a",
		"#N/A", "#NA", "#N/A N/A", "-nan", "-NaN", "1.#IND", "1.#QNAN", "-1.#IND", "-1.#QNAN"), Value{},
		Value{Kind: Real, Real: math.NaN()}) {
		j, faults := one(t, "id,submit_s,gpus,work_s,user,priority,iter_s,request_s,deadline_s,drawn,drawn_bits,"+
			"max_gpus",
			Value{Kind: Text, Text: "a"}, Value{Kind: Whole}, Value{Kind: Whole, Int: 1}, Value{Kind: Whole, Int: 1},
			v, v, v, v, v, v, v, v)
		if want := (sim.Job{ID: "a", GPUs: 1, Work: sim.Second}); j != want || len(faults) > 0 {
			t.Errorf("%v gives %+v, faults %v", v, j, faults)
		}
		if _, faults := one(t, "id,submit_s,gpus,work_s", Value{Kind: Text, Text: "a"}, v, v, v); len(faults) != 3 {
			t.Errorf("%v where a value is needed gives the faults %v, expected 3", v, faults)
		}
	}
	if j, faults := one(t, "id,submit_s,gpus,work_s,request_s,user",
		append(words("a", "0", "1", "1", "UNLIMITED"), Value{Kind: Name, Text: "None"})...); j.Request != 0 ||
		j.User != "None" || len(faults) > 0 {
		t.Errorf("UNLIMITED and the name None give %+v, faults %v", j, faults)
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		column string
		v      Value
		want   string
	}{
		{"gpus", Value{Kind: Real, Real: 2.5}, `gpus "2.5" a whole number from 1 to 1000000`},
		{"gpus", Value{Kind: Truth, Int: 1}, `gpus "true" a whole number from 1 to 1000000`},
		{"gpus", Value{Kind: Instant, Int: 86400e6}, `gpus "1970-01-02T00:00:00Z" a whole number from 1 to 1000000`},
		{"gpus", Value{Kind: Real, Real: math.Inf(1)}, `gpus "+Inf" a whole number from 1 to 1000000`},
		{"work_s", Value{Kind: Instant, Int: 86400e6},
			`work_s "1970-01-02T00:00:00Z" seconds > 0: a length of time, not an instant`},
		{"work_s", Value{Kind: Text, Text: "2024-03-01"},
			`work_s "2024-03-01" seconds > 0: a length of time, not an instant`},
		{"work_us", Value{Kind: Whole, Int: math.MaxInt64}, `work_us "9223372036854775807" microseconds > 0`},
		{"work_s", Value{Kind: Real, Real: 1e300}, `work_s "1e+300" seconds > 0`},
		{"work_s", Value{Kind: Text, Text: "-1 days +23:59:50"}, `work_s "-1 days +23:59:50" seconds > 0`},
		{"submit_s", Value{Kind: Instant, Int: -5},
			`submit_s "1969-12-31T23:59:59.999995Z" seconds >= 0, or a time such as 2024-03-01T08:00:00Z from 1970 on`},
		{"submit_s", Value{Kind: Text, Text: "01/02/2024 08:00"},
			`submit_s "01/02/2024 08:00" seconds >= 0, or a time such as 2024-03-01T08:00:00Z from 1970 on`},
		{"deadline_s", Value{Kind: Text, Text: "2024-03-01"}, `deadline_s "2024-03-01" a number, as the submits are`},
		{"id", Value{Kind: Text, Text: strings.Repeat("x", intake.MaxName+1)}, `id "` + strings.Repeat("x", 64) +
			`..." a text of at most 4096 bytes, this one has 4097`},
		{"user", Value{Kind: Text, Text: "\xff"}, `user "\xff" UTF-8 text`},
		{"user", Value{Kind: Instant}, `user "1970-01-01T00:00:00Z" a name`},
		{"iter_s", Value{Kind: Text, Text: "0x1p3"}, `iter_s "0x1p3" a number >= 0`},
		{"drawn_bits", Value{Kind: Whole, Int: 1 << 16}, `drawn_bits "65536" a whole number from 0 to 65535`},
	} {
		names, cells := []string{c.column}, []Value{c.v}
		for _, n := range []string{"id", "submit_s", "gpus", "work_s"} {
			if n != c.column && strings.Replace(n, "_s", "_us", 1) != c.column {
				names, cells = append(names, n), append(cells, Value{Kind: Whole, Int: 1})
			}
		}
		_, faults := one(t, strings.Join(names, ","), cells...)
		if len(faults) != 1 || fmt.Sprintf("%s %q %s", faults[0].Column, faults[0].Value, faults[0].Want) != c.want {
			t.Errorf("%s %v gives the faults %q, expected %s", c.column, c.v, faults, c.want)
		}
	}
}

// All rows are on one clock, the first's.
func TestClock(t *testing.T) {
	h, err := Match([]string{"submit_s", "gpus", "duration_s", "deadline_s"}, "")
	if err != nil {
		t.Fatal(err)
	}
	var jobs Jobs
	read := func(cells ...string) string {
		j, faults := jobs.Row(h, func(i int) Value { return words(cells...)[i] })
		return fmt.Sprint(j.ID, " ", int64(j.Submit), " ", int64(j.Work), " ", int64(j.Deadline), " ", faults)
	}
	for i, c := range [][2]string{
		{read("2024-03-01 08:00:00+01:00", "2", "20", ""), "0 1709276400000000 40000000 0 []"},
		{read("2024-03-01T07:00:01Z", "1", "0:00:20", "2024-03-02"), "1 1709276401000000 20000000 1709337600000000 []"},
		{read("60", "1", "20", ""), "2 60000000 20000000 0 [{submit_s 60 a wall-clock time, as in the rows before}]"},
		{read("2024-03-01", "1", "20", "99"), "3 1709251200000000 20000000 99000000 [{deadline_s 99 a wall-clock " +
			"time, as the submits are}]"},
	} {
		if c[0] != c[1] {
			t.Errorf("row %d: %s, expected %s", i, c[0], c[1])
		}
	}
	if jobs.Clock() != intake.FromFirst || (&Jobs{}).Clock() != intake.AsWritten {
		t.Error("the clock of wall-clock times begins at the first submit, and no other")
	}
}

func TestMatch(t *testing.T) {
	for header, want := range map[string]string{
		"id,submit_s,gpus,work_s,duration":   `expected exactly one of the columns "work_s" and "duration_s"`,
		"id,submit_s,gpus,durations":         `unknown column "durations", did you mean "duration_s"? (--trace-columns duration=durations reads it so, trace_columns in files and Python; durations=- leaves a column out)`,
		"id,submit,num_gpus,run_time_h":      `unknown column "num_gpus", did you mean "gpus"?; unknown column "run_time_h", did you mean "duration_s"? (--trace-columns gpus=num_gpus,duration=run_time_h reads`,
		"id,submit_s,gpus,work_s,job status": `unknown column "job status", did you mean "state"? (--trace-columns state=job status reads`,
		"job_id,submit_s,gpus,work_s":        `unknown column "job_id", did you mean "id"? (--trace-columns id=job_id reads`,
		"Submit,submit_s,gpus,work_s":        `columns "Submit" and "submit_s" are both given, expected one of them: --trace-columns submit_s=- leaves one out`,
		"id,submit_s,gpus,work_s,id":         `column "id" appears twice`,
		"id,submit_s,submit_us,gpus,work_s":  `columns "submit_s" and "submit_us" are both given, expected one of them`,
		"id,submit_s,work_s":                 `column "gpus" is missing, expected at least submit_s, gpus and work_s or duration_s; the columns are id,submit_s,work_s`,
		"submit_s,gpus":                      `expected exactly one of the columns "work_s" and "duration_s"`,
		"submit_s,gpus,work_us,duration_s":   `expected exactly one of the columns "work_s" and "duration_s"`,
		"submit_s,gpus,work_s,iter_us":       `unknown column "iter_us", did you mean "iter_s"?`,
	} {
		if _, err := Match(strings.Split(header, ","), ""); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s gives the error %v, expected %s", header, err, want)
		}
	}
	h, err := Match([]string{"", "Unnamed: 0", "__index_level_0__", "index", "level_1", "row", "id", "submit_us",
		"gpus", "work_s"}, "", "row", "id")
	if err != nil || !reflect.DeepEqual(h.Ignored, []string{"", "Unnamed: 0", "__index_level_0__", "index", "level_1",
		"row"}) || !h.Reads(6) || h.Reads(5) {
		t.Errorf("%+v, error %v", h, err)
	}
}

func TestNames(t *testing.T) {
	for _, f := range columns.Fields() {
		if f.Name == "" || f.Doc == "" || setters()[f.Name] == nil {
			t.Errorf("%+v has no name, doc or setter", f)
		}
	}
}

func FuzzRow(f *testing.F) {
	f.Add("7", "2024-03-01T08:00:00Z", "4.0", "1-00:00:20", 1.5, int64(9), uint8(2))
	f.Add("NaN", "0 days 00:00:01.5", "<NA>", "P1DT2H", math.Inf(1), int64(math.MinInt64), uint8(6))
	f.Fuzz(func(t *testing.T, id, submit, gpus, work string, x float64, n int64, kind uint8) {
		h, err := Match([]string{"id", "submit_s", "gpus", "work_s", "deadline_us", "request_us", "iter_s", "drawn",
			"user"}, "")
		if err != nil {
			t.Fatal(err)
		}
		odd := Value{Kind: Kind(kind % 8), Int: n, Real: x, Text: submit}
		cells := append(words(id, submit, gpus, work), odd, odd, odd, odd, odd)
		var jobs Jobs
		j, faults := jobs.Row(h, func(i int) Value { return cells[i] })
		if len(faults) > 0 {
			return
		}
		if j.Submit < 0 || j.Work <= 0 || j.GPUs < 1 || j.Deadline < 0 || j.Request < 0 || !(j.IterS >= 0) {
			t.Fatalf("%q give %+v", cells, j)
		}
	})
}

// The start and the machines in the trace.
func TestRecorded(t *testing.T) {
	const head = "submit_s,gpus,work_s,log_start_s,log_machines"
	for _, c := range []struct{ header, cells, want string }{
		{head, `5,1,1,7.5,a`, "2.5s a"},
		{head, "5,1,1,5,", "0s "},
		{head, "5,1,1,,a", "none"},
		{head, "5,1,1,-1,a", "none"},
		{head, "5,1,1,4,a", `column "log_start_s" is "4", expected a time not before the submit`},
		{head, "5,1,1,x,a", `column "log_start_s" is "x", expected seconds >= 0`},
		{head, "5,1,1,2024-03-01T08:00:01,a",
			`column "log_start_s" is "2024-03-01T08:00:01", expected a time of the kind that the submits are`},
		{head, "2024-03-01T08:00:00,1,1,2024-03-01T09:00:01+01:00,m[1-2]*4;b", "1s m1*4,m2*4,b"},
		{head, "2024-03-01T08:00:00,1,1,3,a",
			`column "log_start_s" is "3", expected a time of the kind that the submits are`},
		{head, "5,1,1,6,m[1", `column "log_machines" is "m[1", expected a closing bracket in "m[1"`},
		{strings.Replace(head, "start_s", "start_ms", 1), "5,1,1,7500,17.0", "2.5s 17"},
	} {
		h, err := Match(strings.Split(c.header, ","), "")
		if err != nil {
			t.Fatal(err)
		}
		cells := strings.Split(c.cells, ",")
		j, faults := new(Jobs).Row(h, func(i int) Value {
			return Value{Kind: Text, Text: strings.ReplaceAll(cells[i], ";", ",")}
		})
		got := "none"
		if r := j.Record; r != nil {
			got = fmt.Sprint(sim.Time(r.Wait), " ", r.Machines)
		}
		for _, f := range faults {
			got = fmt.Sprintf("column %q is %q, expected %s", f.Column, f.Value, f.Want)
		}
		if got != c.want {
			t.Errorf("%s gives %s, expected %s", c.cells, got, c.want)
		}
	}
}
