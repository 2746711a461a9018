package kernel_test

//lint:file-ignore heddle the kernels are wrong on purpose

// Directives that have no effect where they stand.

var directiveKernels = map[string]any{
	"inline kernel": badInlineKernel, "inline arguments": badInlineArguments, "inline and noinline": badInlineBoth,
	"directive of a function": badFunctionDirective, "unroll above a function": badUnrolledFunction,
}

// bad inline kernel
//
//heddle:inline
func badInlineKernel(out []int) { out[0] = 1 } // want@-1 "//heddle:inline: has no effect on a kernel \\(put it above a function that kernels call"

// bad inline arguments
func badInlineArguments(out []int) { out[0] = inlinedArguments(1) }

//heddle:inline now
func inlinedArguments(x int) int { return x } // want@-1 "//heddle:inline: takes no arguments"

// bad inline and noinline
func badInlineBoth(out []int) { out[0] = inlinedBoth(1) }

//heddle:inline
//go:noinline
func inlinedBoth(x int) int { return x } // want@-1 "//heddle:inline: the function has //go:noinline, too \\(remove one of them"

// bad directive of a function
func badFunctionDirective(out []int) { out[0] = directed(1) }

//heddle:fast
func directed(x int) int { return x } // want@-1 "//heddle:fast: unknown directive \\(above a function there is inline"

// bad unroll above a function
func badUnrolledFunction(out []int) { out[0] = unrolledWhole(1) }

//heddle:unroll 4
func unrolledWhole(x int) int { return x } // want@-1 "//heddle:unroll: stands above a function, and is for a loop \\(put it on the line above the for"
