// Package split takes the text of a Go file apart into its top-level declarations
// without parsing them, some twenty times quicker than the parser. It is for files of
// a program that was compiled, so it need not tell incorrect ones apart.
package split

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"heddle/internal/errs"
	"heddle/internal/lazy"
)

// A Decl is one top-level declaration with the comments above it. Places are bytes of
// the file's text.
type Decl struct {
	Start, End int // the next declaration starts where this ends
	Code       int // where the keyword is, behind the comments
	Keyword    string
	Names      []string // declared; of a parenthesised group all
	Recv       string   // of a method, the receiver's type
	Body       int      // of a function with a body, where its { is, else 0
	Line, Last int      // first line, from the keyword on, and last
}

// A lexer reads just enough of Go's tokens.
type lexer struct {
	text string
	pos  int
	line int
	word string // the last identifier or keyword, "" if another token came after it
	last byte   // last byte of the last token, 0 before the first
}

// File returns where the first declaration starts, and the declarations.
func File(text string) (header int, decls []Decl, err error) {
	lx := &lexer{text: text, line: 1}
	defer func() {
		if r := recover(); r != nil {
			msg, ok := r.(splitError)
			if !ok {
				panic(r)
			}
			err = errs.F("line %d: %s", lx.line, string(msg))
		}
	}()
	if lx.token() == 0 || lx.word != "package" {
		return 0, nil, errs.F("no package clause")
	}
	lx.token()
	lx.toEnd()
	header = lx.pos
	for {
		c := Decl{Start: lx.pos}
		if !lx.skipTo() {
			return header, decls, nil
		}
		c.Code, c.Line = lx.pos, lx.line
		lx.token()
		switch c.Keyword = lx.word; c.Keyword {
		case "func":
			lx.function(&c)
		case "import", "const", "type", "var":
			lx.general(&c)
		default:
			return 0, nil, errs.F("line %d: unexpected %q", lx.line, lx.word)
		}
		c.End, c.Last = lx.pos, lx.line
		decls = append(decls, c)
	}
}

type splitError string

// skipTo skips space, comments and semicolons, and reports whether more follows.
func (lx *lexer) skipTo() bool {
	for lx.space(); lx.pos < len(lx.text) && lx.text[lx.pos] == ';'; lx.space() {
		lx.pos++
	}
	return lx.pos < len(lx.text)
}

// space skips space and comments and reports whether a line ended.
func (lx *lexer) space() (newline bool) {
	for lx.pos < len(lx.text) {
		rest := lx.text[lx.pos:]
		switch c := rest[0]; {
		case c == '\n':
			lx.line++
			newline = true
			lx.pos++
		case c == ' ' || c == '\t' || c == '\r':
			lx.pos++
		case strings.HasPrefix(rest, "//"):
			if lx.pos += strings.IndexByte(rest, '\n'); lx.pos < len(lx.text)-len(rest) {
				lx.pos = len(lx.text)
			}
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				panic(splitError("comment does not end"))
			}
			lines := strings.Count(rest[:n+2], "\n")
			lx.line += lines
			newline = newline || lines > 0
			lx.pos += n + 4
		default:
			return newline
		}
	}
	return newline
}

// token reads one token, or a part of an operator, after space. It returns the
// first byte, 0 at the end.
func (lx *lexer) token() byte {
	lx.space()
	lx.word = ""
	if lx.pos >= len(lx.text) {
		return 0
	}
	c := lx.text[lx.pos]
	switch {
	case isLetter(c):
		start := lx.pos
		lx.pos = endOfWord(lx.text, start)
		lx.word = lx.text[start:lx.pos]
	case '0' <= c && c <= '9':
		for lx.pos = endOfWord(lx.text, lx.pos); lx.pos < len(lx.text) && lx.text[lx.pos] == '.'; {
			lx.pos = endOfWord(lx.text, lx.pos+1)
		}
		lx.last = '0' // 1. is a number
		return c
	case c == '"' || c == '\'':
		lx.pos = endOfQuoted(lx.text, lx.pos)
	case c == '`':
		n := strings.IndexByte(lx.text[lx.pos+1:], '`')
		if n < 0 {
			panic(splitError("string does not end"))
		}
		lx.line += strings.Count(lx.text[lx.pos:lx.pos+n+2], "\n")
		lx.pos += n + 2
	default:
		lx.pos++
	}
	lx.last = lx.text[lx.pos-1]
	return c
}

// isLetter reports whether c begins an identifier, or is a part of a letter
// outside of ASCII.
func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}

// endOfWord is where the identifier or number at i ends.
func endOfWord(text string, i int) int {
	for i < len(text) {
		if c := text[i]; c < utf8.RuneSelf {
			if !isLetter(c) && (c < '0' || '9' < c) {
				break
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		i += n
	}
	return i
}

// endOfQuoted is where the string or rune at i ends.
func endOfQuoted(text string, i int) int {
	quote := text[i]
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		case '\n':
			panic(splitError("string does not end"))
		}
	}
	panic(splitError("string does not end"))
}

// noSemicolon are the keywords after which a line's end is no semicolon.
var noSemicolon = lazy.Words{Text: "chan const func import interface map package struct type var"}

// atEnd reports whether a declaration ends at pos, outside of brackets. It skips
// space where it does not.
func (lx *lexer) atEnd() bool {
	pos, line := lx.pos, lx.line
	newline := lx.space()
	switch {
	case lx.pos >= len(lx.text), lx.text[lx.pos] == ';':
	case newline && (isLetter(lx.last) || strings.IndexByte("0123456789)]}\"'`", lx.last) >= 0) && !noSemicolon.Has(lx.word):
	default:
		return false
	}
	lx.pos, lx.line = pos, line // the comments behind belong to what follows
	return true
}

// toEnd goes to the end of a declaration.
func (lx *lexer) toEnd() {
	for !lx.atEnd() {
		lx.bracketed(lx.token())
	}
}

// bracketed goes to the end of what the token c opened, if it opened something.
func (lx *lexer) bracketed(c byte) {
	if c != '(' && c != '[' && c != '{' {
		return
	}
	for depth := 1; depth > 0; {
		switch lx.token() {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case 0:
			panic(splitError("bracket does not close"))
		}
	}
}

// function reads a function behind its keyword.
func (lx *lexer) function(c *Decl) {
	if t := lx.token(); t == '(' {
		for depth := 1; depth > 0; {
			switch t := lx.token(); {
			case t == '(':
				depth++
			case t == ')':
				depth--
			case t == '[':
				lx.bracketed(t)
			case t == 0:
				panic(splitError("receiver does not end"))
			case lx.word != "":
				c.Recv = lx.word
			}
		}
		lx.token()
	}
	if lx.word == "" {
		panic(splitError("function without a name"))
	}
	c.Names = []string{lx.word}
	for !lx.atEnd() {
		word := lx.word
		t := lx.token()
		if t == '{' && word != "struct" && word != "interface" {
			c.Body = lx.pos - 1
			lx.bracketed(t)
			return
		}
		lx.bracketed(t)
	}
}

// literal reads a function literal behind its keyword, and reports whether it
// is one and not a type.
func (lx *lexer) literal() bool {
	for {
		word := lx.word
		switch t := lx.token(); {
		case t == '{' && word != "struct" && word != "interface":
			lx.bracketed(t)
			return true
		case t == 0, strings.IndexByte(",;=:)]}", t) >= 0:
			return false
		default:
			lx.bracketed(t)
		}
		if lx.atEnd() {
			return false
		}
	}
}

// general reads any other declaration behind its keyword.
func (lx *lexer) general(c *Decl) {
	lx.space()
	if lx.pos >= len(lx.text) || lx.text[lx.pos] != '(' {
		lx.spec(c)
		return
	}
	lx.token()
	for {
		lx.skipTo()
		if lx.pos < len(lx.text) && lx.text[lx.pos] == ')' {
			lx.token()
			return
		}
		lx.spec(c)
	}
}

// spec reads one specification: names, then anything.
func (lx *lexer) spec(c *Decl) {
	for naming := true; ; {
		t := lx.token()
		switch {
		case t == 0 || t == ')' || t == '}' || t == ']':
			panic(splitError("declaration ends badly"))
		case naming && lx.word != "":
			c.Names = append(c.Names, lx.word)
		case t == ',' || naming && c.Keyword == "import":
		default:
			naming = false
			lx.bracketed(t)
		}
		naming = naming && (t == ',' || c.Keyword == "import" || lx.follows(','))
		if lx.atSpecEnd() {
			return
		}
	}
}

// follows reports whether the next byte but space is c.
func (lx *lexer) follows(c byte) bool {
	rest := strings.TrimLeft(lx.text[lx.pos:], " \t")
	return rest != "" && rest[0] == c
}

// atSpecEnd is atEnd, or the end of the group.
func (lx *lexer) atSpecEnd() bool {
	return lx.atEnd() || lx.text[lx.pos] == ')'
}

// Words calls f for every identifier, keyword included, of a piece of code.
func Words(text string, f func(word string)) {
	lx := &lexer{text: text, line: 1}
	for lx.token() != 0 {
		if lx.word != "" {
			f(lx.word)
		}
	}
}

// From is the code of the declaration that belongs to the functions that start on a line
// of the file: all of it, or the literals, or where none is the line itself, which names
// the instance of a generic function.
func (c *Decl) From(text string, line int) string {
	if c.Keyword == "func" && c.Line == line {
		return text[c.Code:c.End]
	}
	lx := &lexer{text: text[:c.End], pos: c.Code, line: c.Line}
	var literals []string
	start, end := c.End, c.End
	for lx.token() != 0 && lx.line <= line {
		if lx.line < line {
			continue
		}
		start, end = min(start, lx.pos-len(lx.word)), lx.pos
		if lx.word == "func" {
			ahead := *lx
			if ahead.literal() {
				literals = append(literals, text[lx.pos:ahead.pos])
			}
		}
	}
	if literals != nil {
		return strings.Join(literals, "\n")
	}
	return text[start:end]
}
