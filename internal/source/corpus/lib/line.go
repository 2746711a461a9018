package lib

// Renamed is in a file that claims to be another.
func Renamed(a int) func(int) int {
//line made.up:100
	return func(x int) int { ID("renamed"); return x + 2*a }
}
