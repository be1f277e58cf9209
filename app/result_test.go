package app

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// keys are what scripts rely on, in order.
func keys() []string {
	return strings.Fields("policy knows jobs finished unfinished refused rejected jct_mean_s jct_p50_s jct_p95_s " +
		"jct_p99_s queue_mean_s queue_p99_s makespan_s comm_mean_s comm_frac gpu_util_frac preemptions overload_gpus")
}

// objects reads one JSON object per line, with its keys in order.
func objects(t *testing.T, text string) (all []map[string]any, order [][]string) {
	t.Helper()
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, m)
		d := json.NewDecoder(strings.NewReader(line))
		var names []string
		for i := 0; ; i++ {
			tok, err := d.Token()
			if err != nil {
				break
			}
			if s, ok := tok.(string); ok && i%2 == 1 {
				names = append(names, s)
			}
		}
		order = append(order, names)
	}
	return all, order
}

func TestJSONKeys(t *testing.T) {
	dir := t.TempDir()
	run := []string{"--trace", "synth:demo,jobs=30", "--cluster", "2x2x8", "--format", "json", "--policy", "fifo"}
	s := good(t, dir, append([]string{"simulate"}, run...)...)
	all, order := objects(t, s.out)
	if len(all) != 1 || !slices.Equal(order[0], keys()) || all[0]["policy"] != "fifo" ||
		all[0]["knows"] != "nothing" || all[0]["jobs"] != 30.0 {
		t.Errorf("simulate prints %s", s.out)
	}
	s = good(t, dir, append([]string{"compare", "--policy", "dally:t_rack=6,t_net=inf", "--replicates", "2"},
		run...)...)
	all, order = objects(t, s.out)
	want := append(keys(), "replicates", "jobs_compared", "jct_mean_compared_s", "jct_mean_diff_s",
		"jct_mean_diff_lo_s", "jct_mean_diff_hi_s", "diff_over")
	if len(all) != 2 || !slices.Equal(order[0], want) || !slices.Equal(order[1], want) {
		t.Fatalf("compare prints %s", s.out)
	}
	if all[0]["policy"] != "dally:t_rack=6,t_net=inf" || all[0]["knows"] != "done" || all[1]["policy"] != "fifo" ||
		all[0]["jct_mean_diff_s"] != nil || all[1]["diff_over"] != "replicates" {
		t.Errorf("compare prints %s", s.out)
	}
	diff := all[1]["jct_mean_s"].(float64) - all[0]["jct_mean_s"].(float64)
	if got := all[1]["jct_mean_diff_s"].(float64); math.Abs(got-diff) > 1e-6*math.Abs(diff) ||
		!(all[1]["jct_mean_diff_lo_s"].(float64) <= got) {
		t.Errorf("difference %v, expected %v", got, diff)
	}
}

// A load that is not the cluster's is reported: on standard error, in JSON and CSV, and in the
// tables' metadata.
func TestStatedGPUsAreSaid(t *testing.T) {
	dir := t.TempDir()
	run := []string{"simulate", "--trace", "synth:demo,jobs=30,load=1,gpus=32", "--cluster", "1x2x8", "--policy",
		"fifo", "--out", "o", "--format"}
	s := good(t, dir, append(run, "json")...)
	if all, _ := objects(t, s.out); all[0]["trace_gpus"] != 32.0 ||
		!strings.Contains(s.errors, "load 1 is of 32 GPUs, since gpus=32 is given; on the cluster's 16 "+
			"GPUs it is 2") {
		t.Errorf("prints %s and %s", s.out, s.errors)
	}
	files, err := filepath.Glob(filepath.Join(dir, "o", "trials", "*", "*", "*.parquet"))
	if err != nil || len(files) != 1 {
		t.Fatalf("tables %q, error %v", files, err)
	}
	footer, err := os.ReadFile(files[0])
	if err != nil || !strings.Contains(string(footer), `"trace_gpus":32`) {
		t.Errorf("the metadata of %s has no trace_gpus (error %v)", files[0], err)
	}
	if s := good(t, dir, append(run[:len(run)-3], "--format", "csv")...); !strings.Contains(s.out, ",trace_gpus\n") ||
		!strings.HasSuffix(s.out, ",32\n") {
		t.Errorf("prints %s", s.out)
	}
	if s := good(t, dir, "trace", "info", "--cluster", "1x2x8",
		"synth:poisson,jobs=3000,load=1"); !strings.Contains(s.out, "load 1 x 16 GPUs") || s.errors != "" &&
		strings.Contains(s.errors, "note") {
		t.Errorf("prints %s and %s", s.out, s.errors)
	}
}

// TestFormatsAgree: table, JSON and CSV have the same numbers.
func TestFormatsAgree(t *testing.T) {
	dir := t.TempDir()
	run := []string{"compare", "--trace", "synth:demo,jobs=40", "--cluster", "1x2x8", "--policy", "fifo", "--policy",
		"srtf"}
	all, order := objects(t, good(t, dir, append(run, "--format", "json")...).out)
	rows, err := csv.NewReader(strings.NewReader(good(t, dir, append(run, "--format", "csv")...).out)).ReadAll()
	if err != nil || len(rows) != 3 || !slices.Equal(rows[0], order[0]) {
		t.Fatalf("rows %v, error %v", rows, err)
	}
	for i, row := range rows[1:] {
		for k, name := range rows[0] {
			switch v := all[i][name].(type) {
			case nil:
				if row[k] != "" {
					t.Errorf("%s is null and %q", name, row[k])
				}
			case string:
				if row[k] != v {
					t.Errorf("%s is %q and %q", name, v, row[k])
				}
			case float64:
				if x, err := strconv.ParseFloat(row[k], 64); err != nil || x != v {
					t.Errorf("%s is %v and %q", name, v, row[k])
				}
			}
		}
	}
	table := good(t, dir, run...).out
	if n := strings.Count(table, "\n"); n != 5 || !strings.HasSuffix(table,
		"* knows the work that is left (clairvoyant)\n") || !strings.Contains(table, " srtf* ") ||
		strings.Contains(table, "fifo*") || !strings.Contains(table,
		strconv.FormatFloat(all[1]["jct_mean_s"].(float64)/3600, 'f', 3, 64)) ||
		!strings.Contains(table, "times in hours; intervals over jobs") {
		t.Errorf("table\n%s", table)
	}
}

// TestByHand runs a workload whose result is known: two jobs of 4 GPUs, one after the other on one
// machine.
func TestByHand(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "j.csv"), []byte("id,submit_s,gpus,work_s\na,0,4,400\nb,20,4,200\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	run := []string{"simulate", "--trace", "csv:j.csv", "--cluster", "1x1x4", "--speed", "counting", "--policy",
		"fifo", "--format", "json"}
	all, _ := objects(t, good(t, dir, run...).out)
	for key, want := range map[string]float64{"jct_mean_s": 115, "jct_p50_s": 115, "queue_mean_s": 40,
		"makespan_s": 150, "gpu_util_frac": 1, "comm_frac": 0, "jobs": 2} {
		if got := all[0][key].(float64); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, expected %v", key, got, want)
		}
	}
	all, _ = objects(t, good(t, dir, append(run, "--cost", "start_s=5")...).out)
	if got := all[0]["makespan_s"].(float64); got != 160 {
		t.Errorf("makespan with a start of 5 s is %v, expected 160", got)
	}
	cut := good(t, dir, append(run, "--until", "50")...)
	if !strings.Contains(cut.errors, "fifo, replicate 0: 2 jobs had not finished when the run ended") {
		t.Errorf("a run that is cut says %q", cut.errors)
	}
	all, _ = objects(t, cut.out)
	if all[0]["jct_mean_s"] != nil || all[0]["makespan_s"] != 50.0 {
		t.Errorf("a run that is cut before any end gives %v", all[0])
	}
}

// TestJobLargerThanTheCluster is named, refused, and the run ends.
func TestJobLargerThanTheCluster(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "j.csv"), []byte("id,submit_s,gpus,work_s\nsmall,0,4,400\nhuge,1,"+
		"400,200\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := good(t, dir, "simulate", "--trace", "csv:j.csv", "--cluster", "1x1x4", "--speed", "counting", "--policy",
		"dally", "--format", "json")
	if !strings.Contains(s.errors, "dally: 1 jobs refused, larger than the cluster of 4 GPUs: huge") ||
		!strings.Contains(s.out, `"jct_mean_s": 100,`) {
		t.Errorf("said %q and %q", s.out, s.errors)
	}
}

// TestFlagsGoBeforeTheFile, and the file before the preset.
func TestFlagsGoBeforeTheFile(t *testing.T) {
	dir := t.TempDir()
	yaml := "preset: paper\ntrace: synth:demo,jobs=10\npolicy: dally\nspeed: counting\nplacement: best-fit\nseed: 4\n"
	if err := os.WriteFile(filepath.Join(dir, "r.yaml"), []byte(yaml), 0o666); err != nil {
		t.Fatal(err)
	}
	good(t, dir, "simulate", "--config", "r.yaml", "--seed", "5", "--cluster", "2x2x8", "--out", "o")
	data, err := os.ReadFile(filepath.Join(dir, "o", "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"seed":5`, `"placement":"best-fit"`, `"name":"paper:2x2x8"`, `"preset":"paper"`,
		`"chunk_iterations":1000`, `"speed":"counting"`} {
		if !bytes.Contains(data, []byte(want)) {
			t.Errorf("configuration lacks %s:\n%s", want, data)
		}
	}
}

func TestPicturesAndTimeline(t *testing.T) {
	dir := t.TempDir()
	s := good(t, dir, "compare", "--trace", "synth:demo,jobs=30", "--cluster", "2x2x8", "--policy", "fifo", "--policy",
		"srtf", "--plot", "p", "--timeline", "t.json")
	for _, name := range []string{"jct_cdf", "means", "relative"} {
		f, err := os.Open(filepath.Join(dir, "p", name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		pic, err := png.Decode(f)
		f.Close()
		if err != nil || pic.Bounds().Dx() < 500 {
			t.Errorf("%s: %v", name, err)
		}
		svg, err := os.ReadFile(filepath.Join(dir, "p", name+".svg"))
		if err != nil || !bytes.Contains(svg, []byte("<svg")) {
			t.Errorf("%s.svg: %v", name, err)
		}
	}
	for _, policy := range []string{"fifo", "srtf"} {
		data, err := os.ReadFile(filepath.Join(dir, "t-"+policy+".json"))
		var trace struct{ TraceEvents []map[string]any }
		if err == nil {
			err = json.Unmarshal(data, &trace)
		}
		if err != nil || len(trace.TraceEvents) < 60 {
			t.Errorf("timeline of %s: %d events, error %v", policy, len(trace.TraceEvents), err)
		}
	}
	if strings.Contains(s.out, "pictures") || !strings.Contains(s.errors, "pictures: ") {
		t.Error("where the pictures are is not told on standard error")
	}
	if !strings.Contains(s.errors, "timeline: t-fifo.json (fifo), t-srtf.json (srtf*) (open") {
		t.Errorf("the policies of the timelines are not marked: %s", s.errors)
	}
}

// TestPandasReadsARun reads the trials of a run in one line of pandas.
func TestPandasReadsARun(t *testing.T) {
	python, err := filepath.Abs("../build/venv/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(python); err != nil {
		t.Skip("pandas does not read the run: build/venv is absent (make venv makes it where Python 3 is installed)")
	}
	dir := t.TempDir()
	s := good(t, dir, "compare", "--trace", "synth:demo,jobs=30", "--cluster", "2x2x8", "--policy", "fifo", "--policy",
		"dally:t_rack=6,t_net=inf", "--replicates", "2", "--out", "o", "--format", "json")
	cmd := exec.Command(python, "-c", `import json, pandas
t = pandas.read_parquet("o/trials")
j = pandas.read_parquet("o/jobs")
assert len(t) == 4 and len(j) == 120, (len(t), len(j))
for line in open("said.json"):
    said = json.loads(line)
    mine = t[t.policy == said["policy"]]
    assert len(mine) == 2, said["policy"]
    for key in ("jct_mean_s", "makespan_s", "comm_frac", "preemptions"):
        assert abs(mine[key].mean() - said[key]) <= 1e-9 * abs(said[key]), key
    assert abs(j[j.policy == said["policy"]].jct_s.mean() - said["jct_mean_s"]) < 1e-6
`)
	cmd.Dir = dir
	if err := os.WriteFile(filepath.Join(dir, "said.json"), []byte(s.out), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// A policy that knows estimates is clairvoyant where they have no error, and is not where they have
// one.
func TestExactEstimatesAreClairvoyant(t *testing.T) {
	dir := t.TempDir()
	run := []string{"compare", "--trace", "synth:demo,jobs=20", "--cluster", "1x2x8", "--policy", "easy", "--policy",
		"dally"}
	if out := good(t, dir, run...).out; !strings.Contains(out, " easy* ") || strings.Contains(out, "dally*") ||
		!strings.Contains(out, "(clairvoyant)") {
		t.Errorf("with exact estimates:\n%s", out)
	}
	run = append(run, "--estimate-error", "0.5")
	if out := good(t, dir, run...).out; !strings.Contains(out, " easy ") || strings.Contains(out, "*") {
		t.Errorf("with wrong estimates:\n%s", out)
	}
	if all, _ := objects(t, good(t, dir, append(run, "--format", "json")...).out); all[0]["knows"] != "estimate" ||
		all[1]["knows"] != "done" {
		t.Errorf("with wrong estimates: %v", all)
	}
}

// Lists mark who is clairvoyant, of policies and of environments with their defaults.
func TestListsSayWhoIsClairvoyant(t *testing.T) {
	dir := t.TempDir()
	column := map[string]int{"policies": 2, "envs": 1}
	for list, want := range map[string]map[string]string{
		"policies": {"dally": "done", "srtf": "work*", "tiresias": "nothing", "tiresias-gittins": "history",
			"artist-tiresias": "work+speed*", "easy": "estimate"},
		"envs": {"tarry/DelayTimer-v0": "done", "tarry/Preempt-v0": "done+work*", "tarry/Offer-v0": "done+work*",
			"classic/CartPole-v1": "-"},
	} {
		out := good(t, dir, "list", list).out
		for name, knows := range want {
			if !slices.ContainsFunc(strings.Split(out, "\n"), func(line string) bool {
				f := regexp.MustCompile("  +").Split(line, -1)
				return len(f) > 2 && f[0] == name && f[column[list]] == knows
			}) {
				t.Errorf("list %s does not say that %s knows %s:\n%s", list, name, knows, out)
			}
		}
	}
	for _, c := range [][3]string{{"policies", "srsf", "knows of jobs: work (clairvoyant"},
		{"policies", "dally", "knows of jobs: done\n"},
		{"envs", "tarry/Offer-v0", "an agent in it knows of jobs: done+work (clairvoyant: work is the work that is " +
			"left); with hide=work: done\n"},
		{"envs", "tarry/DelayTimer-v0", "an agent in it knows of jobs: done\n"}} {
		if out := good(t, dir, "list", c[0], c[1]).out; !strings.Contains(out, c[2]) {
			t.Errorf("list %s %s lacks %q:\n%s", c[0], c[1], c[2], out)
		}
	}
}

// The bounded slowdown counts short jobs as 10 s and is at least 1; only the preset of the
// published protocol prints it.
func TestBoundedSlowdownIsPrinted(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"two.csv": "id,submit_s,gpus,work_s\na,0,256,25600\nb,50,256,512\n",
		"one.yaml": "preset: rlscheduler\nwindow_starts: [0]\nwindow_jobs: 2\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := []string{"--trace", "csv:two.csv", "--policy", "picked"}
	if out := good(t, dir, append([]string{"simulate", "--cluster", "1x32x8", "--speed", "counting"},
		run...)...).out; strings.Contains(out, "bsld") {
		t.Errorf("without the preset simulate prints\n%s", out)
	}
	run = append(run, "--config", "one.yaml")
	// a runs 100 s from 0; b comes at 50 s, waits 50 s and runs 2 s: 52/10. The mean is 3.1.
	if out := good(t, dir, append([]string{"simulate"}, run...)...).out; !strings.Contains(out, "bsld mean") ||
		!strings.Contains(out, " 3.10\n") {
		t.Errorf("simulate prints\n%s", out)
	}
	if all, _ := objects(t, good(t, dir, append([]string{"simulate", "--format", "json"},
		run...)...).out); all[0]["bsld_mean"] != 3.1 {
		t.Errorf("bsld_mean is %v, expected 3.1", all[0]["bsld_mean"])
	}
}

// Bounds are rows of their own, which the foot explains and the tables name as such; policies' own
// rows stay as they are.
func TestBoundsAreRows(t *testing.T) {
	dir := t.TempDir()
	run := []string{"compare", "--trace", "synth:demo,jobs=30", "--cluster", "2x2x4", "--policy", "dally", "--policy",
		"fifo", "--replicates", "2", "--out", "x"}
	plain := good(t, dir, append(run, "--format", "json")...).out
	got := good(t, dir, append(run, "--format", "json", "--bounds")...).out
	if rows, _ := objects(t, got); !strings.HasPrefix(got, plain) || len(rows) != 8 ||
		rows[2]["policy"] != "ideal:best-shape" || rows[3]["policy"] != "hindsight:static-timers" ||
		rows[5]["policy"] != "hindsight:clairvoyant" || rows[5]["knows"] != "work" ||
		rows[6]["policy"] != "placebo:clairvoyant" || rows[7]["policy"] != "hindsight:rollout" ||
		rows[7]["knows"] == "done" {
		t.Errorf("compare prints\n%s\nwithout bounds\n%s", got, plain)
	}
	table := good(t, dir, append(run, "--bounds")...)
	if !strings.Contains(table.out, " hindsight:clairvoyant* ") ||
		!strings.Contains(table.out, "a policy may pass them") {
		t.Errorf("compare prints\n%s", table.out)
	}
	if out := good(t, dir, run...).out; strings.Contains(out, "hindsight") {
		t.Errorf("without --bounds compare prints\n%s", out)
	}
}

// On a cluster of several GPU types the result has a column for each, in the order of the cluster;
// files of an earlier run give the same.
func TestResultByType(t *testing.T) {
	dir := t.TempDir()
	csv := "id,submit_s,gpus,work_s,gpu_type\na,0,1,100,k80\nb,0,2,150,v100\n"
	if err := os.WriteFile(filepath.Join(dir, "t.csv"), []byte(csv), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(cluster string, more ...string) string {
		return good(t, dir, append([]string{"simulate", "--trace", "csv:t.csv", "--cluster", cluster, "--policy",
			"fifo", "--speed", "counting"}, more...)...).out
	}
	first := run("v100:1x1x2+k80:1x1x2", "--out", "runs")
	again := run("v100:1x1x2+k80:1x1x2", "--out", "runs")
	if first != again || !strings.Contains(first, "preemptions  v100 %  k80 %") ||
		!strings.Contains(first, "62.5            0    75.0   50.0") {
		t.Errorf("result\n%s\nand again\n%s", first, again)
	}
	if out := run("v100:1x1x2+k80:1x1x2", "--format", "json"); !strings.Contains(out,
		`"gpu_util_frac_v100": 0.75, "gpu_util_frac_k80": 0.5`) {
		t.Errorf("result %s", out)
	}
}
