package source

import (
	"go/types"

	"heddle/internal/diag"
)

// typeError is a type checker's complaint as an Error.
//
//go:noinline
func typeError(e types.Error) *diag.Error {
	return &diag.Error{Pos: e.Fset.Position(e.Pos), Msg: e.Msg}
}
