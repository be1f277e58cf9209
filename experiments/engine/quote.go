package engine

import (
	"fmt"
	"strings"

	"tarry/output/results"
)

// shellPlain are the bytes that a POSIX shell takes as they stand, beside letters and digits.
const shellPlain = "@%_+=:,./-"

// QuoteShell writes one word for a POSIX shell.
func QuoteShell(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune(shellPlain, r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// QuoteWords writes a command line for a POSIX shell.
func QuoteWords(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = QuoteShell(w)
	}
	return strings.Join(quoted, " ")
}

// FormatRanges writes ascending numbers as batch systems take them: "0-7,12".
func FormatRanges(numbers []int) string {
	narrow := make([]int32, len(numbers))
	for i, n := range numbers {
		narrow[i] = int32(n)
	}
	return results.FormatGPUs(narrow)
}

// ParseRanges reads what FormatRanges wrote.
func ParseRanges(text string) ([]int, error) {
	narrow, err := results.ParseGPUs[int32](text)
	if err != nil {
		return nil, fmt.Errorf("cells %q, expected ascending ranges as in 0-7,12", text)
	}
	numbers := make([]int, len(narrow))
	for i, n := range narrow {
		numbers[i] = int(n)
	}
	return numbers, nil
}
