package results

import (
	"fmt"
	"slices"
	"strings"

	"tarry/sim/param"
)

// Codec states how the pages of a file are compressed: one of Codecs, or "", which is the first of
// them. Readers need not know it.
type Codec string

// Codecs lists the codecs: zstd at its level 1, which is the default, at its levels 3, 7 and 11,
// snappy, and no compression.
func Codecs() []string { return []string{"zstd", "zstd:3", "zstd:7", "zstd:11", "snappy", "none"} }

// ParseCodec reads a name of Codecs; the default is "", however it is spelled.
func ParseCodec(text string) (Codec, error) {
	all := Codecs()
	if text == "" || text == all[0] {
		return "", nil
	}
	if !slices.Contains(all, text) {
		return "", fmt.Errorf("Parquet codec is %q, expected one of %s%s", text, strings.Join(all, ", "),
			param.Hint(text, all))
	}
	return Codec(text), nil
}
