package play

import (
	"context"
	"encoding/json"
	"syscall/js"

	"tarry/env/scenario"
)

// server answers calls of JavaScript, one at a time.
type server struct {
	from scenario.Catalogues
	last *Result // of the last call of compare that succeeded
}

// Serve sets the global object tarry and serves until the program is stopped, so that it returns no
// error:
//
//	tarry.compare(words, progress)  runs the words behind "tarry compare"; progress gets 0..1
//	tarry.replay(replicate)         the schedules of the last comparison
//
// Each gives JSON, an Answer or a list of Schedules, or {"error": TEXT}.
func Serve(from scenario.Catalogues) error {
	s := &server{from: from}
	js.Global().Set("tarry", map[string]any{
		"compare": js.FuncOf(func(_ js.Value, args []js.Value) any { return text(s.compare(args[0], args[1])) }),
		"replay":  js.FuncOf(func(_ js.Value, args []js.Value) any { return text(s.replay(args[0].Int())) }),
	})
	select {}
}

func (s *server) compare(list, progress js.Value) (any, error) {
	words := make([]string, list.Length())
	for i := range words {
		words[i] = list.Index(i).String()
	}
	r, err := Run(context.Background(), words, s.from, func(part float64) { progress.Invoke(part) })
	if err != nil {
		return nil, err
	}
	s.last = r
	return r.Answer()
}

func (s *server) replay(replicate int) (any, error) {
	if s.last == nil {
		return []Schedule{}, nil
	}
	return s.last.Replay(replicate)
}

// text is a value or an error as JSON.
func text(value any, err error) any {
	if err != nil {
		value = map[string]string{"error": err.Error()}
	}
	out, err := json.Marshal(value)
	if err != nil {
		return `{"error": "the result is not JSON"}`
	}
	return string(out)
}
