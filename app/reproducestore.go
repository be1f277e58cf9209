package app

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/experiments/sweep"
	"tarry/output/results"
	"tarry/run/evaluate"
)

// sharedFolder is where questions expect traces; $TARRY_SHARED stands in its place.
const sharedFolder = "../shared/"

// make converts a trace to the file of jobs that a question reads.
func (r *reproduction) make(c *cli.Context, m *sweep.Made) error {
	trace := m.Trace
	if to := os.Getenv("TARRY_SHARED"); to != "" {
		trace = strings.Replace(trace, sharedFolder, strings.TrimSuffix(to, "/")+"/", 1)
	}
	if err := os.MkdirAll(filepath.Dir(m.Out), 0o777); err != nil {
		return err
	}
	args := []string{"tarry", "trace", "convert", "--trace", trace, "--seed", strconv.FormatUint(m.Seed, 10), "--out",
		m.Out}
	for _, f := range [][2]string{{"--models", m.Models}, {"--vc", m.VC}} {
		if f[1] != "" {
			args = append(args, f[0], f[1])
		}
	}
	if err := r.from.newApp(c.App.Writer, c.App.ErrWriter).RunContext(c.Context, args); err != nil {
		return fmt.Errorf("data of the question: %w (docs/reference/data-origins.md states where traces are from)", err)
	}
	return nil
}

// store puts the rows of the sweeps into the project.
func (r *reproduction) store(c *cli.Context) error {
	k := &r.q.Kept
	for _, name := range r.names() {
		parts := append([]string{"sweep.json", "cells.jsonl", "manifest.json"}, k.Tables...)
		if err := replace(r.swept(name), filepath.Join(k.Folder, name), append(parts, k.More[name]...)); err != nil {
			return fmt.Errorf("storing %s: %w", name, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(k.Weights)) {
		text, err := r.weights(r.swept(name))
		if err != nil {
			return err
		}
		if err := r.compiledIn(c, k.Weights[name], text); err != nil {
			return err
		}
	}
	if len(k.Numbers) == 0 {
		return nil
	}
	dirs := make([]string, 0, len(r.names()))
	for _, name := range r.names() {
		dirs = append(dirs, r.swept(name))
	}
	d, err := sweep.OpenData(dirs...)
	if err != nil {
		return err
	}
	d.From = &r.from.Catalogues
	figures, err := r.q.Figures(c.Context, d)
	if err != nil {
		return err
	}
	for _, f := range figures {
		if to, ok := k.Numbers[f.Name]; ok {
			text, err := f.Render("csv")
			if err == nil {
				err = r.compiledIn(c, to, text)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// compiledIn writes a file that the program holds a copy of.
func (r *reproduction) compiledIn(c *cli.Context, path string, text []byte) error {
	if was, err := os.ReadFile(path); err == nil && bytes.Equal(was, text) {
		return nil
	}
	note(c, "%s changed and is compiled in: build tarry again, then tarry reproduce %s --stored", path, r.q.Name)
	return results.WriteFile(path, text)
}

// replace puts the parts of a folder that there are in the place of another folder.
func replace(from, to string, parts []string) error {
	fresh := to + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	if err := os.MkdirAll(fresh, 0o777); err != nil {
		return err
	}
	for _, part := range parts {
		info, err := os.Stat(filepath.Join(from, part))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		case info.IsDir():
			err = os.CopyFS(filepath.Join(fresh, part), os.DirFS(filepath.Join(from, part)))
		default:
			var data []byte
			if data, err = os.ReadFile(filepath.Join(from, part)); err == nil {
				err = results.WriteFile(filepath.Join(fresh, part), data)
			}
		}
		if err != nil {
			return err
		}
	}
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	return os.Rename(fresh, to)
}

// weights has a line SETTING,SEED,NAME,VALUE for each number that the agents of a sweep found, but
// for the law of run times, which is not searched.
func (r *reproduction) weights(dir string) ([]byte, error) {
	f, err := sweep.Open(&r.from.Catalogues, dir)
	if err != nil {
		return nil, err
	}
	byID := map[string]int{}
	for i := range f.Len() {
		byID[f.ID(i)] = i
	}
	var out bytes.Buffer
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		c, err := f.Cell(byID[id])
		if err != nil {
			return nil, err
		}
		var text bytes.Buffer
		run := filepath.Join(f.CellDir(byID[id]), "run")
		if err := evaluate.WriteWeights(&r.from.Catalogues, run, "best", 0, &text); err != nil {
			return nil, err
		}
		for line := range strings.Lines(text.String()) {
			name, value, ok := strings.Cut(strings.TrimSpace(line), " = ")
			if _, err := strconv.ParseFloat(value, 64); ok && err == nil && !strings.HasPrefix(name, "law_") {
				fmt.Fprintf(&out, "%s,%d,%s,%s\n", c.Axes["setting"], c.Seed, name, value)
			}
		}
	}
	return out.Bytes(), nil
}
