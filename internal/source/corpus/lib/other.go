package lib

// otherFile is inlined at the beginning of a literal of another file.
func otherFile(x int) int { return x*9 + 4 }
