package entry

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tarry/sim"
)

// TestKept: a file is read once, again when it changed, when other options ask, or when others were
// read since; what is generated, folders and errors are not kept.
func TestKept(t *testing.T) {
	var mu sync.Mutex
	reads, fail := 0, false
	open := func(string, TraceOptions) (*sim.Workload, *Report, error) {
		mu.Lock()
		defer mu.Unlock()
		if reads++; fail {
			return nil, &Report{}, errors.New("wrong row")
		}
		return &sim.Workload{}, &Report{Notes: []string{"as it is"}}, nil
	}
	c := Traces{{Name: "file", Open: open}, {Name: "drawn", Generated: true, Open: open}}.Kept(2)
	dir := t.TempDir()
	file := func(name string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, b, d := file("a"), file("b"), file("d")
	step := func(what string, want int, spec string, opt TraceOptions) *Report {
		t.Helper()
		before := reads
		_, report, _ := c.Open(spec, opt)
		if reads-before != want {
			t.Errorf("%s: %d reads, expected %d", what, reads-before, want)
		}
		return report
	}
	step("first", 1, "file:"+a, TraceOptions{}).Notes[0] = "changed"
	if r := step("again", 0, "file:"+a, TraceOptions{GPUs: 8}); len(r.Notes) != 1 || r.Notes[0] != "as it is" {
		t.Errorf("the report is %+v", r)
	}
	step("strict", 1, "file:"+a, TraceOptions{Strict: true})
	step("fewer jobs", 1, "file:"+a, TraceOptions{MaxJobs: 5})
	step("others were read since", 1, "file:"+a, TraceOptions{})
	step("a second", 1, "file:"+b, TraceOptions{})
	step("the first is kept", 0, "file:"+a, TraceOptions{})
	step("a third", 1, "file:"+d, TraceOptions{})
	step("the second is gone", 1, "file:"+b, TraceOptions{})
	if err := os.Chtimes(b, time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	step("it changed", 1, "file:"+b, TraceOptions{})
	for range 2 {
		step("drawn", 1, "drawn:x", TraceOptions{})
		step("a folder", 1, "file:"+dir, TraceOptions{})
	}
	fail = true
	for range 2 {
		step("wrong", 1, "file:"+a, TraceOptions{MaxJobs: 7})
	}
	fail = false
	before := reads
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { c.Open("file:"+a, TraceOptions{MaxJobs: 9}) })
	}
	group.Wait()
	if reads-before != 1 {
		t.Errorf("eight at once: %d reads", reads-before)
	}
}
