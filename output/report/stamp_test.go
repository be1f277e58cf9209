package report

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/output/results"
)

// polls asks a reader's server n times and gives the last answer's code.
func polls(t *testing.T, r *Reader, tag string, n int) (int, string) {
	t.Helper()
	code := 0
	for range n {
		q := httptest.NewRequest(http.MethodGet, "/data.json", nil)
		q.Header.Set("If-None-Match", tag)
		w := httptest.NewRecorder()
		r.Handler().ServeHTTP(w, q)
		code, tag = w.Code, w.Header().Get("ETag")
	}
	return code, tag
}

// TestUnchangedFolderIsNotRead: a poll of a folder in which nothing has changed reads no file;
// every kind of change is seen.
func TestUnchangedFolderIsNotRead(t *testing.T) {
	sweep := newSweep(t, "a", "b")
	sweep.done("0.5", "a", 1)
	sweep.status(sweep.id("0.5", "b", 1), "running")
	train, trials := fixture{t: t, dir: t.TempDir()}, newTrials(t, "a", "b")
	newTraining(t, train.dir, 1, 4)
	many := fixture{t: t, dir: t.TempDir()}
	newTraining(t, filepath.Join(many.dir, "1"), 1, 4)
	for _, c := range []struct {
		name    string
		dir     string
		changes []func()
	}{
		{"sweep", sweep.dir, []func(){
			func() { sweep.done("0.5", "b", 1) },
			func() { newTraining(t, filepath.Join(sweep.dir, "cells", sweep.id("1", "b", 1), "run"), 1, 2) },
			func() { newTraining(t, filepath.Join(sweep.dir, "cells", sweep.id("1", "b", 1), "run"), 1, 3) },
			func() { sweep.status(sweep.id("0.75", "b", 1), "failed") },
			func() { sweep.status(sweep.id("0.5", "a", 1), "failed") },
			func() { sweep.write("sweep.json", `{"name": "other"}`) },
		}},
		{"training", train.dir, []func(){func() { newTraining(t, train.dir, 1, 5) }}},
		{"trials", trials.dir, []func(){func() { trials.trial("c", 0) }}},
		{"many", many.dir, []func(){
			func() { newTraining(t, filepath.Join(many.dir, "2"), 2, 4) },
			func() { newTraining(t, filepath.Join(many.dir, "1"), 1, 3) },
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := NewReader(c.dir, Options{})
			_, tag := polls(t, r, "", 1)
			for i, change := range append(c.changes, func() {}) {
				if code, _ := polls(t, r, tag, 3); code != http.StatusNotModified || r.loads != i+1 {
					t.Fatalf("after %d changes three polls give %d, and the folder was read %d times", i, code, r.loads)
				}
				change()
				before := tag
				if _, tag = polls(t, r, tag, 1); i < len(c.changes) && tag == before {
					t.Errorf("change %d is not on the page", i)
				}
			}
		})
	}
}

// newTrials is a folder of tarry compare with one trial of each policy, in this order.
func newTrials(t *testing.T, policies ...string) fixture {
	t.Helper()
	f := fixture{t: t, dir: t.TempDir(), policies: policies, jobs: 4}
	list, err := json.Marshal(map[string]any{"policies": policies})
	if err != nil {
		t.Fatal(err)
	}
	f.write("config.json", string(list))
	for _, p := range policies {
		f.trial(p, 0)
	}
	return f
}

// trial writes a trial of a folder of tarry compare; its mean completion time is the replicate's
// number plus the length of the policy's name.
func (f fixture) trial(policy string, replicate int64) {
	f.t.Helper()
	part := results.Partition{{Key: "policy", Value: policy}, {Key: "replicate", Value: string(rune('0' + replicate))}}
	put(f.t, part.Target(f.dir, "trials", results.NewMeta("", "w", "v1")), []results.Trial{{
		Keys:    results.Keys{Policy: policy, Trace: "t", Cluster: "c", Replicate: replicate},
		Summary: results.Summary{Jobs: 4, JCTMean: float64(replicate) + float64(len(policy)), WorkloadSHA256: "w"}}})
}

// TestWaiting: a folder that does not exist, or in which a run has just begun, gives a page that
// notes it, and is read once it has results; without Wait, and for a folder of something else, it
// is an error.
func TestWaiting(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := NewReader(dir, Options{}).Read(t.Context()); err == nil ||
		!strings.Contains(err.Error(), dir+" does not exist, expected the folder of a sweep") {
		t.Errorf("without Wait: %v", err)
	}
	r := NewReader(dir, Options{Wait: true})
	look := func(want string, waiting bool, loads int) {
		t.Helper()
		p, err := r.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if is, err := r.Waiting(t.Context()); p.Title != want || is != waiting || err != nil || r.loads != loads {
			t.Errorf("title %q, waiting %v, %v, read %d times; want %q, %v, %d", p.Title, is, err, r.loads, want,
				waiting, loads)
		}
	}
	look("Waiting for results", true, 1)
	look("Waiting for results", true, 1)
	f := fixture{t: t, dir: dir}
	f.write("config.json", `{"agent": "ppo", "env": "e", "seed": 1}`)
	look("Waiting for results", true, 2)
	newTraining(t, dir, 1, 3)
	look("Training of ppo", false, 3)
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "letter.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := NewReader(other, Options{Wait: true}).Read(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "has no sweep.json, trials, evals, curves or tune") {
		t.Errorf("a folder of something else: %v", err)
	}
}
