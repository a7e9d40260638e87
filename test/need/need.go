// Package need ends a test where something fails that is not what the test is about.
package need

// T is a test, or what stands for one.
type T interface {
	Helper()
	Fatal(...any)
}

// Value is what a call returns; an error ends the test: need.Value(os.ReadFile(name))(t).
func Value[V any](value V, err error) func(T) V {
	return func(t T) V {
		t.Helper()
		NoError(t, err)
		return value
	}
}

// NoError ends the test at an error.
func NoError(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
