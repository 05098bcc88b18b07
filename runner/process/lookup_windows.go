package process

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

var (
	errNotFound = errors.New("command not found")
	errOnlyHere = errors.New(`command not found; it is in the working directory: use .\ before its name to run it`)
)

// findExecutable finds a command as PowerShell does: a name with a separator is a path, and any other name is looked up
// in PATH, but not in the working directory, where anybody may have put a file. It tries the extensions in PATHEXT.
func findExecutable(name string) (string, error) {
	extensions := executableExtensions()
	if strings.ContainsAny(name, `:\/`) {
		return withExtension(name, extensions)
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if dir == "" || name == "" {
			continue
		}
		if path, err := withExtension(filepath.Join(dir, name), extensions); err == nil {
			return path, nil
		}
	}
	if _, err := withExtension(`.\`+name, extensions); name != "" && err == nil {
		return "", errOnlyHere
	}
	return "", errNotFound
}

// executableExtensions returns the extensions in PATHEXT, with their dots and in lower case.
func executableExtensions() []string {
	value := os.Getenv("PATHEXT")
	if value == "" {
		value = ".COM;.EXE;.BAT;.CMD"
	}
	extensions := strings.Split(strings.ToLower(value), ";")
	return slices.DeleteFunc(extensions, func(e string) bool { return len(e) < 2 || e[0] != '.' })
}

// withExtension returns path if it has an extension and is a file, or else the first file named by path and one of the
// extensions.
func withExtension(path string, extensions []string) (string, error) {
	if filepath.Ext(path) != "" && isFile(path) {
		return path, nil
	}
	for _, extension := range extensions {
		if isFile(path + extension) {
			return path + extension, nil
		}
	}
	return "", errNotFound
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// Executable reports whether name is a command that can be executed, or could be with .\ in front of it.
func Executable(name string) bool {
	_, err := findExecutable(name)
	return err == nil || err == errOnlyHere
}
