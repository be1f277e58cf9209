package quality

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/traces/csvfmt"
	"tarry/traces/intake"
)

// found reads a CSV file and gives its findings, one a line.
func found(t *testing.T, text string, on *cluster.Topology) string {
	t.Helper()
	w, report, err := csvfmt.Parse("f", strings.NewReader(text), intake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(Table(Of(Trace{w, report, on})), "quality\n")
}

// Each kind of finding, on jobs made for it.
func TestFindings(t *testing.T) {
	jobs := func(n int, row func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(row(i) + "\n")
		}
		return b.String()
	}
	plain := func(i int) string { return fmt.Sprintf("%d,%d,1,%d", i, 61*i, 100+i) }
	const head = "id,submit_s,gpus,work_s"
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 4, Slots: 1, Type: "v100",
		MemMiB: 100, GPUMiB: 16000}}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text string
		on   *cluster.Topology
		want string
	}{
		"nothing": {head + "\n" + jobs(40, plain), top, ""},
		"states": {head + ",state\na,0,1,3600,Pass\nb,1,1,10800,Running\nc,5,1,3600,\n", nil,
			"  state Pass     1 jobs, 1.0 GPU-hours (20.0 %)\n  state Running  1 jobs, 3.0 GPU-hours (60.0 %)\n" +
				"  cut off        1 jobs at the end of the log, 60.0 % of the work: lower bounds\n"},
		"twice": {head + "\na,0,1,5\na,0,1,5\na,0,1,6\nb,0,1,5\n", nil, "  copies   wrong: 1 rows equal an earlier one\n" +
			"  same id  wrong: 1 rows have the id of another job\n" +
			"  alike    1 jobs are equal to another but for the id (an array?)\n"},
		"gap": {head + "\n" + jobs(40, func(i int) string { return fmt.Sprintf("%d,%d,1,%d", i, 61*i+i/30*90000, 100+i) }),
			nil, "  gap  no submit for 25.0 hours from day 0.02\n"},
		"disorder": {head + "\na,90,1,5\nb,30,1,6\nc,95,1,7\nd,80,1,8\n", nil,
			"  out of order  2 of 4 rows, by up to 60 s (line 3)\n"},
		"unfit": {head + ",gpu_type,mem_mib,gpu_mem_mib\na,0,8,5,,,\nb,1,1,5,k80,,\nc,2,1,5,V100,101,\n" +
			"d,3,1,5,v100,1,17000\ne,4,1,5,,,\n", top, "  fits nowhere  1 jobs: larger than the cluster of 4 GPUs\n" +
			"  fits nowhere  1 jobs: more host memory for each GPU than a machine has (100 MiB)\n" +
			"  fits nowhere  1 jobs: more memory of each GPU than so many GPUs have\n" +
			"  fits nowhere  1 jobs: no GPU of type \"k80\" in the cluster (types: v100)\n"},
		"limits": {head + ",request_s\n" + jobs(40, func(i int) string {
			return fmt.Sprintf("%d,%d,1,%d,%d", i, 61*i, 100+i, 100+i+i%4*1000)
		}), nil, "  time limit  10 of 40 jobs end at the run time asked for: cut short\n"},
		"user": {head + ",user\n" + jobs(40, func(i int) string {
			return fmt.Sprintf("%d,%d,1,%d,u%d", i, 61*i, 100+i, max(0, i-37))
		}), nil, "  one user  u0 of 3 has 94.2 % of the work\n"},
		"round": {head + "\n" + jobs(40, func(i int) string { return fmt.Sprintf("%d,%d,1,%d", i, 7+60*i, 100+i) }), nil,
			"  round submits  all submits are whole minutes apart\n"},
		"equal": {head + "\n" + jobs(40, func(i int) string { return fmt.Sprintf("%d,%d,2,%d", i, 61*i, 7200+i%4) }), nil,
			"  equal runs  25.0 % of the jobs run for 3600 s\n  equal runs  25.0 % of the jobs run for 3600.5 s\n" +
				"  equal runs  25.0 % of the jobs run for 3601 s\n  equal runs  25.0 % of the jobs run for 3601.5 s\n"},
	} {
		if got := found(t, c.text, c.on); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", name, got, c.want)
		}
	}
}

// Submits without a zone are named, and the hours that local clocks have twice or not at all; where
// the zone is stated they are not.
func TestSummerTime(t *testing.T) {
	text := "id,submit_s,gpus,work_s\n"
	for hour := range 20 * 24 {
		for k := range 3 {
			text += fmt.Sprintf("%d,2017-%02d-%02dT%02d:%02d:%02d+,1,%d\n", 3*hour+k, 10+(22+hour/24)/32, (22+hour/24-1)%31+1,
				hour%24, 7*k+hour%7, 20*k, 100+3*hour+k)
		}
	}
	const want = "  no zone      1440 submits, taken as UTC: 2017-10-22 00:00 to 2017-11-10 23:17\n" +
		"  summer time  2017-10-29 02:00 is twice in Europe: 3 submits in that hour, else 3.0\n" +
		"  summer time  2017-11-05 01:00 is twice in North America: 3 submits in that hour, else 3.0\n"
	if got := found(t, strings.ReplaceAll(text, "+", ""), nil); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := found(t, strings.ReplaceAll(text, "+", "+00:00"), nil); got != "" {
		t.Errorf("with a zone: %s", got)
	}
	for year, days := range map[int]string{2017: "2017-03-12 2017-03-26 2017-10-29 2017-11-05",
		2024: "2024-03-10 2024-03-31 2024-10-27 2024-11-03"} {
		got := fmt.Sprint(sunday(year, 3, 2).Format("2006-01-02 "), sunday(year, 3, -1).Format("2006-01-02 "),
			sunday(year, 10, -1).Format("2006-01-02 "), sunday(year, 11, 1).Format("2006-01-02"))
		if got != days {
			t.Errorf("summer time of %d changes on %s, expected %s", year, got, days)
		}
	}
}

// A file whose rows are shuffled has the same findings but for the order of its rows.
func TestShuffledRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		rows := make([]string, 60)
		for i := range rows {
			rows[i] = fmt.Sprintf("%d,%d,%d,%d,u%d,%s", r.IntN(55), r.IntN(1e6), 1+r.IntN(3), 1+r.IntN(9), r.IntN(3),
				[]string{"", "Pass", "Running"}[r.IntN(3)])
		}
		ids := map[string]bool{} // a job is one row here: which of two rows with an id is kept depends on their order
		n := 0
		for _, row := range rows {
			if id, _, _ := strings.Cut(row, ","); !ids[id] {
				ids[id] = true
				rows[n] = row
				n++
			}
		}
		rows = rows[:n]
		text := func() string { return "id,submit_s,gpus,work_s,user,state\n" + strings.Join(rows, "\n") + "\n" }
		other := func(text string) string {
			var out []string
			for line := range strings.Lines(text) {
				if !strings.HasPrefix(line, "  "+Disorder) {
					out = append(out, strings.Join(strings.Fields(line), " "))
				}
			}
			return strings.Join(out, "\n")
		}
		before := found(t, text(), nil)
		r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		if after := found(t, text(), nil); other(after) != other(before) || !strings.Contains(after, Disorder) {
			t.Fatalf("got\n%s\nbefore\n%s", other(after), other(before))
		}
	}
}

// Jobs without an account, as a generator gives them, have findings of their own alone.
func TestWithoutAnAccount(t *testing.T) {
	w, err := sim.NewWorkload("w", []sim.Job{{ID: "a", GPUs: 1, Work: 5, State: "x"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := Of(Trace{Workload: w}); len(got) != 1 || got[0].Kind != State || got[0].WorkFrac != 1 {
		t.Errorf("%+v", got)
	}
	if Table(nil) != "" {
		t.Error("no findings have a table")
	}
}

// FuzzFindings: any file that is read has findings, each with a text of one line.
func FuzzFindings(f *testing.F) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 4, Slots: 1, Type: "v100"}}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte("id,submit_s,gpus,work_s,state,user\nb,0,1,5,\"a\nb\tc\",u\n" +
		"a,2017-10-29 01:00,1,5,Running,u\na,2017-11-29,9,5,x,v\n"))
	f.Add([]byte("id,submit_s,gpus,work_s,request_s\n" + strings.Repeat("a,60,1,5,5\n", 3)))
	f.Fuzz(func(t *testing.T, data []byte) {
		w, report, err := csvfmt.Parse("f", bytes.NewReader(data), intake.Options{MaxJobs: 10_000})
		if err != nil {
			return
		}
		all := Of(Trace{w, report, top})
		if lines := strings.Count(Table(all), "\n"); len(all) > 0 && lines != len(all)+1 {
			t.Fatalf("%q gives %d findings in %d lines", data, len(all), lines)
		}
		for _, x := range all {
			if x.Kind == "" || x.Text == "" || !(x.WorkFrac >= 0 && x.WorkFrac <= 1.000001) || x.Jobs < 0 {
				t.Fatalf("%q gives %+v", data, x)
			}
		}
	})
}
