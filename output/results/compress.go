//go:build !js

package results

import (
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/klauspost/compress/zstd"
)

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
