package scenario

import (
	"errors"
	"testing"
)

// What is made for one key does not wait for another; what fails is made again.
func TestOnce(t *testing.T) {
	var o once[int]
	fault, inner := errors.New("not yet"), make(chan int)
	if _, err := o.get("a", func() (int, error) { return 0, fault }); !errors.Is(err, fault) {
		t.Errorf("error %v, expected the maker's", err)
	}
	a, err := o.get("a", func() (int, error) {
		go func() {
			b, _ := o.get("b", func() (int, error) { return 2, nil })
			inner <- b
		}()
		return 10 + <-inner, nil
	})
	if a != 12 || err != nil {
		t.Errorf("%d, %v, expected 12", a, err)
	}
	for key, want := range map[string]int{"a": 12, "b": 2} {
		if got, err := o.get(key, func() (int, error) { return 0, fault }); got != want || err != nil {
			t.Errorf("%s is %d, %v, expected %d", key, got, err, want)
		}
	}
}
