//go:build amd64 && !purego && !openblas

package matrix

import "testing"

// BenchmarkPeak is the limit of BenchmarkProducts on this processor.
func BenchmarkPeak(b *testing.B) {
	if !vector {
		b.Skip("no AVX2")
	}
	const n = 10_000
	for b.Loop() {
		peak(n)
	}
	b.ReportMetric(80*n*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
}
