package app

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"tarry/internal/legible"
)

// textTable is a table of texts whose columns are aligned to the left.
type textTable struct {
	width int // a line is cut there; 0 = never
	rows  [][]string
}

// narrow is how wide a column between the first and the last may be in a table that is wider than the terminal.
const narrow = 18

// terminalWidth is the width of a terminal in columns; 0 = the writer is none.
func terminalWidth(w io.Writer) int {
	f, ok := legible.Under(w).(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

func (t *textTable) print(w io.Writer) {
	var wide []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(wide) {
				wide = append(wide, 0)
			}
			wide[i] = max(wide[i], utf8.RuneCountInString(cell))
		}
	}
	total := 0
	for _, n := range wide {
		total += n + 2
	}
	if t.width > 0 && total > t.width { // the last column gets what the others leave
		for i := 1; i < len(wide)-1; i++ {
			wide[i] = min(wide[i], narrow)
		}
	}
	for _, row := range t.rows {
		var b strings.Builder
		for i, cell := range row {
			if i < len(row)-1 {
				cell = cut(cell, wide[i])
			}
			fmt.Fprintf(&b, "%-*s  ", wide[i], cell)
		}
		fmt.Fprintln(w, cut(strings.TrimRight(b.String(), " "), t.width))
	}
}

// cut shortens a line to a width, with a mark at its end; 0 = it may be as long as it is.
func cut(line string, width int) string {
	if runes := []rune(line); width > 0 && len(runes) > width {
		return string(runes[:width-1]) + "\u2026"
	}
	return line
}
