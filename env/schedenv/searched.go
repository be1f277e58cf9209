package schedenv

import "tarry/env"

// Searched is an environment whose windows a search plays, beside the episodes of an agent that
// answers: it keeps what was made of the windows that were used last. It is embedded by
// environments that are trait.Searchable.
type Searched[T any] struct {
	*Env
	Played Kept[T]
}

// Unwrap gives the environment over the simulator.
func (s *Searched[T]) Unwrap() env.Env { return s.Env }

// On makes a fresh one on a part; see Env.Another.
func (s *Searched[T]) On(p Part) (Searched[T], error) {
	inner, err := s.Env.Another(p)
	if err != nil {
		return Searched[T]{}, err
	}
	return Searched[T]{Env: inner.(*Env), Played: s.Played.Empty()}, nil
}

// Keep sets how many windows stay in memory, of windows that episodes begin in and of windows that
// are played.
func (s *Searched[T]) Keep(n int) {
	s.Env.Keep(n)
	s.Played.Keep(n)
}

// Close forgets the windows.
func (s *Searched[T]) Close() error {
	s.Played.Forget()
	return s.Env.Close()
}
