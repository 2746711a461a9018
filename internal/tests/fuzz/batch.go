package fuzz

// Cases are the kernels of a batch: command soak, and its test, build this package with
// what command gen writes in the place of this file.
var Cases []Case
