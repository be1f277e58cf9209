package digest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/experiments/sweep"
	"tarry/internal/stats"
	"tarry/output/figure"
	"tarry/output/knows"
	"tarry/run/parts"
)

// comparisons are several folders of compare in one picture.
type comparisons []*comparison

// Together names a policy of a folder in a picture of several folders.
func Together(folder, policy string) string { return folder + ": " + policy }

// figures draws the distributions of all folders, and the ratios within folders and between folders
// of the same jobs; nothing of fewer than two folders.
func (t comparisons) figures(from *parts.Catalogues) ([]sweep.Figure, error) {
	t = slices.DeleteFunc(slices.Clone(t), func(c *comparison) bool { return someFinished(c.all) != nil })
	if len(t) < 2 {
		return nil, nil // the folder's own pictures report why
	}
	cdf, err := t.cdf()
	if err != nil {
		return nil, err
	}
	ratios, err := t.relative()
	if err != nil {
		return nil, err
	}
	var starred []string
	for _, c := range t {
		for _, p := range c.all {
			if knows.Row(&p.Rows[0], p.Name, from.Policies) {
				starred = append(starred, p.Name, Together(c.name, p.Name))
			}
		}
	}
	cdf.Star(starred, knows.Key)
	out := []sweep.Figure{{Name: "together_jct_cdf", Caption: captioned("Completion times in all folders.", cdf),
		Figure: cdf}}
	if ratios != nil {
		ratios.Star(starred, knows.Key)
		out = append(out, sweep.Figure{Name: "together_relative",
			Caption: captioned("Ratios within and between folders.", ratios), Figure: ratios})
	}
	return out, nil
}

// single reports whether each folder has one policy, the same in all.
func (t comparisons) single() bool { return len(t.policies()) == 1 }

// policies are the policies of all folders, once each.
func (t comparisons) policies() []string {
	var out []string
	for _, c := range t {
		for _, p := range c.all {
			index(&out, p.Name)
		}
	}
	return out
}

// cdf draws a line for each policy of each folder: a policy has its colour, a folder its dashes.
func (t comparisons) cdf() (*figure.Figure, error) {
	var samples []figure.Sample
	jobs, replicates, same := [2]int{math.MaxInt, 0}, [2]int{math.MaxInt, 0}, true
	look := figure.Appearances(t.policies())
	for i, c := range t {
		for _, p := range c.all {
			s := figure.Sample{Name: Together(c.name, p.Name)}
			if t.single() {
				s.Name = c.name
			} else if len(t) <= figure.Patterns {
				s.Look = 1 + dashed(look[p.Name], i)
			}
			for _, x := range p.JCT {
				x, _ = stats.Finite(x)
				s.Values = append(s.Values, x...)
			}
			jobs = [2]int{min(jobs[0], len(s.Values)), max(jobs[1], len(s.Values))}
			samples = append(samples, s)
		}
		n := len(c.replicates)
		replicates, same = [2]int{min(replicates[0], n), max(replicates[1], n)}, same && c.same
	}
	f, err := figure.CDF("", figure.Axis{Label: "job completion time (s)", Log: true}, samples)
	if err != nil {
		return nil, err
	}
	f.Note = fmt.Sprintf("%s per line, of %s together; no interval. %s", sampleSize(jobs, "jobs"),
		strings.TrimPrefix(sampleSize(replicates, "replicates"), "n="), t.paired())
	if t.single() {
		f.Note += " All lines are " + t[0].all[0].Name + "."
	}
	if !same {
		f.Note += " Completion times of the jobs that all policies of a folder finished."
	}
	return f, nil
}

// dashed gives an appearance the same colour with the dashes and the marker of a number.
func dashed(look, number int) int {
	c := look % figure.Colours
	for c%figure.Patterns != number%figure.Patterns {
		c += figure.Colours
	}
	return c
}

// unlike reports why two folders are not compared pair by pair; "" = they have the same jobs.
func (c *comparison) unlike(o *comparison) string {
	if !slices.Equal(c.replicates, o.replicates) {
		return "other replicates than " + o.name
	}
	for r := range c.replicates {
		switch a, b := c.all[0].Rows[r].WorkloadSHA256, o.all[0].Rows[r].WorkloadSHA256; {
		case a == "" || b == "":
			return "no hash of the jobs"
		case a != b:
			return "other jobs than " + o.name
		}
	}
	return ""
}

// base is the first folder with the same jobs, nil = there is none before.
func (t comparisons) base(k int) *comparison {
	for _, c := range t[:k] {
		if c.unlike(t[k]) == "" {
			return c
		}
	}
	return nil
}

// paired states which folders have the same jobs.
func (t comparisons) paired() string {
	var groups [][]string
	var alone []string
	for k, c := range t {
		if t.base(k) != nil {
			continue
		}
		names := []string{c.name}
		for i := k + 1; i < len(t); i++ {
			if t.base(i) == c {
				names = append(names, t[i].name)
			}
		}
		other := t[0]
		if k == 0 {
			other = t[1]
		}
		if len(names) > 1 {
			groups = append(groups, names)
		} else {
			alone = append(alone, fmt.Sprintf("%s (%s)", c.name, c.unlike(other)))
		}
	}
	if len(alone) == 0 && len(groups) == 1 {
		return "The folders have the same jobs."
	}
	var text []string
	for _, g := range groups {
		text = append(text, "Folders with the same jobs: "+strings.Join(g, ", ")+".")
	}
	if len(alone) > 0 {
		text = append(text, "Not paired with another folder: "+strings.Join(alone, ", ")+".")
	}
	return strings.Join(text, " ")
}

// section is a part of the picture of ratios: its head, and the ratio of a row with the values of
// its replicates.
type section struct {
	head string
	row  func(name string) (stats.Interval, []float64, error)
}

// relative draws the ratios of mean completion times; nil where there is none to draw.
func (t comparisons) relative() (*figure.Figure, error) {
	rows, sections, marks := t.policies(), t.sections(), []figure.Mark{{At: 1}}
	label := figure.RatioTo + "the first policy or folder"
	if t.single() {
		rows, sections = t.folderRows()
		label, marks[0].Name = figure.RatioTo+t[0].name, t[0].name
	}
	if len(sections) == 0 || len(rows) == 0 {
		return nil, nil
	}
	heads, series := make([]string, len(sections)), make([]figure.Series, len(rows))
	look, least := figure.Appearances(rows), math.MaxInt
	for g, s := range sections {
		heads[g] = s.head
		for i, name := range rows {
			iv, values, err := s.row(name)
			if err != nil {
				return nil, err
			}
			if iv.N < 2 {
				iv.Lo, iv.Hi = math.NaN(), math.NaN()
			} else if iv.N < stats.Few {
				series[i].Singles(g, len(sections), values)
			}
			if iv.N > 0 {
				least = min(least, iv.N)
			}
			r := &series[i]
			r.Name, r.Look = name, 1+look[name]
			r.Y, r.Lo, r.Hi, r.N = append(r.Y, iv.Point), append(r.Lo, iv.Lo), append(r.Hi, iv.Hi), append(r.N, iv.N)
		}
	}
	draw := figure.Forest
	if len(sections)*(len(rows)+2) > figure.PageRows {
		draw = figure.Dots
	}
	f, err := draw("", figure.Axis{Label: label + ", mean JCT, less is better", Log: true, Marks: marks}, heads, series)
	if err == nil {
		f.Note = t.relativeNote(sections, least)
	}
	return f, err
}

// relativeNote states what the ratios are of and over.
func (t comparisons) relativeNote(sections []section, least int) string {
	within := "A section with the name of a folder: each policy to the first of its folder, on the jobs that all its " +
		"policies finished."
	between := "B against A: a policy in B to the same policy in A, on the jobs that it finished in both."
	if t.single() {
		within, between = "", t[0].all[0].Name+" in a folder to itself in "+t[0].name+", on the jobs that it "+
			"finished in both."
	} else if !slices.ContainsFunc(sections, func(s section) bool { return strings.Contains(s.head, against) }) {
		between = ""
	} else if !slices.ContainsFunc(sections, func(s section) bool { return !strings.Contains(s.head, against) }) {
		within = ""
	}
	over := "Pairs by replicate, no interval of one."
	if least > 1 && least < math.MaxInt {
		over = "Student's 95 % intervals of logarithms of ratios in pairs over replicates." + singles(least)
	}
	return strings.Join(strings.Fields(within+" "+between+" "+over+" "+t.paired()), " ")
}

// against stands between the names of two folders.
const against = " against "

// sections are one for each folder of several policies, and one for each folder with the jobs of an
// earlier one.
func (t comparisons) sections() []section {
	var out []section
	for _, c := range t {
		if len(c.all) > 1 {
			out = append(out, section{c.name, c.within})
		}
	}
	for k, c := range t {
		if base := t.base(k); base != nil && slices.ContainsFunc(c.all, func(p Contender) bool {
			return base.contender(p.Name) != nil
		}) {
			out = append(out, section{c.name + against + base.name, func(name string) (stats.Interval, []float64, error) {
				return c.beside(base, name)
			}})
		}
	}
	return out
}

// folderRows has a row for each folder with the jobs of the first, of their one policy.
func (t comparisons) folderRows() (rows []string, of []section) {
	found := map[string]*comparison{}
	for k, c := range t {
		if t.base(k) == t[0] {
			rows, found[c.name] = append(rows, c.name), c
		}
	}
	return rows, []section{{"mean JCT", func(name string) (stats.Interval, []float64, error) {
		return found[name].beside(t[0], t[0].all[0].Name)
	}}}
}

// contender finds a policy; nil = the folder has not run it.
func (c *comparison) contender(policy string) *Contender {
	if i := slices.IndexFunc(c.all, func(p Contender) bool { return p.Name == policy }); i >= 0 {
		return &c.all[i]
	}
	return nil
}

// within compares a policy with the first of the folder; the first has the ratio 1 and no interval.
func (c *comparison) within(policy string) (stats.Interval, []float64, error) {
	nan := math.NaN()
	p := c.contender(policy)
	if p == nil {
		return stats.Interval{Point: nan}, nil, nil
	}
	if p == &c.all[0] {
		return stats.Interval{Point: 1}, nil, nil
	}
	mean := measure{of: meanJCT}
	return ratiosOf(p.values(mean), c.all[0].values(mean))
}

// beside compares a policy with itself in another folder of the same jobs.
func (c *comparison) beside(base *comparison, policy string) (stats.Interval, []float64, error) {
	if c.contender(policy) == nil || base.contender(policy) == nil {
		return stats.Interval{Point: math.NaN()}, nil, nil
	}
	var mine, other []float64
	for _, r := range c.replicates {
		k := run{policy, r}
		var ids []string
		for id := range c.done[k] {
			if _, ok := base.done[k][id]; ok {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		a, b := make([]float64, len(ids)), make([]float64, len(ids))
		for i, id := range ids {
			a[i], b[i] = c.done[k][id], base.done[k][id]
		}
		mine, other = append(mine, stats.Mean(a)), append(other, stats.Mean(b))
	}
	return ratiosOf(mine, other)
}

// ratiosOf compares means in pairs, and gives the pairs' own ratios too.
func ratiosOf(mine, base []float64) (stats.Interval, []float64, error) {
	p, err := stats.Paired(mine, base)
	for i := range mine {
		mine[i] /= base[i]
	}
	return p.Ratio, mine, err
}
