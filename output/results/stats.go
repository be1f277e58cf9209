package results

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
)

// longestBound is the longest text that is kept as a bound of a row group: longer ones would make the footer large, and a
// shortened one is no value of the column.
const longestBound = 1 << 10

// statistics takes those of a column chunk.
type statistics interface {
	SetStats(metadata.EncodedStatistics)
}

// numbers writes the numbers of a row group and their bounds. NaN is no bound; a lower bound of 0 is written as -0 and an
// upper one as +0, as Parquet asks. Arrow v15 bounds a column of infinities by the largest finite number.
func (e *encoder) numbers(w *file.Float64ColumnChunkWriter, chunk statistics) error {
	if _, err := w.WriteBatch(e.f64, nil, nil); err != nil {
		return err
	}
	s := metadata.EncodedStatistics{HasNullCount: true, Signed: true}
	lo, hi := math.NaN(), math.NaN()
	for _, v := range e.f64 {
		if math.IsNaN(v) {
			continue
		}
		if !(lo <= v) {
			lo = v
		}
		if !(hi >= v) {
			hi = v
		}
	}
	if !math.IsNaN(lo) {
		if lo == 0 {
			lo = math.Copysign(0, -1)
		}
		if hi == 0 {
			hi = math.Abs(hi)
		}
		s.SetMin(binary.LittleEndian.AppendUint64(nil, math.Float64bits(lo)))
		s.SetMax(binary.LittleEndian.AppendUint64(nil, math.Float64bits(hi)))
	}
	chunk.SetStats(s)
	return nil
}

// texts writes the texts of a row group and their bounds. Arrow v15 forgets a minimum that is the empty text, so its own
// bounds of texts are off.
func (e *encoder) texts(w *file.ByteArrayColumnChunkWriter, chunk statistics) error {
	if _, err := w.WriteBatch(e.str, nil, nil); err != nil {
		return err
	}
	s := metadata.EncodedStatistics{HasNullCount: true}
	if len(e.str) > 0 {
		lo, hi := e.str[0], e.str[0]
		for _, v := range e.str {
			if bytes.Compare(v, lo) < 0 {
				lo = v
			}
			if bytes.Compare(v, hi) > 0 {
				hi = v
			}
		}
		if len(lo) <= longestBound && len(hi) <= longestBound {
			// copies: the texts are the caller's. An empty text must not be nil, which stands for none.
			s.Min, s.Max = append([]byte{}, lo...), append([]byte{}, hi...)
			s.HasMin, s.HasMax = true, true
		}
	}
	chunk.SetStats(s)
	clear(e.str) // do not keep the caller's strings alive
	return nil
}
