package nn

// The tensor library below Gorgonia asserts at start that Go's collector does not move
// objects. The version of this module that it asks for supports only old releases of Go and
// panics with any other; the version that go.mod pins asks the runtime instead. The import
// keeps the pin when go.mod is tidied.
import _ "go4.org/unsafe/assume-no-moving-gc"
