package app

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"tarry/env/layout"
)

// printWords writes what an environment shows, does and rewards.
func printWords(w io.Writer, a *layout.About) error {
	head := "\nobservation"
	if slices.ContainsFunc(a.Observation, func(r layout.Row) bool { return strings.Contains(r.Unit, "squashed") }) {
		head += "; squashed is x / (1 + x)"
	}
	fmt.Fprintln(w, head)
	rows := [][]string{{"NUMBER", "NAME", "RANGE", "UNIT", "MEANING"}}
	segment := ""
	for _, r := range a.Observation {
		if r.Segment != segment {
			segment = r.Segment
			rows = append(rows, []string{segmentText(&r)})
		}
		rows = append(rows, []string{placeText(&r), r.Name, r.Range, r.Unit, r.Doc})
	}
	if err := printRows(w, rows); err != nil {
		return err
	}
	fmt.Fprintln(w, "\naction"+map[bool]string{true: ", masked: info has which choices are legal"}[a.Masked])
	rows = [][]string{{"NUMBER", "RANGE", "UNIT", "MEANING"}}
	if len(a.Action) > 0 && a.Action[0].Range == "" {
		rows[0] = []string{"CHOICE", "MEANING"}
	}
	for _, f := range a.Action {
		if f.Range == "" {
			rows = append(rows, []string{f.Name, f.Doc})
		} else {
			rows = append(rows, []string{f.Name, f.Range, f.Unit, f.Doc})
		}
	}
	if err := printRows(w, rows); err != nil {
		return err
	}
	for _, part := range [][2]string{{"reward", a.Reward}, {"episode", a.Ends}} {
		fmt.Fprintf(w, "\n%s\n", strings.Join(wrapped(part[0]+": "+part[1], helpWidth), "\n"))
	}
	return nil
}

// segmentText heads the rows of a segment.
func segmentText(r *layout.Row) string {
	text := r.Segment
	if r.Items > 1 {
		text += fmt.Sprintf(" i, i = 0..%d", r.Items-1)
	}
	if r.Item != "" {
		text += ": " + r.Item
	}
	return text
}

// placeText is where the numbers of a row are.
func placeText(r *layout.Row) string {
	switch {
	case r.Items == 1:
		return strconv.Itoa(r.First)
	case r.Step == 1:
		return fmt.Sprintf("%d + i", r.First)
	}
	return fmt.Sprintf("%d + %d i", r.First, r.Step)
}

// printRows aligns rows, whose last cells are wrapped; a row of one cell is a heading.
func printRows(w io.Writer, rows [][]string) error {
	wide := make([]int, len(rows[0])-1)
	for _, row := range rows {
		for i := range wide {
			if len(row) > 1 {
				wide[i] = max(wide[i], len(row[i]))
			}
		}
	}
	room := helpWidth
	for _, n := range wide {
		room -= n + 2
	}
	for _, row := range rows {
		if len(row) == 1 {
			fmt.Fprintln(w, strings.Join(wrapped(row[0], helpWidth), "\n"))
			continue
		}
		lead := ""
		for i, n := range wide {
			lead += fmt.Sprintf("%-*s  ", n, row[i])
		}
		for _, line := range wrapped(row[len(row)-1], max(40, room)) {
			if _, err := fmt.Fprintf(w, "%s%s\n", lead, line); err != nil {
				return err
			}
			lead = strings.Repeat(" ", len(lead))
		}
	}
	return nil
}
