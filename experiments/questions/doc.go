// Package questions reads questions, which are YAML files in the language of sweeps, and holds those
// that tarry ships, NAME.yaml for the question NAME.
//
// Reading guide. read.go reads a file, expand.go chooses a scale and fills variables in, specs.go
// makes sweeps of it, template.go repeats entries for lists, draw.go its figures and rows.go the rows
// of figures and tables; kept.go reads where answers are stored; shipped.go gives the questions of
// this folder. docs/howto/questions.md describes the language.
package questions
