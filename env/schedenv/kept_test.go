package schedenv

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// The windows that were used last are kept, by part and number; what a maker refuses is not.
func TestKept(t *testing.T) {
	var k Kept[*string]
	made := 0
	get := func(p Part, number int) string {
		t.Helper()
		got, err := k.Get(p, number, func() (*string, error) {
			made++
			text := fmt.Sprint(p, number)
			return &text, nil
		})
		if err != nil || *got != fmt.Sprint(p, number) {
			t.Fatalf("window %d of part %s is %v, %v", number, p, got, err)
		}
		return *got
	}
	visit := func(want int, numbers ...int) {
		t.Helper()
		made = 0
		for _, n := range numbers {
			get(Train, n)
		}
		if made != want {
			t.Errorf("%v: %d are made, expected %d", numbers, made, want)
		}
	}
	visit(4, 0, 1, 2, 3, 0, 1, 2, 3)
	visit(1, 4, 3, 2, 1)    // 0 went
	visit(2, 0, 1, 2, 3, 4) // 4 went and then 0
	made = 0
	if get(Test, 1); made != 1 {
		t.Error("a window of another part was found")
	}
	k.Keep(2)
	visit(2, 8, 9, 8, 9)
	if _, err := k.Get(Train, 7, func() (*string, error) {
		return nil,
			errors.ErrUnsupported
	}); err != errors.ErrUnsupported {
		t.Errorf("error %v", err)
	}
	visit(1, 7, 7, 9)
	if other := k.Empty(); other.most != 2 || len(other.of) != 0 || len(k.of) != 2 {
		t.Errorf("%+v is empty, beside %+v", other, k)
	}
	k.Forget()
	visit(1, 7)
	if k.Keep(-3); k.most != 0 {
		t.Errorf("%d windows are kept", k.most)
	}
}

// A window that is kept costs no allocation, though the maker needs what is at hand.
func TestKeptAllocates(t *testing.T) {
	var k Kept[*string]
	ctx, n, made := context.Background(), 0, 0
	find := func() {
		n = (n + 1) % 4
		_, _ = k.Get(Train, n, func() (*string, error) {
			made++
			return new(string), ctx.Err()
		})
	}
	for range 4 {
		find()
	}
	if a := testing.AllocsPerRun(1000, find); a != 0 || made != 4 {
		t.Errorf("%v allocations, %d windows are made", a, made)
	}
}
