package policy

// usageRows are about bad command lines.
var usageRows = []row{
	{"usage/option", badUsage, false, []string{
		"unknown option", "unrecognized option", "unrecognised option", "invalid option", "illegal option", "unknown flag",
		"unknown shorthand", "bad flag", "unknown switch", "bad option", "unsupported option", "no such option",
		"ambiguous option", "flag provided but not defined", "flag needs an argument", "unexpected argument",
		"unrecognized argument", "unknown argument", "unexpected option", "invalid argument '",
		"not understood in combination", "requires an argument", "requires a value", "option requires", "missing argument",
		"missing operand", "extra operand", "missing required", "required arguments", "arguments are required",
		"argument is required", "required flag", "required option", "required argument", "too many arguments",
		"too few arguments", "not enough arguments", "expected at least", "expected one argument", "requires at least",
		"requires exactly", "accepts at most", "invalid choice", "exactly one of", "mutually exclusive",
		"cannot be used with", "can not be used with", "cannot be used together", "no url specified",
		"conflicting options", "is not a valid option", "unknown parameter", "unknown configuration",
		"is not a recognized option", "unsupported argument", "missing parameter", "missing value", "invalid flag",
		"unknown or unsupported option", "is an unknown option", "must provide", "bad command line", "command line option",
		"unknown long option", "not a recognized option", "unexpected parameter", "unknown keyword", "keyword error",
		"no value specified", "not recognized as", "unknown cmd", "unknown cli", "opción desconocida", "option inconnue",
		"unbekannte option", "option non reconnue", "unbekannter schalter",
	}, []string{
		`option \S+ is unknown`, `option \S+:? is not recognized`, `accepts \d+ arg`,
	}, "getopt_long(3), argparse, cobra, clap, click"},
	{"usage/command", badUsage, false, []string{
		"unknown command", "unrecognized command", "invalid command", "no such command", "unknown subcommand",
		"unrecognized subcommand", "invalid operation", "unknown operation", "command not found", "is not a git command",
		"is not a docker command", "unknown docker command", "is not a known command", "not a valid command",
		"no such subcommand", "is not recognized as an internal", "unknown action", "invalid subcommand",
		"unsupported command", "invalid action", "unknown verb", "for more information, try '--help'", "--help for usage",
		"--help for more", "for a list of available commands", "for a list of commands", "no es un comando", "n'est pas une commande", "did you mean one of these",
		"is misspelled or not recognized",
	}, []string{
		`is not a \S+ command`, "^usage: ", "see '.* --help'", "run '.* --help'", "try '.* --help'", "try `.* --help'",
		`try ".* --help"`, `ist kein \S+-befehl`, "use '.* --help'", `run ".* --help"`, `use ".* --help"`, ": not found$",
	}, "shells, git, docker, cobra, clap"},
	{"usage/syntax", badInput, false, []string{
		"syntax error", "syntaxerror", "tokenmissingerror", "missing terminator", "parse error", "parsing error", "error parsing ", "failed to parse",
		"unexpected token", "unterminated", "unexpected eof while looking", "unbound variable", "bad substitution",
		"yaml: line", "error converting yaml", "mapping values are not allowed", "did not find expected", "invalid yaml",
		"invalid json", "invalid toml", "not valid json", "json: cannot unmarshal", "jsondecodeerror", "unexpected end of input",
		"toml parse error", "tomldecodeerror", "unable to parse", "could not be parsed", "cannot unmarshal",
		"error unmarshaling", "invalid syntax", "bad syntax", "indentationerror", "nameerror", "referenceerror",
		"unsupported attribute", "unsupported argument", "unsupported block type", "invalid expression", "missing newline",
		"argument list too long", "invalid multibyte", "invalid configuration", "configuration error",
		"config error", "error in configuration", "failed to load config", "invalid config", "missing configuration",
		"no configuration", "no hosts matched", "could not match supplied host", "couldn't resolve module/action",
		"error loading config", "is undefined", "undefined variable", "undeclared", "not well-formed", "invalid yaml",
		"error validating",
	}, []string{
		"invalid character '.*' (?:looking|after|in)", "typeerror: .*(?:undefined|not a function|argument)",
		"template: .*: ",
		`^[ |│]*on \S+\.(?:tf|hcl)\b.* line \d+`,
		`\be2big\b`,
	}, "shells, YAML, JSON and TOML parsers, Python"},
}
