// Package pychild runs a program in Python beside this one, and passes frames to it and back.
//
// Reading guide. Start (process.go) launches an interpreter with a module of the Python package;
// frames of a kind, a length and bytes go through its pipes (frame.go), nothing that could run.
// What Python prints goes to standard error, its last lines into the error when it ends (tail.go).
package pychild
