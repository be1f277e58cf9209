package app

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarry/output/tensorboard"
)

// TestReport: a page of a comparison, the same twice and with flags on both sides of the folder.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	good(t, dir, "compare", "--trace", "synth:demo,jobs=20", "--cluster", "2x2x4", "--policy", "fifo", "--policy",
		"srtf", "--replicates", "2", "--out", "runs")
	if s := good(t, dir, "report", "runs"); s.out != filepath.Join("runs", "report.html")+"\n" {
		t.Errorf("it says %q", s.out)
	}
	good(t, dir, "report", "runs", "--out", "behind.html")
	good(t, dir, "report", "--out", "before.html", "runs")
	first, err := os.ReadFile(filepath.Join(dir, "runs", "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"behind.html", "before.html"} {
		if again, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(again) != string(first) {
			t.Errorf("%s differs from the first page, %v", name, err)
		}
	}
	for _, want := range []string{"<title>fifo, srtf on synth:demo,jobs=20</title>", "Differences against fifo",
		`"config_sha256"`} {
		if !strings.Contains(string(first), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"report"}, exitUsage, "tarry: no folder, expected the folder of a sweep or of --out (see " +
			"tarry report --help)"},
		{[]string{"report", "runs", "more"}, exitUsage, "tarry: report: more does not exist, expected the folder of " +
			"a sweep"},
		{[]string{"watch", "runs", "more"}, exitUsage,
			`tarry: unexpected argument "more": tarry watch takes one folder (see tarry watch --help)`},
		{[]string{"report", "none"}, exitUsage, "tarry: report: none does not exist, expected the folder of a sweep"},
		{[]string{"report", "before.html"}, exitUsage, "tarry: report: before.html is a file, expected the folder " +
			"of a sweep"},
		{[]string{"report", "runs/jobs"}, exitUsage, "tarry: report: runs/jobs has no sweep.json, trials, evals, curves or " +
			"tune, and no folder in it has: expected"},
		{[]string{"report", "runs", "--out", "no/such/page.html"}, exitOK, ""},
		{[]string{"report", "runs", "--out", "before.html/x"}, exitFailed, "tarry: --out: "},
		{[]string{"report", "runs", "--first", "srft"}, exitUsage,
			`tarry: report: no trial of policy "srft", expected one of fifo, srtf; did you mean "srtf"?`},
		{[]string{"report", "runs", "--outt", "x"}, exitUsage, `unknown flag --outt; did you mean "out"?`},
		{[]string{"watch", "runs", "--listen", "0.0.0.0"}, exitUsage,
			`tarry: --listen: other machines can reach "0.0.0.0", expected 127.0.0.1, ::1 or localhost; --expose allows it`},
		{[]string{"watch", "runs", "--port", "70000"}, exitUsage, "tarry: --port: 70000, expected 0..65535"},
		{[]string{"watch", "before.html"}, exitUsage, "tarry: report: before.html is a file, expected the folder " +
			"of a sweep"},
		{[]string{"watch", "runs/jobs"}, exitUsage, "tarry: report: runs/jobs has no sweep.json, trials, evals, curves or " +
			"tune, and no folder in it has: expected"},
		{[]string{"export", "tensorboard", "none", "--out", "b"}, exitUsage,
			"tarry: tensorboard: none does not exist, expected the folder of a sweep"},
		{[]string{"export", "tensorboard", "runs", "--out", "b"}, exitUsage,
			"tarry: tensorboard: runs holds no curves, expected a folder of tarry train, of a sweep that trains, or " +
				"one that holds such folders"},
		{[]string{"export", "tensorboard", "runs"}, exitUsage, "tarry: no --out, expected the folder to write event " +
			"files into"},
	} {
		if s := tarry(t, dir, c.args...); s.code != c.code || !strings.Contains(s.errors, c.want) {
			t.Errorf("tarry %s: exit code %d, %s; want %d, %s", strings.Join(c.args, " "), s.code, s.errors, c.code,
				c.want)
		}
	}
}

// TestReportOfAQuestion: the catalogue's prediction is on the page.
func TestReportOfAQuestion(t *testing.T) {
	dir := t.TempDir()
	good(t, dir, "sweep", "--question", "load", "--scale", "tiny", "--set", "trace=synth:poisson,load={load},jobs=10",
		"--out", "q")
	good(t, dir, "report", "q", "--out", "q.html")
	page, err := os.ReadFile(filepath.Join(dir, "q.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"name":"prediction"`, `"name":"how to read it"`, `"id":"axis-load"`, `"failed":0`} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// TestExportTensorBoard: the runs of a folder become event files, the same twice, with the times
// that training recorded; a run without such times gets a note.
func TestExportTensorBoard(t *testing.T) {
	dir := t.TempDir()
	for seed, timing := range map[string]string{"1": "--timing", "2": "--timing=false"} {
		good(t, dir, "train", "--env", "classic/CartPole-v1", "--out", "runs/"+seed, "--steps", "1024", "--seed", seed,
			timing)
	}
	before := time.Now()
	var files [2][]byte
	for i, out := range []string{"a", "b"} {
		s := good(t, dir, "export", "tensorboard", "runs", "--out", out)
		want := filepath.Join(out, "1", "events.out.tfevents.0000000000.tarry") + "\n" +
			filepath.Join(out, "2", "events.out.tfevents.0000000000.tarry") + "\n"
		if s.out != want || !strings.Contains(s.errors, "1 of 2 runs have no table timing") {
			t.Errorf("it says %q and %q", s.out, s.errors)
		}
		data, err := os.ReadFile(filepath.Join(dir, out, "1", "events.out.tfevents.0000000000.tarry"))
		if err != nil {
			t.Fatal(err)
		}
		files[i] = data
	}
	if string(files[0]) != string(files[1]) {
		t.Error("two exports of one run differ")
	}
	scalars, err := tensorboard.Decode(bytes.NewReader(files[0]))
	if err != nil || len(scalars) == 0 {
		t.Fatal(err)
	}
	for _, s := range scalars {
		if age := before.Sub(time.UnixMicro(int64(s.Wall * 1e6))); age < 0 || age > time.Hour {
			t.Fatalf("%+v is of %v before the export", s, age)
		}
	}
}

// TestFirstIsAsGiven: the policy that the others are compared with is the first of the command
// line, also where another name comes first in the order of the folders and after the same trials
// were asked for in another order.
func TestFirstIsAsGiven(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ policies []string }{{[]string{"srtf", "fifo"}}, {[]string{"fifo", "srtf"}},
		{[]string{"tiresias", "srtf", "fifo"}}} {
		args := []string{"compare", "--trace", "synth:demo,jobs=20", "--cluster", "2x2x4", "--out", "runs"}
		for _, p := range c.policies {
			args = append(args, "--policy", p)
		}
		good(t, dir, args...)
		good(t, dir, "report", "runs", "--out", "page.html")
		page, err := os.ReadFile(filepath.Join(dir, "page.html"))
		if err != nil || !strings.Contains(string(page), "Differences against "+c.policies[0]) {
			t.Errorf("%v: the page lacks differences against the first, %v", c.policies, err)
		}
	}
}

// TestWatch: the server waits for its folder, prints its address, answers on it, refuses other
// names and ends on Ctrl-C with the code of what is interrupted.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(binary(), "watch", "runs")
	cmd.Dir = dir
	said := &strings.Builder{}
	cmd.Stderr = said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill() // when a check below ends the test; otherwise it has ended
	url, err := bufio.NewReader(out).ReadString('\n')
	url = strings.TrimSpace(url)
	if err != nil || !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Fatalf("address %q, %v", url, err)
	}
	get := func(path, host string) (int, string) {
		q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Host = host
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(text)
	}
	if code, data := get("data.json", ""); code != http.StatusOK || !strings.Contains(data, "runs does not exist yet") {
		t.Errorf("before the folder is there: %d, %.200s", code, data)
	}
	good(t, dir, "simulate", "--trace", "synth:demo,jobs=10", "--cluster", "2x2x4", "--policy", "fifo", "--out", "runs")
	if code, page := get("", ""); code != http.StatusOK || !strings.Contains(page, `data-mode="live"`) {
		t.Errorf("page: %d", code)
	}
	if code, data := get("data.json", "localhost"); code != http.StatusOK ||
		!strings.HasPrefix(data, `{"title":"fifo on synth:demo,jobs=10"`) {
		t.Errorf("data: %d, %.80s", code, data)
	}
	if code, _ := get("data.json", "results.example"); code != http.StatusMisdirectedRequest {
		t.Errorf("another host's name: %d", code)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if code := cmd.ProcessState.ExitCode(); code != exitInterrupted ||
			!strings.Contains(said.String(), "waiting for runs, which does not exist yet") {
			t.Errorf("Ctrl-C ends it with %v, want exit code %d; it said %s", err, exitInterrupted, said)
		}
	case <-time.After(20 * time.Second):
		t.Error("Ctrl-C does not end it")
	}
}
