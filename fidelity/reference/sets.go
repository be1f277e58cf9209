package reference

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Sets is a form of folders in which several sets of files may stand beside one another, HEADmeans.csv
// and so on.
type Sets struct {
	// Name is the name of the form, Unit the unit of differences.
	Name, Unit string
	// Key is the file by which sets are found, without the head of its name.
	Key string
	// Deep: sets may stand in folders below too, where each of them holds one.
	Deep bool
	// Knows reports whether files that were found so have the form.
	Knows func(s *Set) bool
	// Compare runs what the set was made from and compares. An error means that it could not.
	Compare func(s *Set) error
}

// Set is the files of a set, and the outcome of its folder.
type Set struct {
	*Outcome
	*Folder
	// Below is the folder in Folder that it stands in, with a / at the end; "" = Folder itself.
	Below string
	// Head is what the names of its files begin with.
	Head string
}

// BySets makes a reader of folders that hold sets of a form.
func BySets(form Sets) Reader {
	return Reader{Name: form.Name, Knows: func(f *Folder) bool { return len(form.find(f)) > 0 },
		Compare: func(ctx context.Context, f *Folder) (Outcome, error) {
			o := Outcome{Unit: form.Unit}
			sets := form.find(f)
			for _, s := range sets {
				s.Outcome = &o
				if err := form.Compare(s); err != nil {
					return o, err
				}
				if ctx.Err() != nil {
					return o, ctx.Err()
				}
			}
			return o, below(&o, sets)
		}}
}

// find lists the sets of a folder, and of the folders below it if each of them has some.
func (form *Sets) find(f *Folder) []*Set {
	out := form.within(f, "", f.Files)
	own := len(out)
	for _, name := range f.Files {
		if !form.Deep || !strings.HasSuffix(name, "/") {
			continue
		}
		sets := form.within(f, name, list(f, name))
		if len(sets) == 0 {
			return out[:own]
		}
		out = append(out, sets...)
	}
	return out
}

// within lists the sets among the files of a folder below.
func (form *Sets) within(f *Folder, below string, files []string) (out []*Set) {
	for _, file := range files {
		head, ok := strings.CutSuffix(file, form.Key)
		if s := (&Set{Outcome: &Outcome{}, Folder: f, Below: below, Head: head}); ok && form.Knows(s) {
			out = append(out, s)
		}
	}
	return out
}

// list lists the names of the files of a folder below.
func list(f *Folder, below string) (out []string) {
	entries, _ := os.ReadDir(filepath.Join(f.Dir, filepath.FromSlash(below))) // what cannot be read has no sets
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// below notes the folders below in which sets stand, and their files of which nothing was noted.
func below(o *Outcome, sets []*Set) error {
	for i, s := range sets {
		if s.Below == "" || i > 0 && sets[i-1].Below == s.Below {
			continue
		}
		o.Reads(s.Below)
		for _, name := range list(s.Folder, s.Below) {
			if !o.Said(name) && !strings.HasPrefix(name, "README") {
				o.Short = append(o.Short, s.Below+name+" is neither compared nor named as not compared")
			}
		}
	}
	return nil
}

// File is a file of the set as results state it.
func (s *Set) File(file string) string { return s.Below + s.Head + file }

// Path is the path of a file of the set.
func (s *Set) Path(file string) string { return filepath.Join(s.Dir, filepath.FromSlash(s.File(file))) }

// Has reports whether the set has a file, for a .csv file with columns, which are separated by spaces.
func (s *Set) Has(file, columns string) bool {
	if columns == "" {
		_, err := os.Stat(s.Path(file))
		return err == nil
	}
	_, err := ReadRows(s.Path(file), strings.Fields(columns)...)
	return err == nil
}

// Rows reads a .csv file of the set, which must have columns.
func (s *Set) Rows(file, columns string) (*Rows, error) {
	s.Reads(s.File(file))
	return ReadRows(s.Path(file), strings.Fields(columns)...)
}

// JSON reads a .json file of the set.
func (s *Set) JSON(file string, to any) error {
	text, err := os.ReadFile(s.Path(file))
	if err != nil {
		return err
	}
	s.Reads(s.File(file))
	if err := json.Unmarshal(text, to); err != nil {
		return fmt.Errorf("%s: %w", s.File(file), err)
	}
	return nil
}

// List reads a .json file of a set that is a list; a set without the file has none.
func List[T any](s *Set, file string) (list []T, err error) {
	if s.Has(file, "") {
		err = s.JSON(file, &list)
	}
	return list, err
}

// Each judges the rows of a .csv file, of which a set may have none, as things of a kind.
func (s *Set) Each(kind, file, columns string, judge func(l *Line) error) error {
	if !s.Has(file, "") {
		return nil
	}
	rows, err := s.Rows(file, columns)
	if err != nil {
		return err
	}
	for row := range rows.Cells {
		l := &Line{Rows: rows, Row: row}
		err := judge(l)
		if l.Err != nil {
			err = l.Err
		}
		s.Row(kind, s.File(file), row, err)
	}
	return nil
}
