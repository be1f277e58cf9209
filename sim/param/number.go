package param

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseFloat reads a decimal number as people write it: 0.9, -3, 1e-4, or inf. What Go's own reader
// takes beyond that (0x1p-2, 1_000, nan, infinity) is an error, since in a setting it is a slip.
func ParseFloat(text string) (float64, error) {
	if strings.Trim(text, "0123456789.eE+-") != "" && !strings.EqualFold(strings.TrimLeft(text, "+-"), "inf") {
		return 0, fmt.Errorf("%q, expected a decimal number", text)
	}
	return strconv.ParseFloat(text, 64)
}

// DecimalComma states that the value of a setting was written with a decimal comma, which separates
// settings: key=value came before, and part, which has no key, behind the comma. nil = it was not.
func DecimalComma(key, value, part string) error {
	if !digits(strings.TrimLeft(value, "+-")) || !digits(part) {
		return nil
	}
	return fmt.Errorf("%s is \"%s,%s\", expected a point before the decimals, not a comma: %s=%s.%s", key, value, part,
		key, value, part)
}

func digits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
