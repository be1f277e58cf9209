package slurm

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/quick"

	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

// run is a row of an id, a user u, a state and a run of some minutes from a minute past midnight on,
// which the user submitted at the minute before; end < 0 = it has not ended, start < 0 = nor started.
func run(id, user, state, resources string, submit, start, end int) string {
	at := func(minute int) string {
		if minute < 0 {
			return "Unknown"
		}
		return fmt.Sprintf("2024-03-01T%02d:%02d:00", minute/60, minute%60)
	}
	length := 0
	if start >= 0 {
		length = 60 * (max(end, start+1) - start)
	}
	return strings.Join([]string{id, user, state, at(submit), at(start), at(end), fmt.Sprint(length), resources},
		"|") + "\n"
}

// Rows of one id.
func TestJoin(t *testing.T) {
	const top = "JobID|User|State|Submit|Start|End|ElapsedRaw|AllocTRES\n"
	several := "1 jobs have several runs (requeued, preempted or resized): their work is the sum of all"
	repeated := "1 rows state a run that another row states too: one of them is read"
	inUse := func(n int) string { return fmt.Sprintf("\nat most %d GPUs of these jobs were in use at once", n) }
	for _, c := range []struct{ name, rows, jobs, account string }{
		{"requeued", run("3", "u", "REQUEUED", "gres/gpu=16", 0, 10, 40) + run("3", "u", "COMPLETED",
			"gres/gpu=16", 41, 50, 170),
			"3 0 16 144000 u - - COMPLETED\n", several + inUse(16)},
		{"requeued with other GPUs, the later row first", run("3", "u", "COMPLETED", "gres/gpu=2", 41, 50, 51) +
			run("3", "u", "NODE_FAIL", "gres/gpu=4", 0, 10, 11), "3 0 4 360 u - - COMPLETED\n", several +
			inUse(4)},
		{"waiting again", run("3", "u", "PREEMPTED", "gres/gpu=1", 0, 10, 40) + run("3", "u", "PENDING",
			"", 41, -1, -1),
			"3 0 1 1800 u - - PENDING\n", "1 jobs were waiting for a further run when the log was written: their work is a " +
				"lower bound" + inUse(1)},
		{"cancelled while waiting again", run("3", "u", "PREEMPTED", "gres/gpu=1", 0, 10, 40) +
			run("3", "u", "CANCELLED by 5", "", 41, -1, 50), "3 0 1 1800 u - - CANCELLED\n", inUse(1)[1:]},
		{"running, then over, in two outputs", run("3", "u", "RUNNING", "gres/gpu=1", 0, 10, -1) +
			run("3", "u", "COMPLETED", "gres/gpu=1", 0, 10, 40), "3 0 1 1800 u - - COMPLETED\n", repeated +
			inUse(1)},
		{"pending, then over, in two outputs", run("3", "u", "PENDING", "", 0, -1, -1) +
			run("3", "u", "COMPLETED", "gres/gpu=1", 0, 10, 40), "3 0 1 1800 u - - COMPLETED\n", repeated +
			inUse(1)},
		{"resized, with the first start", run("3", "u", "RESIZING", "gres/gpu=4", 0, 10, 15) +
			run("3", "u", "COMPLETED", "gres/gpu=2", 15, 10, 24), "3 0 4 2280 u - - COMPLETED\n", several +
			inUse(4)},
		{"resized, with a start of its own", run("3", "u", "RESIZING", "gres/gpu=4", 0, 10, 15) +
			run("3", "u", "COMPLETED", "gres/gpu=2", 15, 15, 24), "3 0 4 2280 u - - COMPLETED\n", several +
			inUse(4)},
		{"an id of two users", run("3", "u", "COMPLETED", "gres/gpu=1", 0, 10, 40) + run("3", "v",
			"COMPLETED", "gres/gpu=2", 0, 50, 51),
			"3 0 1 1800 u - - COMPLETED\n3#2 0 2 120 v - - COMPLETED\n",
			"1 jobs have the id of an earlier job: ids are ID#2 and so on" + inUse(2)},
		{"an id twice at once", run("3", "u", "COMPLETED", "gres/gpu=1", 0, 10, 40) + run("3", "u",
			"COMPLETED", "gres/gpu=2", 0, 30, 31),
			"3 0 1 1800 u - - COMPLETED\n3#2 0 2 120 u - - COMPLETED\n",
			"1 jobs have the id of an earlier job: ids are ID#2 and so on" + inUse(3)},
		{"heterogeneous", run("3+0", "u", "COMPLETED", "cpu=8,gres/gpu:a100=4,gres/gpu=4", 0, 10, 40) +
			run("3+1", "u", "COMPLETED", "cpu=2,gres/gpu:v100=1,gres/gpu=1", 0, 10, 40) + run("3+2", "u",
			"COMPLETED", "cpu=90", 0, 10, 40),
			"3 0 5 9000 u - - COMPLETED\n", "1 heterogeneous jobs have the GPUs of all their components, as one gang\n" +
				"1 jobs have GPUs of several types: taken as any type" + inUse(5)},
		{"heterogeneous and requeued", run("3+0", "u", "REQUEUED", "gres/gpu=4", 0, 10, 11) + run("3+1",
			"u", "REQUEUED", "gres/gpu=1", 0, 10, 11) +
			run("3+0", "u", "FAILED", "gres/gpu=4", 11, 20, 21) + run("3+1", "u", "FAILED",
			"gres/gpu=1", 11, 20, 21),
			"3 0 5 600 u - - FAILED\n", several + "\n1 heterogeneous jobs have the GPUs of all their " +
				"components, as one gang" + inUse(5)},
		{"running", run("3", "u", "RUNNING", "gres/gpu=1", 0, 10, -1), "3 0 1 60 u - - RUNNING\n",
			"1 of 1 jobs were running when the log was written: their runs are cut there, which is a lower bound" + inUse(1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			jobs, account := read(t, top+c.rows)
			if jobs != c.jobs || account != c.account {
				t.Errorf("got\n%s%s\nwant\n%s%s", jobs, account, c.jobs, c.account)
			}
		})
	}
}

// Two clusters in one log have ids of their own.
func TestClusters(t *testing.T) {
	row := func(cluster, id string) string {
		return cluster + "|" + run(id, "u", "COMPLETED", "gres/gpu=1", 0, 10, 11)
	}
	const top = "Cluster|JobID|User|State|Submit|Start|End|ElapsedRaw|AllocTRES\n"
	if got, _ := read(t, top+row("a", "3")+row("a",
		"4")); got != "3 0 1 60 u - - COMPLETED\n4 0 1 60 u - - COMPLETED\n" {
		t.Errorf("one cluster: %s", got)
	}
	if got, _ := read(t, top+row("a", "3")+row("b",
		"3")); got != "a/3 0 1 60 u a/ - COMPLETED\nb/3 0 1 60 u b/ - COMPLETED\n" {
		t.Errorf("two clusters: %s", got)
	}
}

// What the account remarks beside joined rows.
func TestNotes(t *testing.T) {
	for want, log := range map[string]string{
		"the log has no AllocTRES: GPUs are of ReqGRES": one("AllocTRES", "ReqGRES=gpu:1"),
		"1 rows of array elements that never ran stand for 9 jobs": one() + strings.Replace(
			"7_[1-3,7,10-19:2%2]|u|PENDING|2024-03-01T08:00:00|Unknown|Unknown|0|\n", "", "", 1),
		"1 rows have no GPU in AllocTRES and ask for some in ReqTRES: taken as without": one("ReqTRES=gres/gpu=1") +
			"6|u|FAILED|2024-03-01T08:00:00|2024-03-01T08:00:00|2024-03-01T08:00:10|10|cpu=1|gres/gpu=2\n",
		"f:3: Submit is 59 minutes before the submit of the job above it, as where clocks are put back": one(
			"Submit=2024-11-03T01:59:00") + "6|u|FAILED|2024-11-03T01:00:00|2024-11-03T08:00:00|2024-11-03T08:00:10|10|" +
			"gres/gpu=1\n",
		"for 1 runs End - Start is an hour more or less than Elapsed": one("End=2024-03-01T09:00:10"),
		"1 jobs were eligible more than a minute after their submit":  one("Eligible=2024-03-01T08:01:01"),
		"QOS is not read; it has the values high, low": one("QOS=low") +
			"6|u|FAILED|2024-03-01T08:00:00|2024-03-01T08:00:00|2024-03-01T08:00:10|10|gres/gpu=1|high\n",
		"at most 2 GPUs of these jobs were in use at once, on 3 nodes with at most 1 of one job on each": one(
			"NodeList=gpu[09-11]"),
	} {
		if jobs, account := read(t, log); !strings.Contains(account, want) {
			t.Errorf("got\n%s%s\nwant %s", jobs, account, want)
		}
	}
}

// A job that is cut into runs has the same work as whole.
func TestWorkOfRuns(t *testing.T) {
	same := func(lengths []uint8, gpus uint8) bool {
		log, at := "JobID|User|State|Submit|Start|End|ElapsedRaw|AllocTRES\n", 1
		var rows []string
		sum := 0
		for _, n := range lengths[:min(len(lengths), 5)] {
			n := int(n%100) + 1
			rows = append(rows, run("3", "u", "REQUEUED", fmt.Sprintf("gres/gpu=%d", gpus%8+1), at, at, at+n))
			at, sum = at+n, sum+n
		}
		slices.Reverse(rows)
		got, _ := read(t, log+strings.Join(rows, ""))
		return sum == 0 || got == fmt.Sprintf("3 0 %d %d u - - REQUEUED\n", gpus%8+1, sum*60*int(gpus%8+1))
	}
	if err := quick.Check(same, &quick.Config{MaxCount: 50}); err != nil {
		t.Error(err)
	}
}

func TestWrong(t *testing.T) {
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"empty", "", `f:1: the file is empty, expected the fields of sacct`},
		{"no header", "1|u|COMPLETED\n", `f:1: the line is "1|u|COMPLETED", expected the names of sacct's fields, such as ` +
			`JobID|Submit|ElapsedRaw|AllocTRES: write the log without --noheader`},
		{"fields missing", "JobID|User|Start\n1|u|x\n", `f:1: the log has no Submit, no ElapsedRaw (or Elapsed, or Start and ` +
			`End), no AllocTRES (or AllocGRES, ReqTRES, ReqGRES), the header has "JobID|User|Start": write it with the ` +
			`command of tarry trace slurm-command`},
		{"no rows", names, `f: no job can be kept: it holds no rows`},
		{"no dashes", "JobID Submit Elapsed AllocTRES\n1 2 3 4\n",
			`f:2: the line is "1 2 3 4", expected a dash for each character of the 4 fields: write the log with -P`},
		{"no GPUs at all", one("AllocTRES=cpu=1"), `f: no job can be kept of 1 rows: 1 dropped: the job asks for no GPU ` +
			`(f:2); no row has gres/gpu: Slurm accounts for GPUs with AccountingStorageTRES=gres/gpu`},
		{"fewer fields", names + "7|ann\n", `f:2: 2 fields, expected 11`},
		{"more fields", one() + "1|2|3|4|5|6|7|8|9\n", `f:3: 9 fields, expected 8`},
		{"no Submit", one("Submit=Unknown"),
			`f:2: column "Submit" is "Unknown", expected a time YYYY-MM-DDThh:mm:ss, or seconds since 1970`},
		{"a relative time", one("Start=16:05"),
			`f:2: column "Start" is "16:05", expected a time YYYY-MM-DDThh:mm:ss, or seconds since 1970`},
		{"negative Elapsed", one("ElapsedRaw=-5"), `f:2: column "ElapsedRaw" is "-5", expected seconds >= 0`},
		{"Elapsed in words", one("ElapsedRaw", "Elapsed=an hour"),
			`f:2: column "Elapsed" is "an hour", expected a length D-HH:MM:SS`},
		{"ends before it starts", one("ElapsedRaw", "End=2024-03-01T07:00:00"),
			`f:2: column "End" is "2024-03-01T07:00:00", expected a time not before Start 2024-03-01T08:00:00`},
		{"a limit in words", one("Timelimit=long"),
			`f:2: column "Timelimit" is "long", expected a length D-HH:MM:SS, minutes, UNLIMITED or Partition_Limit`},
		{"cut resources", one("AllocTRES=billing=8+"),
			`f:2: column "AllocTRES" is "billing=8+", expected whole resources ` +
				`such as cpu=8,gres/gpu=2,mem=64G: write the log with -P`},
		{"GPUs in words", one("AllocTRES=gres/gpu=two"),
			`f:2: column "AllocTRES" is "gres/gpu=two", expected whole ` +
				`resources such as cpu=8,gres/gpu=2,mem=64G: write the log with -P`},
		{"a cut id", one("JobID=123456+"),
			`f:2: column "JobID" is "123456+", expected a whole id: write the log with -P`},
		{"a component in words", one("JobID=12+a"),
			`f:2: column "JobID" is "12+a", expected an id such as 12, 12_3 or 12+0`},
		{"no id", one("JobID="), `f:2: column "JobID" is "", expected a whole id: write the log with -P`},
		{"too many GPUs", one("AllocTRES=gres/gpu=3000000"),
			`f:2: column "AllocTRES" is "gres/gpu=3000000", expected whole ` +
				`resources such as cpu=8,gres/gpu=2,mem=64G: write the log with -P`},
	})
}

func FuzzParse(f *testing.F) {
	tracetest.Fuzz(f, Parse, sample, names, one("JobID=5+0"), one("AllocTRES", "ReqGRES=gpu:a100:2"),
		strings.ReplaceAll(sample, "|", ","), "JobID Submit Elapsed AllocTRES JobName\n----- ------ ------- --------- ----\n",
		one("JobName=a|b", "Comment=\"x"), one("NodeList=gpu[01-03,07],node5", "JobID=1_[1-9%2]", "Start=None"))
}

func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	text.WriteString(names)
	body := strings.Split(strings.TrimPrefix(sample, names), "\n")
	for n := range 20_000 {
		for _, line := range body[:5] {
			text.WriteString(fmt.Sprint(n) + line + "\n")
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Parse("f", strings.NewReader(text.String()), intake.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(100_000*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// The command prints every field that the log is read by, in a form that is read.
func TestCommand(t *testing.T) {
	text := Command("2026-01-01", "now", "gpu,big")
	fields := strings.Split(Fields(), ",")
	if h := parseHeader(strings.Join(fields, "|")); !Header(strings.Join(fields, "|")) || h.lacks() != "" ||
		h.gpuColumn() != allocTRES {
		t.Errorf("the fields %s are not enough", Fields())
	}
	for _, name := range fields {
		if !slices.Contains(columnNames(), name) {
			t.Errorf("%s is not read", name)
		}
	}
	for _, want := range []string{"--starttime=2026-01-01 --endtime=now --partition=gpu,big \\\n", Fields(),
		"--duplicates"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// A partition is a type of GPU where it is asked for, and no row states another.
func TestPartitions(t *testing.T) {
	log := one("Partition=a100") + "6|u|FAILED|2024-03-01T08:00:00|2024-03-01T08:00:00|2024-03-01T08:00:10|10|" +
		"gres/gpu=1|v100\n"
	want := "no row states a type of GPU; slurm-partitions takes the 2 partitions as types"
	if _, account := read(t, log); !strings.Contains(account, want) {
		t.Errorf("got %s, want %s", account, want)
	}
	typed := "7|u|FAILED|2024-03-01T08:00:00|2024-03-01T08:00:00|2024-03-01T08:00:10|10|gres/gpu:h100=1|v100\n"
	w, _, err := Partitions{}.Parse("f", strings.NewReader(log+typed), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"a100", "v100", "h100"} {
		if w.Jobs[i].GPUType != want {
			t.Errorf("job %d needs %q, want %s", i, w.Jobs[i].GPUType, want)
		}
	}
}
