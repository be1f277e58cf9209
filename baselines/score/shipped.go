package score

import (
	"bytes"
	_ "embed"
	"slices"

	"tarry/internal/weights"
)

// orderText is what python/bench/order_one.py puts together (docs/results/order.md).
//
//go:embed order.txt
var orderText []byte

// Shipped names the rules that Load finds without a file: order is one order for several workloads.
func Shipped() []string { return []string{"order"} }

// Load reads a shipped rule, or the rule of a file.
func Load(path string) (*Rule, error) {
	if slices.Contains(Shipped(), path) {
		return Parse(path, bytes.NewReader(orderText))
	}
	return weights.Load(path, Parse)
}
