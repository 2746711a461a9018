package main

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"heddle/launch"
)

// printProperties prints all that the devices say of themselves, a block of lines each.
func printProperties(w io.Writer, all []launch.DeviceInfo) error {
	var errs []error
	for i := range all {
		p, err := launch.PropertiesOf(all[i].Name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s\n", p.Name, p.Product)
		printFields(w, "", reflect.ValueOf(*p))
	}
	return errors.Join(errs...)
}

// printFields prints a struct's fields by their names in Go, and those of structs in it.
func printFields(w io.Writer, prefix string, v reflect.Value) {
	for i := range v.NumField() {
		f, field := v.Field(i), v.Type().Field(i)
		switch {
		case field.Anonymous:
			printFields(w, prefix, f)
		case f.Kind() == reflect.Struct && f.Type() != reflect.TypeFor[launch.Dim3]():
			printFields(w, prefix+field.Name+".", f)
		default:
			fmt.Fprintf(w, "  %-30s %s\n", prefix+field.Name, value(field.Name, f.Interface()))
		}
	}
}

// sizes are the fields that are bytes, where their name does not say so.
const sizes = " Memory SharedPerBlock SharedPerBlockDefault SharedPerUnit SharedReserved Constant MaxPitch L2 L2Persisting L2Window "

// value is a field's value with its unit.
func value(name string, v any) string {
	switch v := v.(type) {
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	case launch.Dim3:
		return fmt.Sprintf("%d x %d x %d", v.X, v.Y, v.Z)
	case [2]int:
		return fmt.Sprintf("%d x %d", v[0], v[1])
	case [3]int:
		return fmt.Sprintf("%d x %d x %d", v[0], v[1], v[2])
	case fmt.Stringer:
		return dash(v.String())
	case string:
		return dash(v)
	}
	n := reflect.ValueOf(v).Int()
	switch {
	case strings.Contains(sizes, " "+name+" "):
		if n < 1<<10 {
			return fmt.Sprintf("%d B", n)
		}
		return size(n)
	case strings.HasSuffix(name, "Rate") && n != 0:
		return fmt.Sprintf("%g MHz", float64(n)/1000)
	}
	return fmt.Sprint(n)
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
