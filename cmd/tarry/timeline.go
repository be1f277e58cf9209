package main

import (
	"tarry/internal/config"
	"tarry/internal/trial"
)

func writeTimeline(path string, s *config.Setup, done []*trial.Result) error { return nil }
