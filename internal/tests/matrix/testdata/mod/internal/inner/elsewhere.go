package inner

// elsewhere is inlined into literals of the other file.
func elsewhere(x int64) int64 { return x*3 + 1 }
