package csvfmt

import (
	"bufio"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"tarry/sim"
	"tarry/traces/tabular"
)

// Write gives the jobs as CSV with every column of Columns. Zero and "" are written
// as empty fields, but for submit_s.
func Write(out io.Writer, w *sim.Workload) error {
	buf := bufio.NewWriterSize(out, 1<<16)
	enc := csv.NewWriter(buf)
	if err := enc.Write(Columns()); err != nil {
		return err
	}
	fields := make([]string, 0, len(Columns()))
	for i := range w.Jobs {
		fields = appendJob(fields[:0], &w.Jobs[i])
		if err := enc.Write(fields); err != nil {
			return err
		}
	}
	enc.Flush()
	if err := enc.Error(); err != nil {
		return err
	}
	return buf.Flush()
}

func appendJob(fields []string, j *sim.Job) []string {
	return append(fields, j.ID, tabular.FormatMicros(int64(j.Submit)), number(int64(j.GPUs)), number(int64(j.MinGPUs)), number(int64(j.MaxGPUs)),
		tabular.FormatMicros(int64(j.Work)), number(j.Iterations), real(j.IterS), j.Model, j.User, j.Group, j.VC, j.GPUType, j.State, seconds(j.Request), seconds(j.Deadline),
		number(int64(j.ShareMilli)), number(int64(j.CPUMilli)), number(int64(j.MemMiB)), number(int64(j.Priority)), strings.TrimSpace(j.Drawn.String()))
}

func number(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func seconds(t sim.Time) string {
	if t == 0 {
		return ""
	}
	return tabular.FormatMicros(int64(t))
}

// real writes a number in the fewest digits that read back the same.
func real(x float64) string {
	if x == 0 {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
