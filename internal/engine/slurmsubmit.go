package engine

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tarry/internal/results"
)

// refusedAgain is how long to wait before elements that a full queue refused are offered again.
const refusedAgain = time.Minute

// submitFresh hands in what is to be handed in.
func (r *slurmRun) submitFresh(ctx context.Context) error {
	if len(r.fresh) == 0 || r.refused > 0 && r.j.Clock()-r.refused < refusedAgain {
		return nil
	}
	size, err := r.cli.maxArraySize(ctx)
	if err != nil {
		return err
	}
	for _, cells := range chunks(slices.Sorted(maps.Keys(r.fresh)), size) {
		s, err := r.write(cells, size)
		if err != nil {
			return err
		}
		// The record comes first: were this process killed now, the job would be found by its name.
		r.rec.add(s)
		if err := r.rec.save(); err != nil {
			return err
		}
		if s.Job, err = r.cli.submit(ctx, r.rec.script(s)); err != nil {
			if ctx.Err() != nil {
				return err
			}
			r.rec.drop(s)
			if bad := r.rec.save(); bad != nil {
				return bad
			}
			if len(r.open) == len(r.fresh) { // nothing is under way that could make room
				return fmt.Errorf("slurm: %w (the script is %s)", err, r.rec.script(s))
			}
			r.say("%v; %d cells are offered again later", err, len(r.fresh))
			r.refused = max(r.j.Clock(), 1)
			return nil
		}
		if err := r.rec.save(); err != nil {
			return err
		}
		r.say("job %s: %d cells (%s), script %s", s.Job, len(cells), s.Cells, r.rec.script(s))
		for _, c := range cells {
			delete(r.fresh, c)
		}
	}
	r.refused = 0
	return nil
}

// write writes the script of a new submission.
func (r *slurmRun) write(cells []int, size int) (*submission, error) {
	n, where := r.rec.Next, sha256.Sum256([]byte(r.rec.dir))
	s := &submission{
		Name:   fmt.Sprintf("%s-%x.%d", r.opt.name, where[:3], n),
		Script: fmt.Sprintf("submit-%d.sh", n),
		Cells:  formatRanges(cells),
		Offset: cells[0] / size * size,
		cells:  cells,
	}
	worker := slices.Clone(r.j.Worker)
	if strings.ContainsRune(worker[0], filepath.Separator) {
		abs, err := filepath.Abs(worker[0])
		if err != nil {
			return nil, err
		}
		worker[0] = abs
	}
	text, err := (&slurmScript{sweep: r.j.Folder.Spec.Name, name: s.Name, cells: cells, offset: s.Offset,
		dir: r.rec.dir, work: r.work, worker: worker, opt: r.opt}).text()
	if err != nil {
		return nil, err
	}
	return s, results.WriteFile(r.rec.script(s), []byte(text))
}

// withoutSlurm writes the scripts where Slurm's commands are missing, and says what to do.
func (r *slurmRun) withoutSlurm(missing []string) error {
	var scripts []string
	var cells []int
	for _, c := range r.j.Pending {
		if p, known := r.rec.last[c]; known && p.in.Job != "" {
			continue // handed in before, elsewhere
		}
		cells = append(cells, c)
	}
	for _, s := range slices.Clone(r.rec.Submissions) {
		if s.Job == "" {
			r.rec.drop(s)
		}
	}
	if len(r.rec.Submissions) == 0 {
		r.rec.Sweep = r.j.Folder.SHA256
	}
	for _, part := range chunks(cells, defaultMaxArraySize) {
		s, err := r.write(part, defaultMaxArraySize)
		if err != nil {
			return err
		}
		r.rec.add(s)
		scripts = append(scripts, "sbatch "+quoteShell(r.rec.script(s)))
	}
	if err := r.rec.save(); err != nil {
		return err
	}
	text := fmt.Sprintf("slurm: no %s in PATH: run the same command on a host of the cluster", strings.Join(missing, ", "))
	if len(scripts) > 0 {
		text += ", or hand in there what is written: " + strings.Join(scripts, "; ")
	}
	return fmt.Errorf("%s; --engine print lists the commands for another queue", text)
}

// lastLine gives the last line of a log as ": line", or "".
func lastLine(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	text := strings.TrimSpace(string(data))
	if text == "" {
		return ""
	}
	return ": " + text[strings.LastIndexByte(text, '\n')+1:] + " (" + path + ")"
}
