package app

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarry/output/results"
)

// sums gives the SHA-256 of every file below dir except the table timing's, the only one that
// wall times reach.
func sums(t *testing.T, dir string) map[string]string {
	t.Helper()
	out, err := hashes(dir)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// hashes is sums for who has no test at hand.
func hashes(dir string) (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if filepath.Base(filepath.Dir(p)) == "timing" {
			return nil
		}
		data, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		out[rel] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	return out, err
}

func sameFiles(t *testing.T, why string, a, b map[string]string) {
	t.Helper()
	for f, h := range a {
		if b[f] != h {
			t.Errorf("%s: %s differs", why, f)
		}
	}
	for f := range b {
		if _, ok := a[f]; !ok {
			t.Errorf("%s: %s is too many", why, f)
		}
	}
}

// compareRun is a run of a second or so that writes many files.
func compareRun(out string, more ...string) []string {
	jobs := 3000
	if len(raceFlags()) > 0 { // the same goroutines meet over fewer jobs, and each takes ten times as long
		jobs = 600
	}
	return append([]string{"compare", "--trace", fmt.Sprintf("synth:philly,jobs=%d,gpus=128,load=0.9", jobs),
		"--cluster", "4x4x8", "--policy", "dally",
		"--policy", "fifo", "--policy", "tiresias", "--replicates", "4", "--out", out, "--format", "json",
		"--cost", "checkpoint_s=5", "--machine-mtbf", "1e6", "--estimate-error", "0.3"}, more...)
}

// TestSameBytes: one worker and eight, twice in a row, and after interruptions.
func TestSameBytes(t *testing.T) {
	dir := t.TempDir()
	one := good(t, dir, compareRun("one", "--jobs", "1")...)
	want := sums(t, filepath.Join(dir, "one"))
	if len(want) != 4*12+2 {
		t.Fatalf("%d files, expected four tables of twelve trials, the configuration and the manifest", len(want))
	}
	eight := good(t, dir, compareRun("eight", "--jobs", "8")...)
	sameFiles(t, "eight workers", want, sums(t, filepath.Join(dir, "eight")))
	again := good(t, dir, compareRun("one", "--jobs", "3")...)
	sameFiles(t, "a second run", want, sums(t, filepath.Join(dir, "one")))
	if one.out != eight.out || one.out != again.out {
		t.Error("the results differ")
	}
	if !strings.Contains(again.errors, "12 of 12 trials were complete already") {
		t.Errorf("the second run says %q", again.errors)
	}
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM} {
		out := "after-" + sig.String()
		code := interrupt(t, dir, sig, filepath.Join(dir, out), compareRun(out, "--jobs", "2")...)
		if sig != syscall.SIGKILL && code != exitInterrupted {
			t.Errorf("%v: exit code %d, expected %d", sig, code, exitInterrupted)
		}
		if sig != syscall.SIGKILL {
			wholeFiles(t, sig.String(), filepath.Join(dir, out), want)
		}
		rerun := good(t, dir, compareRun(out)...)
		sameFiles(t, sig.String(), want, sums(t, filepath.Join(dir, out)))
		if rerun.out != one.out {
			t.Errorf("%v: the result of the rerun differs", sig)
		}
	}
}

// plannedRun is a run of a second or so under planners.
func plannedRun(out string, more ...string) []string {
	return append([]string{"compare", "--trace", "synth:recur,jobs=90,load=1.1", "--cluster", "2x2x4", "--predict",
		"last2", "--policy", "ranked:predicted=true,rollout=6,samples=4", "--policy", "ranked:exact=true,rollout=6",
		"--policy", "planned:base=tiresias,rollout=6,samples=2,epoch=1",
		"--replicates", "3", "--out", out, "--format", "json"}, more...)
}

// A planner's draws are streams of its own: one worker and two, and a run that was killed and begun
// again, give the same bytes.
func TestSameBytesWithAPlanner(t *testing.T) {
	dir := t.TempDir()
	one := good(t, dir, plannedRun("one", "--jobs", "1")...)
	want := sums(t, filepath.Join(dir, "one"))
	two := good(t, dir, plannedRun("two", "--jobs", "2")...)
	sameFiles(t, "two workers", want, sums(t, filepath.Join(dir, "two")))
	interrupt(t, dir, syscall.SIGKILL, filepath.Join(dir, "killed"), plannedRun("killed", "--jobs", "1")...)
	again := good(t, dir, plannedRun("killed", "--jobs", "2")...)
	sameFiles(t, "killed and begun again", want, sums(t, filepath.Join(dir, "killed")))
	if two.out != one.out || again.out != one.out {
		t.Error("the results differ")
	}
	base := slices.Clone(plannedRun("base"))
	for i := range base {
		base[i] = strings.ReplaceAll(base[i], "rollout=6", "rollout=0")
	}
	if good(t, dir, base...).out == strings.ReplaceAll(one.out, "rollout=6", "rollout=0") {
		t.Error("the planner has no effect")
	}
}

// interrupt starts a run, sends the signal once a trial is on disk, and gives the exit code.
func interrupt(t *testing.T, dir string, sig syscall.Signal, out string, args ...string) int {
	t.Helper()
	cmd := exec.Command(binary(), args...)
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 20000 {
		if found, _ := filepath.Glob(filepath.Join(out, "trials", "*", "*", "*.parquet")); len(found) > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() // the exit code shows the rest
	if found, _ := filepath.Glob(filepath.Join(out, results.ManifestName)); len(found) > 0 {
		t.Logf("%v came after the run was over", sig)
		return exitInterrupted
	}
	return cmd.ProcessState.ExitCode()
}

// wholeFiles: what an interrupted run left is a part of the whole run, byte for byte.
func wholeFiles(t *testing.T, why, dir string, want map[string]string) {
	t.Helper()
	for f, h := range sums(t, dir) {
		if want[f] != h {
			t.Errorf("%s left %s, which is not whole", why, f)
		}
	}
}

// TestOut: another configuration in the folder is refused, --force replaces it; a folder that
// cannot be written is a clear error.
func TestOut(t *testing.T) {
	dir := t.TempDir()
	run := func(more ...string) []string {
		return append([]string{"simulate", "--trace", "synth:demo,jobs=10", "--policy", "fifo", "--out", "o"}, more...)
	}
	good(t, dir, run()...)
	before := sums(t, dir)
	s := tarry(t, dir, run("--seed", "2")...)
	if s.code != exitUsage ||
		!strings.Contains(s.errors, "--out: o holds the results of another configuration (see "+filepath.Join("o",
			"config.json")+"); give another folder, or --force to replace them") {
		t.Errorf("exit code %d, errors %q", s.code, s.errors)
	}
	sameFiles(t, "a refused run", before, sums(t, dir))
	if err := os.WriteFile(filepath.Join(dir, "o", "mine.txt"), []byte("keep"), 0o666); err != nil {
		t.Fatal(err)
	}
	good(t, dir, run("--seed", "2", "--force")...)
	if data, err := os.ReadFile(filepath.Join(dir, "o", "mine.txt")); err != nil || string(data) != "keep" {
		t.Error("--force removed a file that is not tarry's")
	}
	rows, err := results.ReadDir[results.Trial](context.Background(), filepath.Join(dir, "o", "trials"))
	if err != nil || len(rows) != 1 || rows[0].Seed != 2 {
		t.Errorf("trials %+v, error %v", rows, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	s = tarry(t, dir, run("--out", "file/x")...)
	if s.code != exitFailed || !strings.Contains(s.errors, "--out: ") ||
		!strings.Contains(s.errors, "not a directory") || s.out != "" {
		t.Errorf("exit code %d, output %q, errors %q", s.code, s.out, s.errors)
	}
	if os.Geteuid() != 0 {
		if err := os.Mkdir(filepath.Join(dir, "locked"), 0o555); err != nil {
			t.Fatal(err)
		}
		s = tarry(t, dir, run("--out", "locked/x")...)
		if s.code != exitFailed || !strings.Contains(s.errors, "permission denied") {
			t.Errorf("exit code %d, errors %q", s.code, s.errors)
		}
	}
}

// TestManifest: the manifest of a run verifies, and a changed file does not.
func TestManifest(t *testing.T) {
	dir := t.TempDir()
	good(t, dir, "compare", "--trace", "synth:demo,jobs=10", "--policy", "fifo", "--policy", "srtf", "--out", "o",
		"--timing")
	out := filepath.Join(dir, "o")
	m, err := results.ReadManifest(out)
	if err != nil || len(m.Files) != 8 {
		t.Fatalf("manifest %+v, error %v", m, err)
	}
	if err := m.Verify(out); err != nil {
		t.Error(err)
	}
	timing, err := results.ReadDir[results.Timing](context.Background(), filepath.Join(out, "timing"))
	if err != nil || len(timing) != 2 || !(timing[0].Wall > 0) || timing[0].Events == 0 {
		t.Errorf("timing %+v, error %v", timing, err)
	}
	if err := os.Truncate(filepath.Join(out, filepath.FromSlash(m.Files[0].Path)), 10); err != nil {
		t.Fatal(err)
	}
	if m.Verify(out) == nil {
		t.Error("a cut file verifies")
	}
}
