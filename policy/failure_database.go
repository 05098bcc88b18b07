package policy

// A database's error number follows a word for it or is in brackets. A bare number can be anything: milliseconds, bytes.
const (
	code = `(?:(?:error|fatal|code|state|sqlstate|errno)[:= ]{1,3}['"\[(]?|[\[(])`
	end  = `(?:[\]),:;'"]| \(|$)`
)

// hostRows come before the TLS rows: a client may report a refused host as a TLS handshake that was cut short.
var hostRows = []row{
	{"database/host", denied, false, []string{
		"is not allowed to connect to this m",
	}, nil, "MySQL and MariaDB 1130"},
}

// databaseRows are about databases and queues: SQLSTATE codes and vendor error numbers, then words.
var databaseRows = []row{
	{"database/busy", serverFailure, false, []string{
		"the database system is ", "too many connections", "too many clients", "remaining connection slots",
		"connection slots are reserved", "server shutdown in progress", "server is shutting down",
		"loading the dataset in memory", "loading redis is", "masterdown", "clusterdown", "tryagain multiple keys",
		"link with master is down", "no quorum", "notwritableprimary", "not primary", "not master", "notmaster",
		"notprimary", "node is recovering", "primarysteppeddown", "no primary", "interruptedatshutdown",
		"shutdowninprogress", "max number of clients reached", "maximum number of connections", "readonly you can't write",
		"user has exceeded the 'max_user_connections'", "max_user_connections", "remaining connection", "connection pool",
		"no leader", "leader changed", "leaderless", "not leader", "not the leader", "not_leader_or_follower",
		"leader_not_available", "unavailableexception", "nohostavailable", "cluster_block_exception",
		"es_rejected_execution", "unavailable: ", "code = unavailable", "database is starting up",
		"the server is not ready", "received error packet before completion", "cannot connect to the database",
		"server closed the connection unexpectedly", "due to administrator command", "-busy ", "temporarily unable to",
		"no available connection", "noreplicas", "misconf redis", "unblocked force unblock",
		"etcdserver: request timed out", "etcdserver: leader changed", "etcdserver: no leader", "etcdserver: too many requests", "etcdserver: server stopped", "etcdserver: not healthy", "busy running a script", "memory limit", "oom command not allowed", "no servers available",
	}, []string{
		`\b57p0[123]\b`, code + `53[034]00` + end, `-?loading\b.*dataset`,
		"ora-(?:12514|12528|12537|12541|12170|01033|01034|03113|03114|12518|12516|12520)",
	}, "PostgreSQL, MySQL, Redis, MongoDB, etcd, Kafka, Oracle error codes"},
	{"database/conflict", conflict, false, []string{
		"deadlock detected", "deadlock found", "deadlock victim", "try restarting transaction",
		"could not serialize access", "serialization failure", "restart transaction", "writeconflict", "write conflict",
		"transaction conflict", "transactioncanceledexception", "transactionconflictexception", "conflictexception",
		"operationaborted", "conflicting conditional operation", "conflicting operation is currently",
		"the object has been modified", "please apply your changes to the latest version", "has been modified by another",
		"optimistic lock", "optimistic concurrency", "version conflict", "error 1213", "error 1205", "rollback: ",
		"code = aborted", "aborted: ", "ora-00060", "concurrent update", "concurrent modification",
		"concurrentmodification", "operation is already in progress", "another operation is in progress",
		"operation in progress", "another update is in progress", "try the transaction again",
	}, []string{
		`\b40p01\b`, code + `40001` + end, code + `1213` + end, code + `1205` + end,
	}, "SQLSTATE class 40; MySQL, MongoDB, AWS, Kubernetes"},
	{"database/locked", locked, false, []string{
		"database is locked", "database table is locked", "sqlite_busy", "database schema is locked", "lock timeout",
		"lock wait timeout", "could not obtain lock", "ora-00054", "lock request time out", "locknotavailable",
		"canceling statement due to", "database is busy",
	}, []string{
		`\b55p03\b`,
	}, "SQLite result codes; SQLSTATE 55P03; MySQL 1205"},
	{"database/credentials", badCredentials, false, []string{
		"password authentication failed", "no password supplied", "no pg_hba.conf entry", "peer authentication failed",
		"ident authentication failed", "access denied for user", "noauth authentication required", "wrongpass", "noperm ",
		"invalid username-password", "err auth", "authentication required.", "authenticationfailed", "auth failed",
		"authentication failed", "login failed", "ora-01017", "sasl authentication", "invalid credentials",
		"not authorized on", "requires authentication", "connection refused: not authorised", "not authorised",
		"bad user name or password", "scram", "ldap_bind: invalid", "not authenticated",
		"user name is empty", "authorization violation", "wrong password", "password incorrect", "password is incorrect", "nt_status_logon_failure", "nt_status_wrong_password", "nt_status_account", "not in the sudoers", "account is locked", "account locked", "authentication error", "failed to authenticate", "could not authenticate", "cannot authenticate",
	}, []string{
		`role ["'].*["'] does not exist`, `\b28p01\b`, code + `28000` + end, code + `1045` + end, code + `1044` + end,
	}, "PostgreSQL, MySQL, Redis, MongoDB, MQTT"},
	{"database/absent", absent, false, []string{
		"unknown database", "no such table", "no such column", "unknown column", "unknown table", "nosuchkey",
		"no such index", "index_not_found", "unknown topic or partition", "unknown_topic_or_part", "ora-00942",
		"namespacenotfound", "ns not found", "unable to open database", "wrongtype operation",
	}, []string{
		`database ["'].*["'] does not exist`, `relation ["'].*["'] does not exist`,
		"(?:table|view|column|schema|function|type|index) .* does(?: not|n't) exist", `\b3d000\b`, `\b42p01\b`,
		code + `42703` + end, code + `42883` + end,
		code + `1049` + end, code + `1146` + end, code + `1054` + end, `no such file or directory: .*\.sql`,
	}, "SQLSTATE classes 3D and 42; MySQL, SQLite"},
	{"database/statement", badInput, false, []string{
		"syntax error at or near", "error in your sql syntax", "sql syntax", "command denied to user", "violates unique constraint",
		"violates foreign key", "violates not-null", "violates check", "constraint failed", "duplicate entry",
		"duplicate key", "duplicate column", "duplicate table", "err unknown command", "err syntax error",
		"err wrong number of arguments", "wrong number of arguments", "e11000", "ora-00001", "invalid input syntax",
		"file is not a database", "not a database", "parse error near", "parse error:", "incomplete input",
		"can only be used in transaction blocks", "current transaction is aborted", "invalid namespace",
		"unrecognized pipeline stage", "badvalue",
	}, []string{
		`near ".*": syntax error`, `\b22p02\b`, code + `42601` + end, code + `42000` + end, code + `23(?:502|503|505|514)` + end, code + `1064` + end,
		code + `1062` + end,
		`ora-009\d\d`, "permission denied for (?:schema|table|relation|database|sequence|function)",
	}, "SQLSTATE classes 22, 23 and 42; MySQL, SQLite, Redis, MongoDB"},
	{"database/connection", serverFailure, false, nil, []string{ // whatever was wrong with it, as PHP says
		`\b08p01\b`, code + `0800[013467]` + end,
	}, "SQLSTATE class 08"},
}
