package simtest

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"os"
	"strconv"
	"testing"
	"time"
)

// Torture calls try with one seed after the other, and fails the test with the first error, its
// seed and the command that repeats it. Without an environment it tries the seeds 0 to short-1.
// These change that:
//
//	TARRY_TORTURE=10m         fresh seeds, for so long
//	TARRY_TORTURE_PARTS=3     for a third of it: several tests share the time
//	TARRY_TORTURE_SEED=17     this seed alone
//
// "make torture" sets them.
func Torture(t *testing.T, short int, try func(seed uint64) error) {
	t.Helper()
	one := func(seed uint64) {
		if err := try(seed); err != nil {
			t.Fatalf("seed %d: %v\nto repeat it: make torture TORTURE_SEED=%d TORTURE_ONLY=%s", seed, err, seed,
				t.Name())
		}
	}
	if text := os.Getenv("TARRY_TORTURE_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("TARRY_TORTURE_SEED is %q, expected a whole number", text)
		}
		one(seed)
		return
	}
	text := os.Getenv("TARRY_TORTURE")
	if text == "" {
		for seed := range uint64(short) {
			one(seed)
		}
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), budget(t, text))
	defer stop()
	seed := fresh()
	first := seed
	for ; ctx.Err() == nil; seed++ {
		one(seed)
	}
	t.Logf("seeds %d to %d: no fault", first, seed-1)
}

// budget is this test's part of the time.
func budget(t *testing.T, text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		t.Fatalf("TARRY_TORTURE is %q, expected a time such as 10m", text)
	}
	if text := os.Getenv("TARRY_TORTURE_PARTS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("TARRY_TORTURE_PARTS is %q, expected a whole number >= 1", text)
		}
		d /= time.Duration(n)
	}
	return d
}

// fresh is a seed that no earlier run is likely to have had; short enough to type.
func fresh() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return uint64(binary.LittleEndian.Uint32(b[:])) << 8
}
