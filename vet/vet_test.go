package vet_test

import (
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"heddle/vet"
)

func TestValid(t *testing.T) {
	if err := analysis.Validate([]*analysis.Analyzer{vet.Analyzer}); err != nil {
		t.Fatal(err)
	}
}

// What is wanted of package bad is said there. Package good is right, and
// nothing is to be said of it.
func TestAnalyzer(t *testing.T) {
	analysistest.Run(t, "..", vet.Analyzer, "heddle/vet/testdata/bad", "heddle/vet/testdata/good")
}
