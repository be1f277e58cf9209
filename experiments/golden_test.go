package experiments

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/questions"
	"tarry/catalogue/shipped"
	"tarry/experiments/sweep"
)

var update = flag.Bool("update", false, "rewrite testdata/cells.txt and testdata/figures")

// cellsOf hashes the cells of a question at a scale, sweep by sweep: names, kinds, what is asked,
// ids, seeds and settings.
func cellsOf(t *testing.T, q sweep.Question, scale string) string {
	t.Helper()
	var b strings.Builder
	for _, s := range q.Specs(scale) {
		cells, err := s.Cells(shipped.All())
		if err != nil {
			t.Fatalf("%s, %s: %v", q.Name, scale, err)
		}
		text, err := json.Marshal(struct {
			Name, Question, Kind string
			Budget               sweep.Budget
			Engine               sweep.Defaults
			Cells                []sweep.Cell
		}{s.Name, s.Question, s.Kind, s.Budget, s.Engine, cells})
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(text)
		fmt.Fprintf(&b, "%s %s %s %d %s\n", q.Name, scale, s.Name, len(cells), hex.EncodeToString(sum[:]))
	}
	return b.String()
}

// The cells of every question are as before questions were files: a cell that changes begins
// a table anew, so that stored rows would no longer be of the question. -update accepts a change.
func TestCellsAreTheSame(t *testing.T) {
	var b strings.Builder
	for _, q := range questions.All().Opened() {
		for _, scale := range sweep.Scales() {
			b.WriteString(cellsOf(t, q, scale))
		}
	}
	golden(t, filepath.Join("testdata", "cells.txt"), b.String())
}

// figuresOf reports of each figure of a question what does not depend on numbers: name, size,
// columns, and the caption without what is behind its first sentence, which counts seeds.
func figuresOf(figures []sweep.Figure) string {
	var b strings.Builder
	for _, f := range figures {
		said, _, _ := strings.Cut(f.Caption, ". ")
		fmt.Fprintf(&b, "%s | %s | %vx%v | %s\n", f.Name, strings.TrimSuffix(said, "."), f.Width, f.Height,
			strings.Join(f.Header, ","))
	}
	return b.String()
}

// golden holds a text against a file, line by line.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	is, was := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(is), len(was)) {
		at := func(lines []string) string {
			if i < len(lines) {
				return lines[i]
			}
			return ""
		}
		if at(is) != at(was) {
			t.Errorf("%s:%d\ngot  %s\nwant %s", path, i+1, at(is), at(was))
		}
	}
}

// keep writes the tables of a question beside its pictures where TARRY_FIGURES asks for them.
func keep(t *testing.T, question string, tables map[string]string) {
	t.Helper()
	to := os.Getenv("TARRY_FIGURES")
	if to == "" {
		return
	}
	for name, text := range tables {
		path := filepath.Join(to, question, "table-"+name+".md")
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
