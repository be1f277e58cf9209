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
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/experiments/digest"
	"tarry/experiments/moved"
	"tarry/experiments/sweep"
	"tarry/output/results"
)

// mostChanges is how many cells of a table are listed.
const mostChanges = 10

// listed joins names.
func listed(names []string) string { return strings.Join(names, ", ") }

// draw draws the question's figures, copies the ones on pages, and reports which changed.
func (r *reproduction) draw(c *cli.Context, d *sweep.Data) (string, error) {
	out := filepath.Join(r.out, "figures")
	folder := pictureFolder("--out")
	if err := folder.free(out); err != nil {
		return "", err
	}
	figures, drawErr := r.q.Figures(c.Context, d)
	if err := errors.Join(noteUneven(c, drawErr), c.Context.Err()); err != nil {
		return "", err
	}
	var came, changed []string
	same := 0
	err := folder.fill(out, func() error {
		for _, f := range figures {
			path := filepath.Join(out, f.Name+".svg")
			was, missing := os.ReadFile(path)
			if err := f.Save(out, f.Name); err != nil {
				return err
			}
			is, err := os.ReadFile(path)
			switch {
			case err != nil:
				return err
			case missing != nil:
				came = append(came, f.Name)
			case bytes.Equal(was, is):
				same++
			default:
				changed = append(changed, f.Name)
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("pictures in %s: %d the same, %d changed%s, %d new\n", out, same, len(changed),
		inBrackets(changed), len(came))
	if !r.full() {
		return text, nil
	}
	for _, name := range slices.Sorted(maps.Keys(r.q.Kept.Pictures)) {
		said, err := copied(filepath.Join(out, name+".svg"), r.q.Kept.Pictures[name])
		if err != nil {
			return "", err
		}
		text += said
	}
	return text, nil
}

func inBrackets(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " (" + listed(names) + ")"
}

// copied puts a file in the place of another and reports whether that moved it.
func copied(from, to string) (string, error) {
	is, err := os.ReadFile(from)
	if err != nil {
		return "", err
	}
	was, missing := os.ReadFile(to)
	switch {
	case missing == nil && bytes.Equal(was, is):
		return to + ": the same\n", nil
	case missing != nil && !errors.Is(missing, fs.ErrNotExist):
		return "", missing
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return "", err
	}
	return to + ": changed\n", results.WriteFile(to, is)
}

// fill makes the question's tables, fills them into its pages or writes each as a file, and states
// which cells moved.
func (r *reproduction) fill(c *cli.Context, d *sweep.Data) (string, error) {
	if r.q.Tables == nil {
		return "", nil
	}
	made, err := r.q.Tables(c.Context, d)
	if err != nil {
		return "", err
	}
	if err := c.Context.Err(); err != nil {
		return "", err
	}
	if !r.full() || len(r.q.Kept.Pages) == 0 && r.q.Kept.CSV == "" {
		return r.apart(made)
	}
	pages := make([]string, len(r.q.Kept.Pages))
	for i, file := range r.q.Kept.Pages {
		page, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		pages[i] = string(page)
	}
	filled, err := digest.Fill(pages, r.q.Name, made, r.q.Kept.CSV != "")
	if err != nil {
		return "", fmt.Errorf("%s: %w", listed(r.q.Kept.Pages), err)
	}
	var b strings.Builder
	shown := map[string]string{}
	for i, file := range r.q.Kept.Pages {
		is := moved.Blocks(filled[i], r.q.Name)
		maps.Copy(shown, is)
		b.WriteString(r.movedOn(file, moved.Blocks(pages[i], r.q.Name), is))
		if filled[i] == pages[i] {
			continue
		}
		if err := results.WriteFile(file, []byte(filled[i])); err != nil {
			return "", err
		}
	}
	apart, err := r.csvMoved(made, shown)
	if err != nil {
		return "", err
	}
	return b.String() + apart, saveCSV(r.q.Kept.CSV, r.q.Name, made)
}

// apart writes each table as a file of its own, where no page is filled.
func (r *reproduction) apart(made map[string]string) (string, error) {
	dir := filepath.Join(r.out, "tables")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	was := map[string]string{}
	for name, text := range made {
		path := filepath.Join(dir, name+".md")
		old, err := os.ReadFile(path)
		switch {
		case err == nil:
			was[name] = string(old)
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		if err := results.WriteFile(path, []byte(text)); err != nil {
			return "", err
		}
	}
	return r.movedOn(dir, was, made), saveCSV(dir, r.q.Name, made)
}

// movedOn reports what moved on a page.
func (r *reproduction) movedOn(file string, was, is map[string]string) string {
	var b strings.Builder
	same := 0
	for _, name := range slices.Sorted(maps.Keys(is)) {
		t := moved.Compare(r.q.Name+"/"+name, was[name], is[name])
		if len(t.Changes) == 0 {
			same++
			continue
		}
		if _, there := was[name]; !there {
			fmt.Fprintf(&b, "  %s is new, %d cells\n", t.Name, t.Cells)
			continue
		}
		fmt.Fprintf(&b, "  %s: %d of %d cells moved", t.Name, len(t.Changes), t.Cells)
		if most, ok := t.Largest(); ok {
			fmt.Fprintf(&b, ", most by %+.4g (%s)", most.By(), most)
		}
		b.WriteString("\n")
		for i, change := range t.Changes {
			if i == mostChanges {
				fmt.Fprintf(&b, "    and %d more\n", len(t.Changes)-i)
				break
			}
			fmt.Fprintf(&b, "    %s\n", change)
		}
	}
	return fmt.Sprintf("%s: %d tables the same, %d moved\n%s", file, same, len(is)-same, b.String())
}
