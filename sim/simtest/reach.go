package simtest

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"tarry/sim"
)

// Reach is all memory that can be reached from a value, through pointers, slices (up to their
// capacity), maps and interfaces, as it was at one time. Closures are not looked into, but for the
// method values among them.
type Reach struct {
	leaves map[string]uint64 // hashes by path
	blocks []block           // sorted by their start
	funcs  map[string]uintptr
	seed   maphash.Seed
	seen   map[seen]bool
}

// block is a piece of memory that a pointer or a slice leads to.
type block struct{ from, to uintptr }

type seen struct {
	at  unsafe.Pointer
	of  reflect.Type
	len int
}

// lent are types of which a policy holds a pointer between decisions, but is given another one at
// each of them.
func lent() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[sim.View](), reflect.TypeFor[sim.Engine]()}
}

// ReachOf looks at everything that x, a pointer or an interface, leads to.
func ReachOf(x any) *Reach { return reachOf(x, maphash.MakeSeed()) }

func reachOf(x any, seed maphash.Seed) *Reach {
	r := &Reach{leaves: map[string]uint64{}, funcs: map[string]uintptr{}, seed: seed, seen: map[seen]bool{}}
	r.walk(reflect.ValueOf(x), "")
	slices.SortFunc(r.blocks, func(a, b block) int { return cmp.Compare(a.from, b.from) })
	r.seen = nil
	return r
}

// Changed looks at x again, which was looked at before, and names what has another value now; "" =
// nothing has.
func (r *Reach) Changed(x any) string {
	now := reachOf(x, r.seed)
	var paths []string
	for path, was := range r.leaves {
		if is, ok := now.leaves[path]; !ok || is != was {
			paths = append(paths, path)
		}
	}
	for path := range now.leaves {
		if _, ok := r.leaves[path]; !ok {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return strings.Join(paths[:min(len(paths), 5)], ", ")
}

// Bound names a function in r that is bound to memory of another value, and not to memory in r; ""
// = there is none. A method value keeps its receiver, and a closure what it has captured: the first
// word of that is looked at.
func (r *Reach) Bound(other *Reach) string {
	var paths []string
	for path, at := range r.funcs {
		if other.owns(at) && !r.owns(at) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return strings.Join(paths[:min(len(paths), 5)], ", ")
}

func (r *Reach) owns(at uintptr) bool {
	i, found := slices.BinarySearchFunc(r.blocks, at, func(b block, at uintptr) int { return cmp.Compare(b.from, at) })
	for ; !found && i > 0; i-- {
		if b := r.blocks[i-1]; at < b.to {
			return true
		} else if at-b.from > 1<<20 {
			break
		}
	}
	return found
}

func (r *Reach) walk(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Invalid:
		r.leaves[path] = 0
	case reflect.Interface:
		r.walk(v.Elem(), path)
	case reflect.Pointer:
		r.pointer(v, path)
	case reflect.Struct:
		for i := range v.NumField() {
			r.walk(v.Field(i), path+"."+v.Type().Field(i).Name)
		}
	case reflect.Array:
		for i := range v.Len() {
			r.walk(v.Index(i), path+"["+strconv.Itoa(i)+"]")
		}
	case reflect.Slice:
		r.slice(v, path)
	case reflect.Map:
		r.entries(v, path)
	case reflect.Func:
		r.function(v, path)
	case reflect.String:
		r.leaves[path] = maphash.String(r.seed, v.String())
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		r.leaves[path] = whole(v)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		r.leaves[path] = v.Uint()
	case reflect.Float32, reflect.Float64:
		r.leaves[path] = math.Float64bits(v.Float())
	default:
		r.leaves[path] = maphash.String(r.seed, fmt.Sprint(v))
	}
}

func whole(v reflect.Value) uint64 {
	if v.Kind() != reflect.Bool {
		return uint64(v.Int())
	}
	if v.Bool() {
		return 1
	}
	return 0
}

// first reports whether a piece of memory is met for the first time.
func (r *Reach) first(at unsafe.Pointer, of reflect.Type, n int) bool {
	key := seen{at, of, n}
	if r.seen[key] {
		return false
	}
	r.seen[key] = true
	if size := uintptr(n) * of.Size(); size > 0 {
		r.blocks = append(r.blocks, block{uintptr(at), uintptr(at) + size})
	}
	return true
}

func (r *Reach) pointer(v reflect.Value, path string) {
	switch {
	case slices.Contains(lent(), v.Type().Elem()):
	case v.IsNil():
		r.leaves[path] = 0
	case r.first(v.UnsafePointer(), v.Type().Elem(), 1):
		r.walk(v.Elem(), path)
	}
}

func (r *Reach) slice(v reflect.Value, path string) {
	r.leaves[path+" (length)"] = uint64(v.Len())
	of := v.Type().Elem()
	if v.Cap() == 0 || !r.first(v.UnsafePointer(), of, v.Cap()) {
		return
	}
	v = v.Slice(0, v.Cap())
	switch of.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint,
		reflect.Uint8,
		reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		r.leaves[path+"[]"] = maphash.Bytes(r.seed, unsafe.Slice((*byte)(v.UnsafePointer()),
			uintptr(v.Len())*of.Size()))
		return
	}
	for i := range v.Len() {
		r.walk(v.Index(i), path+"["+strconv.Itoa(i)+"]")
	}
}

// entries walks a map in the order of its keys, since what two of them lead to is met at the first.
func (r *Reach) entries(v reflect.Value, path string) {
	r.leaves[path+" (entries)"] = uint64(v.Len())
	at := map[string]reflect.Value{}
	for i := v.MapRange(); i.Next(); {
		at[fmt.Sprintf("%s[%v]", path, i.Key())] = i.Value()
	}
	for _, key := range slices.Sorted(maps.Keys(at)) {
		r.walk(at[key], key)
	}
}

// function notes the first word that a function has captured.
func (r *Reach) function(v reflect.Value, path string) {
	if v.IsNil() || !v.CanAddr() {
		return
	}
	code := *(**[2]uintptr)(v.Addr().UnsafePointer()) // a code pointer, and what follows it
	r.funcs[path] = code[1]
}
