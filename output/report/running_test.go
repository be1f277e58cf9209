package report

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tarry/output/live"
)

// within waits until a condition of the page holds.
func within(t *testing.T, b *browser, what, condition string) {
	t.Helper()
	for end := time.Now().Add(15 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		if b.js("return !!(" + condition + ")").(bool) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s: never", what)
		}
	}
}

// TestRunningTrial shows a trial while it runs: its page begins, grows and goes.
func TestRunningTrial(t *testing.T) {
	b := startBrowser(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(NewReader(dir, Options{Wait: true}).Handler())
	defer server.Close()
	b.open(server.URL)
	b.width(1280)
	for end := time.Now().Add(15 * time.Second); !live.Watched(dir); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the page does not mark the folder")
		}
	}
	stream, err := live.Create(dir, "one", &live.Head{Policy: hostile, Machines: []live.Machine{{GPUs: 4}, {GPUs: 4}},
		Jobs: []live.Job{{ID: "a", GPUs: 4}, {ID: "b", GPUs: 6, Submit: 5}, {ID: "c", GPUs: 1, Submit: 7}}})
	if err != nil {
		t.Fatal(err)
	}
	step := func(s *live.Step) {
		t.Helper()
		if err := stream.Step(s); err != nil {
			t.Fatal(err)
		}
	}
	first := live.Span{Job: 0, GPUs: [][2]int{{0, 4}}, Level: "machine"}
	step(&live.Step{Until: 10, Held: []live.Span{first}})
	const state = "document.getElementById('running-card').tarryReplay?.state()"
	is := func(text string) string {
		return fmt.Sprintf("((s) => s && [s.time, s.runs[0].busy, s.runs[0].waiting.join(), s.runs[0].finished].join(' ') "+
			"=== %q)(%s)", text, state)
	}
	within(t, b, "the trial", is("10 4 b,c 0"))
	end := 20.0
	first.End, first.Ended = &end, "finish"
	step(&live.Step{Until: 20, Ended: []live.Span{first}, Held: []live.Span{{Job: 1, Start: 20, GPUs: [][2]int{{0, 6}}}},
		Gone: [][2]float64{{2, 15}}})
	within(t, b, "its next step", is("20 6  1"))
	short := 25.0
	step(&live.Step{Until: 30, Held: []live.Span{{Job: 1, Start: 20, GPUs: [][2]int{{0, 6}}}}, Ended: []live.Span{
		{Job: 0, Start: 21, End: &short, GPUs: [][2]int{{7, 1}}, Ended: "finish"}}})
	within(t, b, "a span that began and ended between two reports", is("30 6  2"))
	b.shoot("running")
	if over := b.js(tooWide).(float64); over > 0 {
		t.Errorf("%v pixels too wide: %v", over, b.js(wideParts))
	}
	stream.Close()
	within(t, b, "its end", "document.getElementById('running').hidden")
	if said := b.complaints(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}

// TestRunningAnswers: wrong questions, and a folder that cannot be marked.
func TestRunningAnswers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	server := httptest.NewServer(NewReader(dir, Options{Wait: true}).Handler())
	defer server.Close()
	for query, want := range map[string]int{"": http.StatusOK, "?after=x": http.StatusBadRequest,
		"?after=x:-1": http.StatusOK} {
		if r := ask(t, server.URL+"/live.json"+query); r.StatusCode != want {
			t.Errorf("%q: %s", query, r.Status)
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a question made the folder")
	}
}

func ask(t *testing.T, url string) *http.Response {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	return r
}
