package report

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// TestSelfContained: the page names no other source, and notes it to the browser.
func TestSelfContained(t *testing.T) {
	page := pageOf(t, newSweep(t, "a", "b").all().dir)
	if m := regexp.MustCompile(`(?i)<(script|link|img|iframe)[^>]*(src|href)="?[^"d]`).FindString(page); m != "" {
		t.Errorf("the page loads something: %s", m)
	}
	for _, want := range []string{"default-src &#39;none&#39;", "connect-src &#39;none&#39;", `data-mode="file"`,
		"<title>fixture</title>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// TestHostileNames: a name cannot end the script element that holds the data, nor start another.
func TestHostileNames(t *testing.T) {
	page := pageOf(t, newSweep(t, "a", hostile).all().dir)
	if n := strings.Count(page, "</script>"); n != 2 {
		t.Errorf("%d ends of scripts, want 2", n)
	}
	for _, bad := range []string{"<img", "<!--", "\u2028"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has a bare %q", bad)
		}
	}
	if !strings.Contains(page, `evil\u003c/script\u003e`) {
		t.Error("the name is not in the data")
	}
}

// TestDeterministic: the same folder gives the same bytes, whatever another reader did before.
func TestDeterministic(t *testing.T) {
	f := newSweep(t, "a", "b", "c").all()
	first := pageOf(t, f.dir)
	r := NewReader(f.dir, Options{})
	for range 2 {
		p, err := r.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := Write(&out, p); err != nil {
			t.Fatal(err)
		}
		if out.String() != first {
			t.Fatal("two pages of one folder differ")
		}
	}
}

// TestWrongFolders reports what was expected.
func TestWrongFolders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	f := fixture{t: t, dir: filepath.Dir(file)}
	f.write("f", "")
	broken := fixture{t: t, dir: t.TempDir()}
	broken.write("sweep.json", "{}")
	broken.write("cells.jsonl", `{"id": "../x"}`)
	for _, c := range []struct{ dir, want string }{
		{filepath.Join(f.dir, "none"), "none does not exist, expected the folder of a sweep"},
		{file, "is a file, expected the folder of a sweep"},
		{t.TempDir(), "has no sweep.json, trials, evals, curves or tune, and no folder in it has: expected the folder of a " +
			"sweep, of compare --out, eval --out, train --out or tune --out"},
		{broken.dir, `cells.jsonl: cell 0 has the id "../x", expected key=value/...`},
	} {
		if _, err := NewReader(c.dir, Options{}).Read(t.Context()); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.dir, err, c.want)
		}
	}
	good := newSweep(t, "dally", "fifo").all()
	_, err := NewReader(good.dir, Options{First: "daly"}).Read(t.Context())
	if want := `report: no trial of policy "daly", expected one of dally, fifo; did you mean "dally"?`; err == nil ||
		err.Error() != want || !errors.Is(err, ErrAsked) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestHandler: the page is live, the data have a tag, nothing else is served.
func TestHandler(t *testing.T) {
	f := newSweep(t, "a", "b")
	h := NewReader(f.dir, Options{}).Handler()
	get := func(method, path, tag string) *httptest.ResponseRecorder {
		q := httptest.NewRequest(method, path, nil)
		q.Header.Set("If-None-Match", tag)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, q)
		return w
	}
	if w := get("GET", "/", ""); w.Code != 200 || !strings.Contains(w.Body.String(), `data-mode="live"`) ||
		!strings.Contains(w.Body.String(), "connect-src &#39;self&#39;") {
		t.Errorf("page: %d", w.Code)
	}
	first := get("GET", "/data.json", "")
	tag := first.Header().Get("ETag")
	if first.Code != 200 || tag == "" || !strings.Contains(first.Body.String(), `"total":18,"done":0`) {
		t.Errorf("data: %d, tag %q, %s", first.Code, tag, first.Body)
	}
	if w := get("GET", "/data.json", tag); w.Code != http.StatusNotModified || w.Body.Len() > 0 {
		t.Errorf("the same data: %d", w.Code)
	}
	f.done("0.5", "a", 1)
	if w := get("GET", "/data.json", tag); w.Code != 200 || !strings.Contains(w.Body.String(), `"total":18,"done":1`) {
		t.Errorf("new data: %d", w.Code)
	}
	for _, c := range []struct {
		method, path string
		want         int
	}{{"POST", "/", 405}, {"GET", "/sweep.json", 404}, {"GET", "/../sweep.json", 307}, {"PUT", "/data.json", 405}} {
		if w := get(c.method, c.path, ""); w.Code != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, w.Code, c.want)
		}
	}
}

// TestManyAskAtOnce is for the race detector: a sweep runs while browsers ask.
func TestManyAskAtOnce(t *testing.T) {
	f := newSweep(t, "a", "b")
	h := NewReader(f.dir, Options{}).Handler()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 3 {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequest("GET", "/data.json", nil))
				if w.Code != 200 {
					t.Errorf("%d: %s", w.Code, w.Body)
				}
			}
		})
	}
	f.done("0.5", "a", 1)
	f.done("0.5", "b", 1)
	all.Wait()
}
