// Package fraction reads numbers of results that are exact: fractions as text.
package fraction

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
)

// Number is a number as such files have it: a text "3/2", a decimal, or null, which is without end.
type Number float64

// UnmarshalJSON reads it.
func (n *Number) UnmarshalJSON(text []byte) error {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	switch v := v.(type) {
	case nil:
		*n = Number(math.Inf(1))
	case float64:
		*n = Number(v)
	case string:
		r, ok := new(big.Rat).SetString(v)
		if !ok {
			return fmt.Errorf("%q, expected a fraction", v)
		}
		f, _ := r.Float64()
		*n = Number(f)
	default:
		return fmt.Errorf("%s, expected a number", text)
	}
	return nil
}
