package codegen

import (
	"fmt"
	"strings"

	"heddle/internal/lazy"
)

// This file makes a ballot of joined comparisons the bits of each, joined. A comparison within a ballot is one
// instruction, and its result is the ballot; of what several make, instruction selection makes a number in each lane, and compares that:
//
//	%bad = or i1 %a, %b                         %votes.a = call i64 @llvm.amdgcn.ballot.i64(i1 %a)
//	%votes = call i64 @...ballot.i64(i1 %bad)   %votes.b = call i64 @llvm.amdgcn.ballot.i64(i1 %b)
//	                                            %votes = or i64 %votes.a, %votes.b

var votedOr = lazy.Regexp{Expr: `^((?:[a-z]+ )*call (?:[a-z]+ )*(i\d+) @llvm\.amdgcn\.ballot\.i\d+\(i1 )(` + valueName + `)(\).*)$`}

// partBallots does that to ballots of comparisons that nothing else uses. One in another block has been made by other lanes.
func partBallots(text string) (out string, ok bool) {
	if !strings.Contains(text, "@llvm.amdgcn.ballot.") {
		return text, false
	}
	n := 0
	out = eachFunction(text, func(body string) string {
		if !strings.Contains(body, "@llvm.amdgcn.ballot.") {
			return body
		}
		f := parseFlow(body)
		uses := map[string]int{}
		for _, line := range f.lines {
			for _, name := range namesIn(line) {
				uses[name]++ // where it is made, too
			}
		}
		any := false
		for _, name := range f.order {
			v := f.values[name]
			if m := votedOr.Get().FindStringSubmatch(v.text); m != nil {
				if lines := f.partBallot(name, m, uses, &n); lines != "" {
					f.lines[v.line], any, ok = lines, true, true
				}
			}
		}
		if !any {
			return body
		}
		return strings.Join(f.lines, "\n")
	})
	return out, ok
}

// partBallot is the lines for a ballot, m by votedOr, "" if it is of anything else.
func (f *flow) partBallot(name string, m []string, uses map[string]int, n *int) string {
	block := f.values[name].block
	var lines []string
	var part func(cond, to string) bool
	part = func(cond, to string) bool {
		v := f.values[cond]
		if v == nil || v.block != block || uses[cond] != 2 {
			return false
		}
		text, _, _ := strings.Cut(v.text, ", !")
		how, joined, _ := strings.Cut(text, " i1 ")
		switch {
		case how == "or" || how == "and":
			var votes []string
			for _, o := range splitOperands(joined) {
				*n++
				x := fmt.Sprintf("%%heddle.each.%d", *n)
				if !part(o, x) {
					return false
				}
				votes = append(votes, x)
			}
			lines = append(lines, fmt.Sprintf("  %s = %s %s %s, %s", to, how, m[2], votes[0], votes[1]))
			return true
		case strings.HasPrefix(text, "icmp "):
			lines = append(lines, "  "+to+" = "+m[1]+cond+m[4])
			return true
		}
		return false
	}
	if v := f.values[m[3]]; v == nil || strings.HasPrefix(v.text, "icmp ") || !part(m[3], name) {
		return ""
	}
	return strings.Join(lines, "\n")
}
