package app

import (
	"strings"

	"tarry/experiments/digest"
	"tarry/experiments/questions"
	"tarry/experiments/sweep"
)

// findQuestion gives a shipped question by name, or the question of a file: what has a point or a
// slash in it is a file.
func (from program) findQuestion(name string) (sweep.Question, error) {
	if !strings.ContainsAny(name, "./\\") {
		return from.Questions.Find(name)
	}
	q, err := questions.ReadFile(&from.Catalogues, name)
	if err != nil {
		return q, err
	}
	if q.DrawnAs != "" {
		like, err := from.Questions.Find(q.DrawnAs)
		if err != nil {
			return q, err
		}
		q.Figures, q.Tables = like.Figures, like.Tables
	}
	if q.Figures == nil {
		q.Figures = digest.Generic
	}
	return q, nil
}
