package experiments

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/questions"
)

// notebook is what the tests look at in a notebook.
type notebook struct {
	Cells []struct {
		Type    string   `json:"cell_type"`
		Source  []string `json:"source"`
		Outputs []any    `json:"outputs"`
	} `json:"cells"`
}

func readNotebook(t *testing.T, name string) notebook {
	t.Helper()
	var n notebook
	data, err := os.ReadFile(filepath.Join("..", "notebooks", name+".ipynb"))
	if err == nil {
		err = json.Unmarshal(data, &n)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func notebookNames() []string {
	names := []string{"tables"}
	for _, q := range questions.All().Opened() {
		names = append(names, q.Name)
	}
	return names
}

// Every question has a notebook, without outputs, of short cells; each names the sweep that makes
// its tables.
func TestNotebooksAreShort(t *testing.T) {
	for _, name := range notebookNames() {
		n := readNotebook(t, name)
		code := 0
		for i, c := range n.Cells {
			if len(c.Source) > 20 || c.Type == "code" && len(c.Source) > 8 {
				t.Errorf("%s: cell %d has %d lines, want at most 8 of code", name, i, len(c.Source))
			}
			if len(c.Outputs) > 0 {
				t.Errorf("%s: cell %d has outputs: they are made, not kept", name, i)
			}
			if c.Type == "code" {
				code++
			}
		}
		if code < 3 {
			t.Errorf("%s: %d cells of code, want three or more", name, code)
		}
		if first := strings.Join(n.Cells[0].Source, ""); name != "tables" &&
			!strings.Contains(first, "tarry sweep --question "+name+" ") {
			t.Errorf("%s: the first cell does not say which sweep it reads", name)
		}
	}
}

// Every notebook runs from its first cell to its last on the tables of the smallest sweeps.
func TestNotebooksRun(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a kernel per notebook")
	}
	jupyter, err := filepath.Abs("../build/venv/bin/jupyter-execute")
	if err != nil {
		t.Fatal(err)
	}
	fixture, err := filepath.Abs("../build/fixture")
	if err != nil {
		t.Fatal(err)
	}
	for what, path := range map[string]string{"make venv": jupyter, "make fixture": filepath.Join(fixture, "ready")} {
		if _, err := os.Stat(path); err != nil {
			t.Skipf("%s is not there; %s makes it", path, what)
		}
	}
	for _, name := range notebookNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := exec.Command(jupyter, "--timeout=300", "--output", filepath.Join(t.TempDir(), name+".ipynb"),
				name+".ipynb")
			c.Dir = filepath.Join("..", "notebooks")
			c.Env = append(os.Environ(), "TARRY_RUNS="+fixture, "MPLBACKEND=agg", "PYTHONDONTWRITEBYTECODE=1")
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
