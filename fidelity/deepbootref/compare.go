package deepbootref

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"tarry/fidelity/reference"
)

// means may be off by so much under policies that decide by fits.
const within = 0.05

// unlike is why jobs of policies that decide by fits are not compared one by one.
const unlike = "fits end elsewhere, and one GPU more or less changes all that follows"

// results compares each job of each run.
func (c *comparison) results(ctx context.Context) error {
	rows, err := reference.ReadRows(filepath.Join(c.folder.Dir, resultsFile), "policy", "job")
	if err != nil {
		return err
	}
	for i := range rows.Cells {
		w, err := c.played(ctx, resultsFile, rows.Text(i, "policy"))
		if err != nil {
			return err
		}
		if w == nil {
			continue
		}
		j := w.of(rows.Text(i, "job"))
		if j == nil {
			return fmt.Errorf("%s: row %d: no job %q in %s", rows.File, i+1, rows.Text(i, "job"), workloadFile)
		}
		if fits(rows.Text(i, "policy")) {
			err = c.delay(rows, i, j)
		} else {
			err = c.life(rows, i, j)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// life compares what became of a job.
func (c *comparison) life(rows *reference.Rows, i int, j *job) error {
	for _, x := range [...]struct {
		kind, column string
		got          float64
	}{{"ends", "end_s", j.end}, {"ends", "jct_s", j.end - float64(j.submit)},
		{"restarts", "restarts", float64(j.restarts)},
		{"run times", "run_s", float64(j.ran)}, {"delays", "delay_s", float64(j.delayed)}} {
		if j.service && x.kind == "restarts" {
			continue // tasks have none
		}
		want, err := rows.Number(i, x.column)
		if err != nil {
			return err
		}
		c.number(x.kind, resultsFile, fmt.Sprintf("%s of %s under %s", x.column, j.name, rows.Text(i, "policy")), x.got, want,
			0)
	}
	return nil
}

// delay compares the delays of a training job with the delays that the law makes of its placements there.
func (c *comparison) delay(rows *reference.Rows, i int, j *job) error {
	policy := rows.Text(i, "policy")
	if j.service {
		c.Leave("tasks", resultsFile, 1, unlike)
		return nil
	}
	c.Leave("jobs", resultsFile, 1, unlike)
	l := reference.Line{Rows: rows, Row: i}
	end, want := l.Count("end_s"), l.Number("delay_s")
	moves := c.moved[key{policy, j.name}]
	if l.Err != nil || len(moves) == 0 {
		return l.Err
	}
	sum := 0
	for k, m := range moves {
		until := end
		if k+1 < len(moves) {
			until = moves[k+1].at
		}
		if len(m.after) > 0 {
			sum += min(j.pause(m.before, m.after, policy == elastic), until-m.at)
		}
	}
	c.number("delays", resultsFile, fmt.Sprintf("delay_s of %s under %s by its placements", j.name, policy), float64(sum),
		want, 0)
	return nil
}

// number compares one number.
func (c *comparison) number(kind, file, what string, got, want, most float64) {
	off := max(got-want, want-got)
	if kind == "ends" {
		c.Worst = max(c.Worst, off)
	}
	good := off <= most
	if c.One(kind, file, good); !good {
		c.Short = append(c.Short, fmt.Sprintf("%s: %s is %.9g, there %.9g", file, what, got, want))
	}
}

// key is a job of a run.
type key struct{ policy, job string }

// read takes down the placements of the file.
func (c *comparison) read() error {
	rows, err := reference.ReadRows(filepath.Join(c.folder.Dir, placementsFile), "policy", "job", "time_s", "before",
		"after")
	if err != nil {
		return err
	}
	for i := range rows.Cells {
		l := reference.Line{Rows: rows, Row: i}
		m := move{at: l.Count("time_s")}
		for column, to := range map[string]*[]int{"before": &m.before, "after": &m.after} {
			for n := range strings.SplitSeq(rows.Text(i, column), "+") {
				g, err := strconv.Atoi(n)
				if err != nil && n != "" {
					return fmt.Errorf("%s: row %d: %s is %q, expected GPUs of nodes joined by +", rows.File, i+1, column,
						rows.Text(i, column))
				}
				if n != "" {
					*to = append(*to, g)
				}
			}
		}
		if l.Err != nil {
			return l.Err
		}
		k := key{rows.Text(i, "policy"), rows.Text(i, "job")}
		if c.moved[k] == nil {
			c.order = append(c.order, k)
		}
		c.moved[k] = append(c.moved[k], m)
	}
	return nil
}

// placements compares the changes of each job, row by row.
func (c *comparison) placements(ctx context.Context) error {
	for _, k := range c.order {
		if fits(k.policy) {
			c.Leave("placements", placementsFile, len(c.moved[k]), unlike)
			continue
		}
		w, err := c.played(ctx, placementsFile, k.policy)
		if err != nil {
			return err
		}
		if w == nil {
			continue
		}
		j := w.of(k.job)
		if j == nil {
			return fmt.Errorf("%s: no job %q in %s", placementsFile, k.job, workloadFile)
		}
		got, want := texts(j.moves), texts(c.moved[k])
		for i := range max(len(got), len(want)) {
			a, b := "", ""
			if i < len(got) {
				a = got[i]
			}
			if i < len(want) {
				b = want[i]
			}
			if c.One("placements", placementsFile, a == b); a != b {
				c.Short = append(c.Short, fmt.Sprintf("%s: change %d of %s under %s is %q, there %q", placementsFile, i+1,
					k.job, k.policy, a, b))
			}
		}
	}
	return nil
}

// texts writes changes down, but for changes from nothing to nothing.
func texts(moves []move) (out []string) {
	for _, m := range moves {
		if len(m.before) > 0 || len(m.after) > 0 {
			out = append(out, fmt.Sprintf("%d: %v > %v", m.at, m.before, m.after))
		}
	}
	return out
}

// means compares what is stored of whole runs.
func (c *comparison) means(ctx context.Context) error {
	rows, err := reference.ReadRows(filepath.Join(c.folder.Dir, meansFile), "policy", "mean_jct_s", "services",
		"mean_service_s", "end_s")
	if err != nil {
		return err
	}
	for i := range rows.Cells {
		name := rows.Text(i, "policy")
		w, err := c.played(ctx, meansFile, name)
		if err != nil {
			return err
		}
		if w == nil {
			continue
		}
		for _, x := range w.sums() {
			if rows.Text(i, x.column) == "" {
				continue
			}
			want, err := rows.Number(i, x.column)
			if err != nil {
				return err
			}
			if fits(name) && x.column != "services" {
				x.most += within * want
			}
			c.number("means", meansFile, x.column+" of "+name, x.value, want, x.most)
		}
	}
	return nil
}

// figure is a column of the file of means, and how far rounding takes it.
type figure struct {
	column      string
	value, most float64
}

func (w *world) sums() [4]figure {
	var sum, n [2]float64
	for _, j := range w.jobs {
		k := 0
		if j.service {
			k = 1
		}
		sum[k], n[k] = sum[k]+j.end-float64(j.submit), n[k]+1
	}
	const printed = 0.05 + 1e-9 // they have one decimal
	return [4]figure{{"mean_jct_s", sum[0] / n[0], printed}, {"services", n[1], 0},
		{"mean_service_s", sum[1] / n[1], printed}, {"end_s", float64(w.clock), 0}}
}
