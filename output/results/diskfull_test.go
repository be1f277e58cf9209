//go:build linux

package results

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A limit on the size of files stands for a full disk: writes fail part-way. The
// limit holds for a process, so the test runs itself as a child.
func TestDiskFull(t *testing.T) {
	dir := os.Getenv("TARRY_TEST_DISKFULL")
	if dir == "" {
		dir = t.TempDir()
		cmd := exec.Command(os.Args[0], "-test.run=^TestDiskFull$", "-test.v")
		cmd.Env = append(os.Environ(), "TARRY_TEST_DISKFULL="+dir)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestDiskFull") {
			t.Fatalf("child: %v\n%s", err, out)
		}
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	rows := randomRows[wide](2*groupRows, 1)
	for _, limit := range []uint64{2, 100 << 10, 600 << 10} { // in the first flush of the buffer and in later ones
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: 1 << 40}); err != nil {
			t.Skipf("no limit on files here: %v", err)
		}
		path := filepath.Join(dir, "wide.parquet")
		failsClean(t, dir, Write(ctx, Target{Path: path}, rows), "write table wide to "+path, "file too large")
		failsClean(t, dir, WriteFile(filepath.Join(dir, "x"), make([]byte, 1<<20)), "file too large")
	}
}
