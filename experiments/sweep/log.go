package sweep

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"tarry/internal/rundir"
)

// logName is the file that a cell's remarks are appended to.
const logName = "log"

// say appends a line to the log. A log that cannot be written is no reason to stop.
func (a *attempt) say(format string, args ...any) {
	text := strings.TrimRight(fmt.Sprintf(format, args...), "\n")
	fmt.Fprintf(a.log, "attempt %d, %.3f s: %s\n", a.status.Attempts, a.opt.Clock().Seconds(),
		strings.ReplaceAll(text, "\n", "\n    "))
}

// progress passes on how many jobs ended.
func (a *attempt) progress(_, ended int) { a.ended(ended) }

func (a *attempt) ended(n int) {
	if a.opt.Progress != nil && n > 0 {
		a.opt.Progress(n)
	}
}

// LogTail gives the last lines of a cell's log, at most n; nil when there is none.
func (f *Folder) LogTail(index, n int) []string {
	file, err := rundir.Open(filepath.Join(f.CellDir(index), logName))
	if err != nil {
		return nil
	}
	defer file.Close()
	const most = 1 << 14
	if size, err := file.Seek(0, io.SeekEnd); err == nil {
		if _, err := file.Seek(max(0, size-most), io.SeekStart); err != nil {
			return nil
		}
	}
	data, err := io.ReadAll(io.LimitReader(file, most))
	if err != nil {
		return nil
	}
	lines := strings.Split(string(bytes.TrimRight(data, "\n")), "\n")
	return lines[max(0, len(lines)-n):]
}
