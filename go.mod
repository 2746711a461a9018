module heddle

go 1.26.0

require (
	github.com/ebitengine/purego v0.11.3
	github.com/llir/llvm v0.3.6
	golang.org/x/arch v0.32.0
	golang.org/x/tools v0.52.0
)
