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

// inKernels runs notebooks of a folder by tools/notebooks.py: in one kernel, in the long form of
// tests in one each. Without "make venv" the test is skipped, with TARRY_NEED_PYTHON=1 it fails.
func inKernels(t *testing.T, folder, runs string, names ...string) (string, error) {
	t.Helper()
	python, err := filepath.Abs("../build/venv/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(python); err != nil {
		if os.Getenv("TARRY_NEED_PYTHON") != "" {
			t.Fatal(err)
		}
		t.Skip("no Python: make venv makes it")
	}
	c := exec.Command(python, append([]string{filepath.Join("..", "tools", "notebooks.py"), folder}, names...)...)
	c.Env = append(os.Environ(), "TARRY_RUNS="+runs, "MPLBACKEND=agg", "PYTHONDONTWRITEBYTECODE=1")
	out, err := c.CombinedOutput()
	return string(out), err
}

// notebooksRun runs every notebook from its first cell to its last on the tables in runs.
func notebooksRun(t *testing.T, runs string) {
	names := notebookNames()
	out, err := inKernels(t, filepath.Join("..", "notebooks"), runs, names...)
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, name := range names {
		if !strings.Contains("\n"+out, "\nok "+name+" ") {
			t.Errorf("%s did not run:\n%s", name, out)
		}
	}
}

// A notebook finds no name and no picture of the one before it in the same kernel, and a failing
// cell does not keep the next notebook from running.
func TestNotebooksAreApart(t *testing.T) {
	dir := t.TempDir()
	for name, code := range map[string]string{
		"first": "from matplotlib import pyplot as plt\nkept = plt.figure().number\nassert kept == 1",
		"leans": "kept",
		"own":   "import matplotlib.pyplot as p\nassert p.get_fignums() == [], p.get_fignums()",
	} {
		text, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{},
			"cells": []map[string]any{{"id": name, "cell_type": "code", "metadata": map[string]any{}, "source": code,
				"outputs": []any{}, "execution_count": nil}}})
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name+".ipynb"), text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	out, err := inKernels(t, dir, dir, "first", "leans", "own")
	if err == nil {
		t.Error("no error, and the second notebook uses a name of the first")
	}
	for _, want := range []string{"ok first ", "FAIL leans", "name 'kept' is not defined", "ok own "} {
		if !strings.Contains(out, want) {
			t.Errorf("expected %q:\n%s", want, out)
		}
	}
}
