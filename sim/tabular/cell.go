package tabular

import (
	"math"
	"strconv"
	"strings"
)

// IsUnknown reports whether a text stands for a missing value: it is empty, or a word that data
// frames and databases write for NULL, NaN or NaT. All words that pandas reads as missing are among
// them.
func IsUnknown(s string) bool {
	switch s {
	case "", "None", "none", "null", "NULL", "nan", "NaN", "-nan", "NaT", "<NA>", "NA", "N/A", "n/a", "#N/A",
		"#NA", "#N/A N/A", "-NaN", "1.#IND", "1.#QNAN", "-1.#IND", "-1.#QNAN":
		return true
	}
	return false
}

// ParseWhole reads a whole number, also where it is written as a float: 4, 4.0, 4e0. A float must
// be below 2^53, where each whole number is one.
func ParseWhole(s string) (int64, bool) {
	if v, err := strconv.ParseInt(s, 10, 64); err == nil {
		return v, true
	}
	if whole, zeros, found := strings.Cut(s, "."); found && strings.Trim(zeros, "0") == "" {
		if v, err := strconv.ParseInt(whole, 10, 64); err == nil {
			return v, true
		}
	}
	f, ok := ParseFinite(s)
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// ParseFinite reads a decimal number; NaN, infinities and hexadecimal numbers are refused.
func ParseFinite(s string) (float64, bool) {
	if strings.ContainsAny(s, "xXpP_") {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// PlainName gives a name as it was before a table made a float of it: a column of whole numbers
// with a gap holds 17.0 in place of 17.
func PlainName(s string) string {
	whole, zeros, found := strings.Cut(s, ".")
	if found && zeros != "" && strings.Trim(zeros, "0") == "" && whole != "" &&
		allDigits(strings.TrimPrefix(whole, "-")) && whole != "-" {
		return whole
	}
	return s
}
