// Package fixmath has elementary functions whose results do not depend on the processor or the
// build.
//
// math.Exp of the standard library chooses at run time between a path with fused multiply-adds and
// one without, and the two differ in the last bit; math.Tanh and math.Pow call it. With GOAMD64=v3,
// and on most other architectures, the compiler fuses x*y + z where it likes. One such bit grows
// into other weights and other schedules. Here every product is either rounded on its own or fused
// explicitly, so a function gives the same bits
//
//   - with and without the instructions FMA and AVX (where FMA is absent, math.FMA computes in
//     integers: slower, the same result);
//   - for every GOAMD64.
//
// ExpAll and TanhAll take whole slices, four numbers at a time in assembly where AVX2 and FMA are
// there, with fused multiply-adds exactly where Exp and Tanh have them: the same bits.
//
// Exp, Tanh and Pow give the bits of the standard library on an amd64 processor with FMA, built for
// GOAMD64=v1, so that no number moved when they came. internal/floors keeps the functions of
// package math that lack this property out of every package that computes results.
package fixmath
