// Package pyactor asks policies that are written in Python: each runs in processes of its own, one
// for each run that asks at the same time, and questions and answers go through pipes.
//
// Reading guide. Open (actor.go) starts the processes of a policy, python3 -m tarry.actor
// MODULE:FUNCTION, through package pychild, and Act asks one that is free; process.go is one of
// them, wire.go what passes through its pipes: numbers.
package pyactor
