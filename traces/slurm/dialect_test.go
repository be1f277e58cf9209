package slurm

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/traces/intake"
)

// one is a log of one job of a user u that ran for 10 s from its submit, with the fields that a case
// has in place of its own.
func one(fields ...string) string {
	return rows([]string{"JobID", "User", "State", "Submit", "Start", "End", "ElapsedRaw", "AllocTRES"},
		[]string{"5", "u", "COMPLETED", "2024-03-01T08:00:00", "2024-03-01T08:00:00", "2024-03-01T08:00:10", "10",
			"cpu=1,gres/gpu=2"}, fields...)
}

// rows writes a header and a row in which fields NAME=VALUE are changed, added or, without =, left
// out.
func rows(names, values []string, fields ...string) string {
	names, values = slices.Clone(names), slices.Clone(values)
	for _, f := range fields {
		name, value, found := strings.Cut(f, "=")
		i := slices.Index(names, name)
		switch {
		case !found:
			names, values = slices.Delete(names, i, i+1), slices.Delete(values, i, i+1)
		case i < 0:
			names, values = append(names, name), append(values, value)
		default:
			values[i] = value
		}
	}
	return strings.Join(names, "|") + "\n" + strings.Join(values, "|") + "\n"
}

// What a field may hold: the job is written as read does, with all that the account states.
func TestValues(t *testing.T) {
	plain := "5 0 2 20 u - - COMPLETED\n"
	lone := "error f: no job can be kept of 1 rows: 1 dropped: "
	for _, c := range []struct{ name, log, jobs string }{
		{"as it is", one(), plain},
		{"GPUs of a type are a part of the number", one("AllocTRES=gres/gpu:a100=2,gres/gpu=2"),
			"5 0 2 20 u - a100 COMPLETED\n"},
		{"GPUs of types alone", one("AllocTRES=cpu=1,gres/gpu:a100=2,gres/gpu:a100=1"), "5 0 3 30 u - a100 COMPLETED\n"},
		{"GPUs of two types", one("AllocTRES=gres/gpu:a100=2,gres/gpu:v100=2,gres/gpu=4"), "5 0 4 40 u - - COMPLETED\n"},
		{"types of some alone", one("AllocTRES=gres/gpu:a100=2,gres/gpu=4"), "5 0 4 40 u - - COMPLETED\n"},
		{"no GPU is a memory or a load of one", one("AllocTRES=gres/gpu=2,gres/gpumem=8G,gres/gpuutil=90"), plain},
		{"an instance", one("AllocTRES=gres/gpu:a100_1g.5gb=1,gres/gpu=1"),
			"5(142/1000, 5120 MiB) 0 1 1.42 u - a100 COMPLETED\n"},
		{"an instance without a device", one("AllocTRES=gres/gpu:1g.10gb=1"),
			"5(142/1000, 10240 MiB) 0 1 1.42 u - - COMPLETED\n"},
		{"NVML's name of one", one("AllocTRES=gres/gpu:nvidia_a100_3g.20gb=1,gres/gpu=1"),
			"5(428/1000, 20480 MiB) 0 1 4.28 u - nvidia_a100 COMPLETED\n"},
		{"an instance without a dot", one("AllocTRES=gres/gpu:a100-mig-1g5gb=1,gres/gpu=1"),
			"5(142/1000, 5120 MiB) 0 1 1.42 u - a100 COMPLETED\n"},
		{"a type with its memory", one("AllocTRES=gres/gpu:nvidia_a100_80gb_pcie=2,gres/gpu=2"),
			"5 0 2 20 u - nvidia_a100_80gb_pcie COMPLETED\n"},
		{"an instance of an A30", one("AllocTRES=gres/gpu:a30_2g.12gb=1,gres/gpu=1"),
			"5(500/1000, 12288 MiB) 0 1 5 u - a30 COMPLETED\n"},
		{"a whole GPU as an instance", one("AllocTRES=gres/gpu:7g.80gb=1,gres/gpu=1"), "5 0 1 10 u - - COMPLETED\n"},
		{"instances of less than a GPU", one("AllocTRES=gres/gpu:a100_2g.10gb=2,gres/gpu=2"),
			"5(570/1000, 20480 MiB) 0 1 5.7 u - a100 COMPLETED\n"},
		{"instances of more than a GPU", one("AllocTRES=gres/gpu:a100_3g.20gb=3,gres/gpu=3"),
			"5 0 2 20 u - a100 COMPLETED\n"},
		{"shards", one("AllocTRES=cpu=1,gres/shard=2"), lone + shards + " (f:2)"},
		{"MPS", one("AllocTRES=cpu=1,gres/mps=50"), lone + shards + " (f:2)"},
		{"AllocGRES", one("AllocTRES", "AllocGRES=gpu:a100:2"), "5 0 2 20 u - a100 COMPLETED\n"},
		{"AllocGRES without a type", one("AllocTRES", "AllocGRES=gpu:2(IDX:0-1)"), plain},
		{"AllocGRES with the number of its plugin", one("AllocTRES", "AllocGRES=7696487:2"), plain},
		{"AllocGRES of one", one("AllocTRES", "AllocGRES=gpu"), "5 0 1 10 u - - COMPLETED\n"},
		{"ReqTRES", one("AllocTRES", "ReqTRES=billing=2,gres/gpu=2"), plain},
		{"ReqGRES is for each node", one("AllocTRES", "ReqGRES=gpu:1", "NNodes=2"), plain},
		{"AllocTRES before ReqTRES", one("ReqTRES=gres/gpu=8"), plain},
		{"without AllocTRES, with ReqTRES", one("AllocTRES=", "ReqTRES=gres/gpu=8"), lone + noGPU + " (f:2)"},
		{"Elapsed", one("ElapsedRaw", "Elapsed=1-00:00:10"), "5 0 2 172820 u - - COMPLETED\n"},
		{"Elapsed in minutes", one("ElapsedRaw", "Elapsed=00:10"), plain},
		{"End - Start", one("ElapsedRaw"), plain},
		{"Elapsed alone", one("Start", "End"), plain},
		{"fractions", one("ElapsedRaw=10.0", "JobID=5"), plain},
		{"epoch", one("Submit=1709280000", "Start=1709280000", "End=1709280010"), plain},
		{"zone", one("Submit=2024-03-01T09:00:00+01:00", "Start=2024-03-01T08:00:00Z"), plain},
		{"a blank in times", one("Submit=2024-03-01 08:00:00"), plain},
		{"never ran", one("Start=None", "End=None", "ElapsedRaw=0", "AllocTRES="), lone + neverRan + " (f:2)"},
		{"cancelled before it ran", one("Start=Unknown", "State=CANCELLED by 5012", "ElapsedRaw=0", "AllocTRES=",
			"ReqTRES=gres/gpu=4"), lone + neverRan + " (f:2)"},
		{"cancelled before it ran, with a Start", one("End=2024-03-01T08:00:00", "ElapsedRaw=0", "AllocTRES=",
			"ReqTRES=gres/gpu=4"), lone + neverRan + " (f:2)"},
		{"never ran and asks for none", one("Start=Unknown", "ElapsedRaw=0", "AllocTRES=", "ReqTRES=cpu=1"),
			lone + noGPU + " (f:2); no row has gres/gpu: Slurm accounts for GPUs with AccountingStorageTRES=gres/gpu"},
		{"ran for no time", one("ElapsedRaw=0"), lone + ranZero + " (f:2)"},
		{"pending", one("State=PENDING", "Start=Unknown", "End=Unknown", "ElapsedRaw=0", "AllocTRES=",
			"ReqTRES=gres/gpu=2"), lone + pending + " (f:2)"},
		{"elements of an array", one("JobID=5_[1-3,7%2]", "State=PENDING", "Start=Unknown", "End=Unknown",
			"ElapsedRaw=0", "AllocTRES="), lone + pending + " (f:2)"},
		{"running", one("State=RUNNING", "End=Unknown"), "5 0 2 20 u - - RUNNING\n"},
		{"running without Elapsed", one("State=RUNNING", "End=Unknown", "ElapsedRaw"), lone + noEnd + " (f:2)"},
		{"suspended for a while", one("End=2024-03-01T08:00:50"), plain},
		{"UID", one("User", "UID=1001"), "5 0 2 20 1001 - - COMPLETED\n"},
		{"a cut state", one("State=OUT_OF_ME+"), "5 0 2 20 u - - OUT_OF_MEMORY\n"},
		{"a state of later versions", one("State=SOMETHING"), "5 0 2 20 u - - SOMETHING\n"},
		{"JobIDRaw alone", one("JobID", "JobIDRaw=5"), plain},
		{"names in lower case", strings.ToLower(one("State=completed", "Submit=1709280000", "Start=1709280000",
			"End=1709280010")), plain},
		{"a cluster", one("Cluster=alpha"), plain},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := read(t, c.log); got != c.jobs {
				t.Errorf("got\n%s\nwant\n%s\nof\n%s", got, c.jobs, c.log)
			}
		})
	}
}

// Requests: limits in several forms.
func TestLimits(t *testing.T) {
	for field, want := range map[string]float64{"Timelimit=1-00:00:00": 86400, "Timelimit=00:30:00": 1800,
		"Timelimit=30:00": 1800, "Timelimit=UNLIMITED": 0, "Timelimit=Partition_Limit": 0, "TimelimitRaw=90": 5400,
		"TimelimitRaw=UNLIMITED": 0, "Timelimit=": 0, "TimelimitRaw=Partition_Limit": 0} {
		w, _, err := Parse("f", strings.NewReader(one(field)), intake.Options{Strict: true})
		if err != nil || w.Jobs[0].Request.Seconds() != want {
			t.Errorf("%s: %v, %v", field, w, err)
		}
	}
}

// Delimiters and forms of the whole log.
func TestDialects(t *testing.T) {
	want, _ := read(t, sample)
	if strings.HasPrefix(want, "error") {
		t.Fatal(want)
	}
	quote := func(s string) string {
		var out []string
		for line := range strings.Lines(s) {
			out = append(out, `"`+strings.ReplaceAll(strings.TrimSpace(line), "|", `","`)+`"`)
		}
		return strings.Join(out, "\n")
	}
	numbered := ""
	for i, line := range strings.Split(strings.TrimSpace(quote(sample)), "\n") {
		numbered += []string{"", "0", "1", "2", "3", "4"}[i] + "," + line + "\n"
	}
	second := strings.TrimPrefix(sample, names)
	for name, log := range map[string]string{
		"parsable":           strings.ReplaceAll(sample, "\n", "|\n"),
		"tabs":               strings.ReplaceAll(sample, "|", "\t"),
		"commas":             strings.ReplaceAll(sample, "|", ","),
		"semicolons":         strings.ReplaceAll(sample, "|", ";"),
		"two characters":     strings.ReplaceAll(sample, "|", "::"),
		"a table in quotes":  quote(sample),
		"a data frame":       numbered,
		"two outputs":        names + second[:strings.Index(second, "8_4")] + names + second[strings.Index(second, "8_4"):],
		"overlapping":        sample + sample,
		"line ends of DOS":   strings.ReplaceAll(sample, "\n", "\r\n"),
		"an output of blank": "\n\n" + sample + "\n" + names,
	} {
		if got, account := read(t, log); got != want {
			t.Errorf("%s: got\n%s\n%s\nwant\n%s", name, got, account, want)
		}
	}
}

// The order of fields and fields of other names change nothing.
func TestShuffled(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "real.txt"))
	if err != nil {
		t.Fatal(err)
	}
	draw := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		log := sample
		if n%2 == 1 {
			log = string(text)
		}
		want, account := read(t, log)
		order := draw.Perm(strings.Count(log[:strings.Index(log, "\n")], "|") + 1)
		var out strings.Builder
		for i, line := range strings.Split(strings.TrimSpace(log), "\n") {
			fields := strings.Split(line, "|")
			for k, at := range order {
				out.WriteString(fields[at] + "|")
				if i == 0 && k == n%3 {
					out.WriteString("Flags|")
				} else if k == n%3 {
					out.WriteString("SchedBackfill|")
				}
			}
			out.WriteString([]string{"Reason", "None", "Priority"}[min(i, 1)] + "\n")
		}
		if got, told := read(t, out.String()); got != want || told != account {
			t.Fatalf("%d: got\n%s%s\nwant\n%s%s", n, got, told, want, account)
		}
	}
}

// All fields of a version, with a delimiter in the name of a job and in its command, and columns of
// fixed width.
func TestFiles(t *testing.T) {
	for file, want := range map[string]string{
		"all.txt": "3 0 3 24 bob gpu - COMPLETED\n5 0 1 10 cy gpu a100 PREEMPTED\n11(142/1000, 5120 MiB) 0 1 0.71 " +
			"ann gpu a100 COMPLETED\n17 10 8 56 bob high a100 COMPLETED\n",
		"fixed.txt": "3 0 3 24 bob gpu - COMPLETED\n5 0 1 10 cy gpu a100 PREEMPTED\n6 0 2 16 cy gpu a100 REQUEUED\n" +
			"8 0 1 3 bob gpu a100 FAILED\n9 0 1 3 cy gpu a100 COMPLETED\n10 0 2 8 ann high a100 COMPLETED\n" +
			"11(142/1000, 5120 MiB) 0 1 0.71 ann gpu a100 COMPLETED\n12 0 2 10 ann gpu - COMPLETED\n",
	} {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		if got, account := read(t, string(text)); got != want {
			t.Errorf("%s: got\n%s%s\nwant\n%s", file, got, account, want)
		}
	}
}
