package source

import (
	"errors"
	"go/build"
	"go/build/constraint"
	"slices"
	"strings"

	"heddle/internal/lazy"
)

// This file chooses the files that a build has, by their names and their build
// constraints, as (*build.Context).MatchFile does: that reads imports on the way, which
// would be 30 KB more of a program.

// nameMatches reports whether a build context selects a Go file by its name,
// x_linux_arm64_test.go say.
func nameMatches(ctx *build.Context, name string) bool {
	if strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
		return false
	}
	name, _, _ = strings.Cut(name, ".")
	words := strings.Split(name, "_")[1:]
	if n := len(words); n > 0 && words[n-1] == "test" {
		words = words[:n-1]
	}
	n := len(words)
	switch {
	case n == 0:
		return true
	case knownArch.Has(words[n-1]):
		return hasTag(ctx, words[n-1]) && (n == 1 || !knownOS.Has(words[n-2]) || hasTag(ctx, words[n-2]))
	}
	return !knownOS.Has(words[n-1]) || hasTag(ctx, words[n-1])
}

// textMatches reports whether a build context selects a Go file by its constraints. A
// file whose constraints are malformed is in no build.
func textMatches(ctx *build.Context, text string) bool {
	exprs, err := constraints(text)
	return err == nil && !slices.ContainsFunc(exprs, func(x constraint.Expr) bool {
		return !x.Eval(func(tag string) bool { return hasTag(ctx, tag) })
	})
}

// constraints are those in the comments before a file's package clause: a //go:build
// line, else the +build lines that a blank line follows.
func constraints(text string) ([]constraint.Expr, error) {
	var line string
	var plus []string
	kept := 0 // of plus
	ended, inComment := false, false
lines:
	for l := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		l = strings.TrimSpace(l)
		if l == "" && !ended {
			kept = len(plus)
			continue
		}
		ended = ended || !strings.HasPrefix(l, "//")
		switch {
		case inComment:
		case constraint.IsGoBuild(l) && line != "":
			return nil, errors.New("two //go:build lines")
		case constraint.IsGoBuild(l):
			line = l
		case !ended && constraint.IsPlusBuild(l):
			plus = append(plus, l)
		}
		for l != "" {
			switch {
			case inComment:
				_, rest, ended := strings.Cut(l, "*/")
				l, inComment = rest, !ended
			case strings.HasPrefix(l, "//"):
				continue lines
			case strings.HasPrefix(l, "/*"):
				l, inComment = l[2:], true
			default:
				break lines
			}
			l = strings.TrimSpace(l)
		}
	}
	if line != "" {
		x, err := constraint.Parse(line)
		return []constraint.Expr{x}, err
	}
	var all []constraint.Expr
	for _, l := range plus[:kept] {
		if x, err := constraint.Parse(l); err == nil {
			all = append(all, x)
		}
	}
	return all, nil
}

// hasTag reports whether a build context satisfies a tag.
func hasTag(ctx *build.Context, tag string) bool {
	switch {
	case tag == ctx.GOOS, tag == ctx.GOARCH, tag == ctx.Compiler,
		tag == "cgo" && ctx.CgoEnabled,
		tag == "linux" && ctx.GOOS == "android",
		tag == "solaris" && ctx.GOOS == "illumos",
		tag == "darwin" && ctx.GOOS == "ios",
		tag == "unix" && unixOS.Has(ctx.GOOS):
		return true
	case tag == "boringcrypto":
		tag = "goexperiment.boringcrypto"
	}
	return slices.Contains(ctx.BuildTags, tag) || slices.Contains(ctx.ToolTags, tag) || slices.Contains(ctx.ReleaseTags, tag)
}

// What may be a system or a processor in a file's name, past ones and planned ones among
// them, and the systems that are Unix: those of Go's internal/syslist.
var (
	knownOS   = lazy.Words{Text: `aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos`}
	unixOS    = lazy.Words{Text: `aix android darwin dragonfly freebsd hurd illumos ios linux netbsd openbsd solaris`}
	knownArch = lazy.Words{Text: `386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm`}
)
