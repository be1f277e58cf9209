package env

import "fmt"

// Describe reports in words which values a space has, for messages: "Box (2 real numbers)",
// "Discrete (3 choices)".
func Describe(s Space) string {
	switch s := s.(type) {
	case Box:
		return fmt.Sprintf("Box (%s)", count(s.Len(), "real number"))
	case Discrete:
		return fmt.Sprintf("Discrete (%s)", count(s.N, "choice"))
	case MultiDiscrete:
		return fmt.Sprintf("MultiDiscrete (%s of several)", count(s.Len(), "choice"))
	case MultiBinary:
		return fmt.Sprintf("MultiBinary (%s of yes or no)", count(s.N, "choice"))
	case Dict:
		return fmt.Sprintf("Dict (%s)", count(len(s), "part"))
	case Tuple:
		return fmt.Sprintf("Tuple (%s)", count(len(s), "part"))
	}
	return "of no known kind"
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
