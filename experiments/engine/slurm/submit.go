package slurm

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

	"tarry/experiments/engine"
	"tarry/output/results"
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
	for _, part := range r.parts(slices.Sorted(maps.Keys(r.fresh)), size) {
		cells := part.cells
		s, err := r.write(part, size)
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
		in := ""
		if len(s.packs) > 0 {
			in = fmt.Sprintf(" in %d elements", len(s.packs))
		}
		r.say("job %s: %d cells (%s)%s, script %s", s.Job, len(cells), s.Cells, in, r.rec.script(s))
		for _, c := range cells {
			delete(r.fresh, c)
		}
	}
	r.refused = 0
	return nil
}

// part is what goes into one array: cells, and how they are packed; no packs = a cell is an
// element.
type part struct {
	cells []int
	packs [][]int
}

// parts cuts cells into arrays whose elements have numbers below size.
func (r *slurmRun) parts(cells []int, size int) []part {
	var out []part
	if r.opt.pack < 2 && r.opt.packTime == 0 {
		for _, c := range chunks(cells, size) {
			out = append(out, part{cells: c})
		}
		return out
	}
	for packs := range slices.Chunk(packed(cells, r.opt.pack, r.opt.packTime, r.seconds), size) {
		out = append(out, part{slices.Concat(packs...), packs})
	}
	return out
}

// write writes the script of a new submission, and the list of its packs.
func (r *slurmRun) write(p part, size int) (*submission, error) {
	cells := p.cells
	n, where := r.rec.Next, sha256.Sum256([]byte(r.rec.dir))
	s := &submission{
		Name:   fmt.Sprintf("%s-%x.%d", r.opt.name, where[:3], n),
		Script: fmt.Sprintf("submit-%d.sh", n),
		Cells:  engine.FormatRanges(cells),
		Offset: cells[0] / size * size,
		cells:  cells,
		packs:  p.packs,
	}
	list := ""
	if len(p.packs) > 0 {
		s.Offset = 0
		for _, pack := range p.packs {
			s.Packs = append(s.Packs, engine.FormatRanges(pack))
		}
		list = filepath.Join(r.rec.dir, "slurm", fmt.Sprintf("submit-%d.packs", n))
		if err := results.WriteFile(list, []byte(strings.Join(s.Packs, "\n")+"\n")); err != nil {
			return nil, err
		}
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
		dir: r.rec.dir, work: r.work, worker: worker, opt: r.opt, packs: len(p.packs), list: list,
		retries: r.j.Retries}).text()
	if err != nil {
		return nil, err
	}
	return s, results.WriteFile(r.rec.script(s), []byte(text))
}

// withoutSlurm writes the scripts where Slurm's commands are missing, and states what to do.
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
	for _, part := range r.parts(cells, defaultMaxArraySize) {
		s, err := r.write(part, defaultMaxArraySize)
		if err != nil {
			return err
		}
		r.rec.add(s)
		scripts = append(scripts, "sbatch "+engine.QuoteShell(r.rec.script(s)))
	}
	if err := r.rec.save(); err != nil {
		return err
	}
	text := fmt.Sprintf("slurm: no %s in PATH: run the same command on a host of the cluster",
		strings.Join(missing, ", "))
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
