package cases

//line generated.y:7
func renamed(a int64) func([]int64) {
	return func(out []int64) { out[0] = 53 + a }
}
