package results

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/klauspost/compress/zstd"

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

// parquet is the codec as Parquet calls it.
func (c Codec) parquet() compress.Compression {
	switch c {
	case "snappy":
		return compress.Codecs.Snappy
	case "none":
		return compress.Codecs.Uncompressed
	}
	return compress.Codecs.Zstd
}

// level is the level of zstd.
func (c Codec) level() zstd.EncoderLevel {
	switch c {
	case "zstd:3":
		return zstd.SpeedDefault
	case "zstd:7":
		return zstd.SpeedBetterCompression
	case "zstd:11":
		return zstd.SpeedBestCompression
	}
	return zstd.SpeedFastest // the next level is twice as slow and no smaller on tables of jobs
}

// encoder gives a function that compresses, in memory that the scratch keeps: its result is
// overwritten by the next.
func (s *scratch) encoder(c Codec) (func(src []byte) []byte, error) {
	switch codec := c.parquet(); codec {
	case compress.Codecs.Uncompressed:
		return func(src []byte) []byte { return src }, nil
	case compress.Codecs.Snappy:
		snappy, err := compress.GetCodec(codec)
		return func(src []byte) []byte {
			if n := int(snappy.CompressBound(int64(len(src)))); n > len(s.packed) {
				s.packed = make([]byte, n)
			}
			return snappy.Encode(s.packed, src)
		}, err
	}
	level := c.level()
	if s.zstd[level] == nil {
		z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(pageBytes),
			zstd.WithZeroFrames(true), zstd.WithEncoderLevel(level))
		if err != nil {
			return nil, err
		}
		s.zstd[level] = z
	}
	z := s.zstd[level]
	return func(src []byte) []byte {
		s.packed = z.EncodeAll(src, s.packed[:0])
		return s.packed
	}, nil
}
