package reference

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// AnyLine reports whether the first line of one of the folder's .jsonl files is of a form.
func (f *Folder) AnyLine(form func(line []byte) bool) bool {
	return slices.ContainsFunc(f.Files, func(name string) bool {
		if !strings.HasSuffix(name, ".jsonl") {
			return false
		}
		in, err := os.Open(filepath.Join(f.Dir, name))
		if err != nil {
			return false
		}
		defer in.Close()
		line, _ := bufio.NewReaderSize(in, 1<<16).ReadBytes('\n') // the last line may lack its end
		return form(line)
	})
}
