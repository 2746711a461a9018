package matrix

// A mode is one way to build and run the func values.
type mode struct {
	name   string
	layout layout // "" is replaced
	flags  []string
	env    []string
	how    how
	pkg    string // "" is the command at the module's root
	tools  []string
	short  bool // runs with -short too
	// stands is what the mode stands for where -full is not given; one without it runs
	// with -full only.
	stands string
	// bare: the sources are gone when it runs, and there is nothing in its environment.
	bare bool
	// emulated: it runs on arm64, where no libLLVM can be loaded. What it launches
	// on the cpu is compiled beforehand, into the disk cache.
	emulated bool
	cpu      string // then: a setting that says whether there is a cpu device
	// otherMain: package main has another import path than elsewhere, and the IR
	// of its func values names that.
	otherMain bool
	// ahead: heddle generate writes what is embedded, and heddle build compiles
	// for the cpu of this machine; what it could not know is compiled at run time.
	ahead bool
	// host is a program's source in testdata/hosts, in C or Go, that loads what is
	// built, which is no program then.
	host string
	// wants are func values that only this mode has, lacks those whose type arguments
	// are not found in it: that is an error which says so.
	wants, lacks []string
}

// how says what the go command does.
type how string

const (
	goBuild    how = "go build"
	goRun      how = "go run"
	goTest     how = "go test"
	goTestC    how = "go test -c"
	goRunFiles how = "go run FILES"
)

var (
	inTest   = []string{"test declared", "test global", "test maker", "test literal", "test generic"}
	external = []string{"external declared", "external global", "external maker", "external literal", "external generic", "external phantom"}
	mainTest = []string{"main test declared", "main test literal"}
	// inSymbols have type arguments that are found by symbol, or by code that takes an
	// address; a plugin's symbols are not the program's, and its code looks addresses up.
	inSymbols = []string{
		"literal in generic captured only noinline", "literal in generic captured only noinline, float",
		"literal in generic size only noinline", "literal in generic size only noinline, other",
	}
)

// modes are all modes. The first is what the others are compared with. Package source's
// TestBuildModes and the two programs of FuzzClosures are of a few besides, without -full.
var modes = []mode{
	{name: "go build", stands: "the others are compared with it",
		how: goBuild, short: true},
	{name: "go run", how: goRun},
	{name: "go run files", stands: "the package of the command has another path",
		how: goRunFiles, otherMain: true},
	{name: "trimpath", how: goBuild, flags: []string{"-trimpath"}},
	{name: "stripped", stands: "no symbols and no debugging information",
		how: goBuild, short: true, flags: []string{"-ldflags=-s -w"}},
	{name: "pie", how: goBuild, flags: []string{"-buildmode=pie"}},
	{name: "race", how: goBuild, flags: []string{"-race"}, tools: []string{"gcc"}},
	{name: "asan", how: goBuild, flags: []string{"-asan"}, tools: []string{"gcc"}},
	{name: "cover", how: goBuild, flags: []string{"-cover", "-coverpkg=example.com/..."}},
	{name: "unoptimised", how: goBuild, flags: []string{"-gcflags=all=-N -l"}},
	{name: "not inlined", how: goBuild, flags: []string{"-gcflags=-l"}},
	{name: "inlined more", stands: "func values whose functions are in others: that is where closures are hardest to find",
		how: goBuild, flags: []string{"-gcflags=-l=4"}},
	{name: "external linking", how: goBuild, env: []string{"CGO_ENABLED=1"}, flags: []string{"-ldflags=-linkmode=external"}, tools: []string{"gcc"}},
	{name: "no cgo", how: goBuild, env: []string{"CGO_ENABLED=0"}},
	{name: "cgo", how: goBuild, env: []string{"CGO_ENABLED=1"}, flags: []string{"-tags=matrixcgo"}, tools: []string{"gcc"},
		wants: []string{"cgo literal", "cgo declared", "cgo global"}},
	{name: "tags", how: goBuild, flags: []string{"-tags=matrixtag"}, wants: []string{"tagged", "tagged declared"}},
	{name: "vendored", stands: "sources of other modules elsewhere, paths that are trimmed; workspace is likewise",
		how: goBuild, layout: vendored, flags: []string{"-trimpath"}}, // so the build cache has it
	{name: "workspace", how: goBuild, layout: workspace},
	{name: "in-package test", stands: "tests, as with coverage",
		how: goTest, short: true, pkg: "./cases", flags: []string{"-run=TestIn"}, wants: inTest},
	{name: "external test", stands: "packages of tests",
		how: goTest, pkg: "./cases", flags: []string{"-run=TestExternal"}, wants: external},
	{name: "test of main", stands: "a command as a test, here and elsewhere",
		how: goTest, short: true, wants: mainTest},
	{name: "test with coverage", how: goTest, pkg: "./cases", flags: []string{"-run=TestIn", "-cover"}, wants: inTest},
	{name: "test binary elsewhere", stands: "go test -c, without sources",
		how: goTestC, pkg: "./cases", wants: append(append([]string{}, inTest...), external...)},
	{name: "test of main elsewhere", how: goTestC, flags: []string{"-trimpath", "-ldflags=-s -w"}, wants: mainTest},
	{name: "bare", stands: "what is deployed: trimmed, stripped, at any address, without sources; pie and trimpath are in it",
		how: goBuild, flags: []string{"-trimpath", "-ldflags=-s -w", "-buildmode=pie"}, bare: true},
	{name: "ahead of time", how: goBuild, flags: []string{"-trimpath", "-ldflags=-s -w"}, bare: true, ahead: true},
	{name: "c-shared", stands: "code at any address that another program begins, by way of cgo; c-archive and plugin are likewise",
		how: goBuild, host: "shared.c", flags: []string{"-buildmode=c-shared", "-tags=matrixshared", "-ldflags=-s -w"}, tools: []string{"gcc"}},
	{name: "c-archive", how: goBuild, host: "shared.c", flags: []string{"-buildmode=c-archive", "-tags=matrixshared"}, tools: []string{"gcc"}},
	{name: "plugin", how: goBuild, host: "plugin.go", flags: []string{"-buildmode=plugin", "-tags=matrixplugin"}, tools: []string{"gcc"}, otherMain: true, lacks: inSymbols},
	{name: "arm64", how: goBuild, env: []string{"GOARCH=arm64", "CGO_ENABLED=0"}, flags: []string{"-ldflags=-s -w"}, tools: []string{"qemu-aarch64-static"}, emulated: true},
}
