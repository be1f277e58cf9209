//go:build !amd64 || purego

package vector

const vector = false

func addRows(int, int, int, *float64, *float64) {}

func sumRows(int, int, int, *float64, *float64) {}

func relu(int, *float64) {}

func rectify(int, *float64) {}

func reluSlope(int, *float64, *float64, *float64) {}

func tanhSlope(int, *float64, *float64, *float64) {}

func scale(int, *float64, float64) {}

func blend(int, *float64, *float64, float64) {}

func adam(int, *float64, *float64, *float64, *float64, *float64) {}

func rmsprop(int, *float64, *float64, *float64, *float64, bool) {}
