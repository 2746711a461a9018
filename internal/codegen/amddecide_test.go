package codegen

import "testing"

func TestTurnDecisions(t *testing.T) {
	const (
		head  = "define void @f() {\n  %n.1 = add i32 %a, 1\n"
		other = "  %nn = icmp eq i32 %b, 0\n"
	)
	for _, c := range []struct{ in, want string }{
		{head + other + "  %n = icmp eq i32 %n.1, 0\n  br i1 %n, label %a, label %b, !dbg !1, !prof !2, !heddle.decision !3\n}\n",
			head + other + "  %n = icmp ne i32 %n.1, 0\n  br i1 %n, label %b, label %a, !dbg !1, !heddle.decision !3\n}\n"},
		{head + "  %n = icmp ne i32 %n.1, 0\n  br i1 %n, label %a, label %b, !heddle.decision !3\n}\n", ""},                           // as it should be
		{head + "  %n = icmp eq i32 %n.1, 0\n  br i1 %n, label %a, label %b, !dbg !1\n}\n", ""},                                       // no decision
		{head + "  %n = icmp eq i32 %n.1, 0\n  %m = zext i1 %n to i32\n  br i1 %n, label %a, label %b, !heddle.decision !3\n}\n", ""}, // used for more
		{head + "  br label %c\n}\n\ndefine void @g() {\n  %n = icmp eq i32 %a, 0\n  br i1 %n, label %a, label %b, !heddle.decision !3\n}\n", head + "  br label %c\n}\n\ndefine void @g() {\n  %n = icmp ne i32 %a, 0\n  br i1 %n, label %b, label %a, !heddle.decision !3\n}\n"},
	} {
		want := c.want
		if want == "" {
			want = c.in
		}
		got, ok := turnDecisions(c.in)
		if got != want || ok != (c.want != "") {
			t.Errorf("%s\nbecame (%v)\n%s\nwant\n%s", c.in, ok, got, want)
		}
	}
}
