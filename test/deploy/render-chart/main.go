// Renders a chart as `helm template` does: the same template engine, the same library of
// functions (Sprig), the same YAML, and the two functions of Helm's own that our chart uses.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type tree = map[string]interface{}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(path string) tree {
	text, err := os.ReadFile(path)
	must(err)
	result := tree{}
	must(yaml.Unmarshal(text, &result))
	return result
}

// Puts the values of an operator over those of the chart.
func merge(under, over tree) tree {
	for name, value := range over {
		inner, isTree := value.(tree)
		if base, wasTree := under[name].(tree); isTree && wasTree {
			value = merge(base, inner)
		}
		under[name] = value
	}
	return under
}

func main() {
	chart, own := os.Args[1], tree{}
	must(json.Unmarshal([]byte(os.Args[2]), &own))
	about := read(filepath.Join(chart, "Chart.yaml"))
	data := tree{
		"Values":  merge(read(filepath.Join(chart, "values.yaml")), own),
		"Chart":   tree{"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"]},
		"Release": tree{"Name": "release", "Service": "Helm"},
	}
	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	all.Funcs(functions)
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	must(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(err)
		template.Must(all.New(filepath.Base(file)).Parse(string(text)))
	}
	for _, file := range files {
		if filepath.Ext(file) == ".yaml" {
			var out bytes.Buffer
			must(all.ExecuteTemplate(&out, filepath.Base(file), data))
			fmt.Printf("---\n%s\n", strings.ReplaceAll(out.String(), "<no value>", ""))
		}
	}
}
