package digest

import (
	"fmt"
	"strings"
)

// size is how many units are behind the points of tables, at least and at most.
type size struct {
	seeds, units [2]int // training seeds of points that have several (0 where none has), and units
	word         string // what a unit is
	incomplete   int
	uneven       int // workloads of which the series finished different jobs
	over, points int // overloaded points, and all
}

// sized counts.
func sized(tables []*Table) size {
	var n size
	bounds := func(of *[2]int, v int) {
		if of[0] == 0 || v < of[0] {
			of[0] = v
		}
		of[1] = max(of[1], v)
	}
	seeds, replicates := []string{}, []string{}
	for _, t := range tables {
		n.incomplete += t.Incomplete
		n.uneven += t.Uneven
		over, points := t.overloaded()
		n.over, n.points = n.over+over, n.points+points
		n.word = ""
		if t.layout.Training {
			n.word = "windows"
		}
		for _, c := range t.cells {
			if k := len(c.grid(c.seeds, c.units)); k > 1 {
				bounds(&n.seeds, k)
			}
			bounds(&n.units, len(c.units))
			for _, u := range c.units {
				seed, replicate, _ := strings.Cut(u, "/")
				index(&seeds, seed)
				index(&replicates, replicate)
			}
		}
	}
	switch {
	case n.word != "":
	case len(seeds) > 1 && len(replicates) > 1:
		n.word = "runs (seeds and replicates)"
	case len(replicates) > 1:
		n.word = "replicates"
	default:
		n.word = "seeds"
	}
	return n
}

// sampleSize writes "n=5 seeds" or "n=3 to 5 seeds".
func sampleSize(of [2]int, word string) string {
	if of[0] == of[1] {
		if of[0] == 1 {
			word = strings.TrimSuffix(word, "s")
		}
		return fmt.Sprintf("n=%d %s", of[0], word)
	}
	return fmt.Sprintf("n=%d to %d %s", of[0], of[1], word)
}

func (n size) left() string {
	text := ""
	if n.incomplete > 0 {
		text = fmt.Sprintf(" %d %s without all values of the averaged axes are left out.", n.incomplete, n.word)
	}
	if n.uneven > 0 {
		text += fmt.Sprintf(" %d workloads of which not all finished the same jobs are left out.", n.uneven)
	}
	if n.over > 0 {
		text += fmt.Sprintf(" At %d of %d points the queue grows until the last arrival (overloaded): means there "+
			"depend on the length of the run.", n.over, n.points)
	}
	return text
}

// meansNote reports what the interval of a mean is over.
func meansNote(t []*Table) string {
	n := sized(t)
	switch {
	case n.seeds[1] > 1:
		return fmt.Sprintf("Means, Student's 95 %% intervals on the logarithm over %s and %s.%s",
			sampleSize(n.seeds, "training seeds"), sampleSize(n.units, n.word), n.left())
	case n.units[1] < 2:
		return fmt.Sprintf("%s: no interval.%s", sampleSize(n.units, n.word), n.left())
	}
	dots := tooFew(n.units[0])
	if !t[0].lines() {
		dots = singles(n.units[0])
	}
	return fmt.Sprintf("Means with Student's 95 %% intervals on the logarithm over %s.%s%s",
		sampleSize(n.units, n.word), dots, n.left())
}

// relativeNote notes it for ratios.
func relativeNote(t []*Table) string {
	n := sized(t)
	switch {
	case n.seeds[1] > 1:
		return fmt.Sprintf("Ratios of means in pairs, Student's 95 %% intervals of their logarithms over %s and %s.%s",
			sampleSize(n.seeds, "training seeds"), sampleSize(n.units, n.word), n.left())
	case n.units[1] < 2:
		return fmt.Sprintf("Ratios, %s: no interval.%s", sampleSize(n.units, n.word), n.left())
	}
	return fmt.Sprintf("Ratios of means in pairs, Student's 95 %% intervals of their logarithms over %s.%s",
		sampleSize(n.units, n.word), n.left())
}

// profileNote notes it for performance profiles.
func profileNote(t []*Table) string {
	n := sized(t)
	within := ""
	if x := t[0].layout.X; x != "" && len(t[0].X) > 1 {
		within = fmt.Sprintf(" within each of %d values of %s", len(t[0].X), x)
	}
	if n.seeds[1] > 1 {
		return fmt.Sprintf("Bands: 95 %% intervals of proportions over %s and %s%s.%s",
			sampleSize(n.seeds, "training seeds"), sampleSize(n.units, n.word), within, n.left())
	}
	return fmt.Sprintf("Bands: 95 %% intervals of proportions over %s%s.%s", sampleSize(n.units, n.word), within,
		n.left())
}
