package policy

import "strconv"

// HTTPFailure returns the failure that an HTTP status reports; ok is false for a status outside of 400 to 599. 408, 425,
// 429 and all of 5xx except 501, 505, 510 and 511 are transient (RFC 9110 section 15, RFC 8470 section 5.2, RFC 6585
// section 4). A request answered with 429 has not been processed; for 503 that depends on whether there is a Retry-After.
func HTTPFailure(status int) (f Failure, ok bool) {
	if status < 400 || status > 599 {
		return Failure{}, false
	}
	f = Failure{Category: "HTTP " + strconv.Itoa(status), Rule: "http/response", HTTP: status}
	switch status {
	case 408, 425:
		f.Transient = true
	case 429:
		f.Transient, f.Unsent, f.Throttled = true, true, true
	case 501, 505, 510, 511:
	default:
		f.Transient = status >= 500
	}
	return f, true
}

// isStatus reports whether a number from 400 to 599 is in use as an HTTP status: registered with IANA, or specific to nginx
// or Cloudflare. 550, for instance, is a status of SMTP only.
func isStatus(number int) bool {
	return number <= 431 || number == 451 || number >= 494 && number <= 511 || number >= 520 && number <= 530 || number >= 598
}

// httpRows are about HTTP statuses, in the phrases around the number that tools generally use. A number in a URL, a
// server's log or a count doesn't match.
var httpRows = []row{
	{"http/status", byHTTP, false, nil, []string{
		`returned error:? ([45]\d\d)\b`, `\bconnect tunnel failed, response ([45]\d\d)\b`,
		`received http code ([45]\d\d) from proxy`, `\brpc failed; http ([45]\d\d)\b`,
		`\bhttp[ _-]?error[ :(]{1,3}([45]\d\d)\b`,
		`\bhttp (?:\w+ )?error (?:response |code |status )?(?:code )?[:=(]? ?([45]\d\d)\b`,
		`\bhttp (?:response |result )?(?:status|code)(?: code| line)?["']?[ :=(]{1,3}["']?([45]\d\d)\b`,
		`\bhttp[: =(]{1,2}([45]\d\d)\b`, `[:(] ?http/[123](?:\.[01])? ([45]\d\d)\b`,
		`status[ _-]?code["']?(?: is| was| of)?[ :=(]{1,3}["']?([45]\d\d)\b`,
		`\bstatus code from .{1,80}?[ :]\(?([45]\d\d)\b`, `\bstatus["']?(?: is| was| of)?[ :=(]{1,3}["']?([45]\d\d)\b`,
		`\b(?:response|reply|result|return(?:ed)?) code["']?(?: is| was| of)?[ :=(]{1,3}["']?([45]\d\d)\b`,
		`\b(?:got|returned|received|replied|responded|answered|gave|reported|rejected|failed|failure|says|said)(?: with| by| an?| the| http| code| status| error| response| unexpected)*:? \(?([45]\d\d)\b(?:[).,:;"' ]*$|[).,:;"']+ |[ ]+[^o\d ][a-z]|[(<])`,
		`\b(?:bad|unexpected|invalid|error|unsuccessful|wrong) (?:http )?(?:response|reply|answer|status|result)(?: status| code| line)*(?: from .{1,80}?)?[ :=(]{1,3}["']?(?:[a-z ]{0,40}[ (:])?([45]\d\d)\b`,
		`\b(?:error|fehler|erreur|errore|fout|fel|erro|エラー|错误|錯誤|ошибка|오류)[ _]?(?:code)?:? ?[(\[]?([45]\d\d)[)\]]?(?: ?[:：,-]| [a-z(]|$)`,
		`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+ ([45]\d\d) ?[:：]`, `\bcode["']?[:=] ?["']?([45]\d\d)\b`,
		`\bcode e?([45]\d\d)\b`, `\berr\w*_([45]\d\d)\b`, `\btoo many ([45]\d\d) error responses`,
		`\btunnel connection failed: ([45]\d\d)\b`, `\b([45]\d\d) (?:client|server) error`,
		`an error occurred \(([45]\d\d)\) when`, `\bserver returned code ([45]\d\d)\b`, `(?:^ *|  )([45]\d\d)  \S.*\[ip: `,
		`\bserver response:? ([45]\d\d)\b`, `\burl"? - ([45]\d\d)\b`, `\bindicate success: ([45]\d\d)\b`, `\bhttp/[123](?:\.[01])? ([45]\d\d) [a-z]+ [a-z ]*$`,
	}, "curl lib/http.c; Python http.client; many others"},
	{"http/reason", byHTTP, false, nil, []string{
		`\b(400)[ :：)\]"',>—-]{1,4}bad request`, `bad request[ :("'—-]{1,4}(400)\b`,
		`\b(401)[ :：)\]"',>—-]{1,4}(?:unauthorized|authorization required)`, `unauthorized[ :("'—-]{1,4}(401)\b`,
		`\b(402)[ :：)\]"',>—-]{1,4}payment required`, `\b(403)[ :：)\]"',>—-]{1,4}forbidden`,
		`forbidden[ :("'—-]{1,4}(403)\b`, `\b(404)[ :：)\]"',>—-]{1,4}(?:\w+ )?not found`, `not found[ :("'—-]{1,4}(404)\b`,
		`\b(405)[ :：)\]"',>—-]{1,4}method not allowed`, `method not allowed[ :("'—-]{1,4}(405)\b`,
		`\b(406)[ :：)\]"',>—-]{1,4}not acceptable`, `\b(407)[ :：)\]"',>—-]{1,4}proxy auth`,
		`proxy authentication required[ :("'—-]{1,4}(407)\b`, `\b(408)[ :：)\]"',>—-]{1,4}request time`,
		`request time-?out[ :("'—-]{1,4}(408)\b`, `\b(409)[ :：)\]"',>—-]{1,4}conflict`, `conflict[ :("'—-]{1,4}(409)\b`,
		`\b(410)[ :：)\]"',>—-]{1,4}gone`, `\bgone[ :("'—-]{1,4}(410)\b`, `\b(411)[ :：)\]"',>—-]{1,4}length required`,
		`\b(412)[ :：)\]"',>—-]{1,4}precondition failed`, `\b(413)[ :：)\]"',>—-]{1,4}(?:payload|content|request)`,
		`too large[ :("'—-]{1,4}(413)\b`, `\b(414)[ :：)\]"',>—-]{1,4}(?:uri|request)`,
		`\b(415)[ :：)\]"',>—-]{1,4}unsupported media`, `\b(416)[ :：)\]"',>—-]{1,4}(?:requested )?range`,
		`\b(417)[ :：)\]"',>—-]{1,4}expectation`, `\b(418)[ :：)\]"',>—-]{1,4}i'?m a teapot`,
		`\b(421)[ :：)\]"',>—-]{1,4}misdirected`, `\b(422)[ :：)\]"',>—-]{1,4}unprocessable`,
		`\b(423)[ :：)\]"',>—-]{1,4}locked`, `\b(424)[ :：)\]"',>—-]{1,4}failed dependency`,
		`\b(425)[ :：)\]"',>—-]{1,4}too early`, `too early[ :("'—-]{1,4}(425)\b`,
		`\b(426)[ :：)\]"',>—-]{1,4}upgrade required`, `\b(428)[ :：)\]"',>—-]{1,4}precondition required`,
		`\b(429)[ :：)\]"',>—-]{1,4}too many`, `too many requests[ :("'—-]{1,4}(429)\b`,
		`\b(431)[ :：)\]"',>—-]{1,4}request header`, `\b(451)[ :：)\]"',>—-]{1,4}unavailable for legal`,
		`\b(500)[ :：)\]"',>—-]{1,4}internal`, `internal server error[ :("'—-]{1,4}(500)\b`,
		`\b(501)[ :：)\]"',>—-]{1,4}not implemented`, `not implemented[ :("'—-]{1,4}(501)\b`,
		`\b(502)[ :：)\]"',>—-]{1,4}(?:bad gateway|proxy error)`, `bad gateway[ :("'—-]{1,4}(502)\b`,
		`\b(503)[ :：)\]"',>—-]{1,4}(?:service|backend|slow|temporarily)`,
		`service (?:temporarily )?unavailable[ :("'—-]{1,4}(503)\b`, `\b(504)[ :：)\]"',>—-]{1,4}gateway time`,
		`gateway time-?out[ :("'—-]{1,4}(504)\b`, `\b(505)[ :：)\]"',>—-]{1,4}http version`,
		`\b(507)[ :：)\]"',>—-]{1,4}insufficient`, `\b(508)[ :：)\]"',>—-]{1,4}loop`, `\b(509)[ :：)\]"',>—-]{1,4}bandwidth`,
		`\b(511)[ :：)\]"',>—-]{1,4}network auth`, `\b(520)[ :：)\]"',>—-]{1,4}(?:web server|unknown|origin)`,
		`\b(521)[ :：)\]"',>—-]{1,4}web server`, `\b(522)[ :：)\]"',>—-]{1,4}connection timed`,
		`\b(523)[ :：)\]"',>—-]{1,4}origin`, `\b(524)[ :：)\]"',>—-]{1,4}a timeout`, `\b(525)[ :：)\]"',>—-]{1,4}ssl`,
		`\b(526)[ :：)\]"',>—-]{1,4}invalid ssl`, `\b(529)[ :：)\]"',>—-]{1,4}(?:site|overloaded)`,
		`connection timed out[ :("'—-]{1,4}(522)\b`,
	}, "RFC 9110 section 15, and servers' own"},
	{"http/redirects", endless, false, []string{
		"too many redirect", "redirects followed", "redirections exceeded", "maximum redirect", "max redirect",
		"redirect count exceeded", "redirection limit", "redirect limit", "infinite redirect", "redirection loop",
		"redirect loop", "exceeded 30 redirects", "exceeded the maximum number of redirects", "redirected too many",
		"err_too_many_redirects", "redirect error that would lead to an infinite loop", "number of redirects hit",
		"redirect cycle", "circular redirect", "too many http redirects", "too_many_redirects", "toomanyredirects", "maxredirectserror", "redirection_limit", "redirect loop detected",
		"would have exceeded redirect",
	}, []string{
		`stopped after \d+ redirects`, `exceeded (?:the )?(?:limit of )?\d+ redirects`, `\b\d+ redirects? exceeded`,
		`\bmax(?:imum)?\b.{0,20}\bredirects?\b`, `\bredirected (?:more than )?\d+ times`, `\b\d+ times redirected`,
	}, "curl, wget, Go net/http, requests, Node.js"},
	{"http/url", badURL, false, []string{
		"url using bad/illegal format", "invalid url", "malformed url", "bad url", "url rejected", "invalid uri",
		"err_invalid_url", "unterminated ipv6", "could not parse ldap uri", "unable to parse url", "could not parse url",
		"failed to parse url", "invalid port", "no host specified", "no schema supplied", "no host supplied",
		"relative url without a base", "invalid host", "missing url", "no url specified", "missing protocol scheme",
		"is not a valid url", "not a valid uri", "malformedurlexception", "urisyntaxexception", "failed to parse uri",
	}, nil, "curl, wget, requests, Node.js, Java"},
	{"http/scheme", unsupported, false, []string{
		"unsupported protocol scheme", "insecure http repository", "unsupported url scheme", "unsupported scheme", "unknown url type",
		"unsupported url", "unsupported protocol", "no connection adapters were found", "unknown scheme",
		"unknown protocol", "protocol not supported", "unable to find remote helper for", "scheme not supported",
		"invalid protocol", "invalid url scheme", "unknown url scheme", "server gave http response to https client",
		"the plain http request was sent to https port", "client sent an http request to an https server",
		"http/0.9 not allowed", "http/0.9 when not allowed", "no handler for scheme", "scheme is not supported",
	}, []string{
		`protocol ["'].*["'] (?:is )?not supported`, `'remote-\w+' `,
	}, "curl, wget, git, Go net/http, requests"},
}

// proxyRows come before the numbers of statuses: a proxy's refusal reads like a broken connection.
var proxyRows = []row{
	{"http/legal", 451, false, []string{
		"unavailable for legal reasons",
	}, nil, "RFC 7725"},
	{"mail/file", absent, false, nil, []string{
		`\b550[ -](?:failed to|no such|file|requested|can.t|could not|the system cannot)`,
	}, "RFC 959 section 4.2"},
	{"mail/login", badCredentials, false, []string{
		"login incorrect", "login or password incorrect",
	}, []string{
		`\b530[ -].*log`, `\b535[ -]`,
	}, "RFC 959, RFC 4954"},
	{"http/proxy", 407, false, []string{
		"proxy authentication required", "proxyauthenticationrequired", "proxy authentication failed", "err_proxy_auth",
	}, nil, "RFC 9110 section 15.5.8"},
	{"mail/refused", rejected, false, nil, []string{
		`\b(?:rcpt|mail|data|ehlo|helo|auth|smtp|recipient|sender)\b[^:]{0,40}: 5\d\d\b`, `\b5\d\d(?:[ -]|, b?["'])5\.\d\.\d`, `\bsmtp\b.*\b55\d\b`,
		`\.error_perm: 5\d\d `, `\bgot a 5\d\d ftp-server response\b`, `\bftp server reports 5\d\d `,
	}, "RFC 5321 section 4.2; Python smtplib and ftplib"},
	{"mail/later", serverFailure, false, []string{
		"temporary authentication failure", "[unavailable]", "[in-use]", "[sys/temp]", "[login-delay]",
	}, []string{
		`\b(?:rcpt|mail|data|ehlo|helo|auth|smtp|recipient|sender|retr|stor|pasv|epsv|ftp|pasv/epsv response)\b[^:]{0,40}: 4\d\d\b`, `\b4\d\d(?:[ -]|, b?["'])4\.\d\.\d`, `\.error_temp: 4\d\d `, `\bgot a 4\d\d ftp-server response\b`,
		`\b421[ -].*(?:service|too many|try again|timeout|connection|clos)`, `\b45[01][ -]`,
	}, "RFC 5321 section 4.2, RFC 959 section 4.2, RFC 5530, RFC 3206"},
}

// throttlingRows come first because GitHub and others throttle with a 403.
var throttlingRows = []row{
	{"silent/consequence", silent, false, []string{
		"(from versions: none)", "(from versions: )", "no matching distribution", "using defaults",
		"no resources found", "no matching resources found",
		"sub-id not found", "unable to connect to a repository at url", "couldn't find module or a distribution", "opening compressed index", "remote file does not exist -- broken link", "failed to synchronize", "(out), tls alert", "expected value got eof",
	}, []string{
		`\bno (?:[\w.-]+ ){0,2}(?:errors|problems|issues|warnings|vulnerabilities|conflicts|leaks) (?:were )?found\b`,
		`\bno .* found\b.*[.,;] (?:using|generating|creating|assuming|falling back)\b`,
		`^rsync: \[\w+\] (?:read|write) error: `,
		`^ *at \S+\(\w+\.java:\d+\)$`,
	}, "pip, cpanm and svn, which say so whatever kept them from reading; rclone; net-snmp without MIBs; rsync, whose status says why the other end left; what a tool makes up for"},
	{"http/429", 429, false, []string{
		"toomanyrequests",
	}, nil, "OCI Distribution Specification, Error Codes"},
	{"http/throttling", throttled, false, []string{
		"rate limit exceeded", "ratelimitexceeded", "rate limited", "rate-limited", "ratelimited", "rate limit reached",
		"exceeded the rate limit", "exceeded a secondary rate limit", "secondary rate limit", "api rate limit",
		"over rate limit", "hit the rate limit", "rate exceeded", "exceeded rate limit", "hit your rate limit",
		"rate limit has been", "pull rate limit", "request rate is too", "requests rate limit", "rate_limit_exceeded",
		"rate limit error", "rate_limit_error", "ratelimiterror", "rate-limit exceeded", "request limit exceeded",
		"reduce your request rate", "exceeded the rate at which", "quota exceeded for quota metric",
		"userratelimitexceeded", "resource_exhausted", "resourceexhausted", "resource has been exhausted",
		"enhance_your_calm", "enhance your calm", "throttlingexception", "throttledexception", "throttlederror",
		"throttlingerror", "requestthrottled", "requestlimitexceeded", "toomanyrequestsexception",
		"provisionedthroughputexceeded", "bandwidthlimitexceeded", "transactioninprogressexception",
		"priorrequestnotcomplete", "limitexceededexception", "(slowdown)", "slowdown:", "slow down", "<code>slowdown",
		"rate of requests", "abuse detection mechanism", "request quota exceeded", "query limit exceeded",
		"too many requests have been", "serverbusy", "operation was throttled", "usage limit reached",
		"hourly request limit", "rate limiting",
	}, []string{
		`\bthrottling\b`, `\bthrottled\b`,
	}, "GitHub REST API, AWS, Google Cloud, Azure"},
}

// wordRows are about reason phrases without their number, and other general words. They come last.
var wordRows = []row{
	{"http/words", 429, true, []string{
		"too many requests",
	}, nil, "RFC 6585 section 4"},
	{"http/words", 500, true, []string{
		"internal server error",
	}, nil, "RFC 9110 section 15"},
	{"http/words", 502, true, []string{
		"bad gateway",
	}, nil, "RFC 9110 section 15"},
	{"http/words", 503, true, []string{
		"service unavailable", "serviceunavailable", "service temporarily unavailable",
	}, nil, "RFC 9110 section 15"},
	{"http/words", 504, true, []string{
		"gateway timeout", "gateway time-out",
	}, nil, "RFC 9110 section 15"},
	{"http/words", 400, true, nil, []string{
		`\bbad request\b`, `[(.]badrequest\b`,
	}, "RFC 9110 section 15"},
	{"http/words", 401, true, []string{
		"(unauthorized)",
	}, []string{
		`\bunauthorized\b`,
	}, "RFC 9110 section 15"},
	{"http/words", 403, true, nil, []string{
		`\bforbidden\b`,
	}, "RFC 9110 section 15"},
	{"http/words", 405, true, []string{
		"method not allowed",
	}, nil, "RFC 9110 section 15"},
	{"http/words", 410, true, nil, []string{
		"[:-] gone$",
	}, "RFC 9110 section 15"},
	{"http/words", 422, true, []string{
		"unprocessable entity", "unprocessable content",
	}, nil, "RFC 9110 section 15"},
	{"http/words", 415, true, []string{
		"unsupported media type",
	}, nil, "RFC 9110 section 15"},
	{"word/temporary", serverFailure, true, []string{
		"temporarily unavailable", "try again later", "try again in a", "try again in ", "please retry",
		"temporary failure", "temporary error", "transient error", "transient failure", "is overloaded",
		"overloaded_error", "server is busy", "server too busy", "is starting up", "not ready yet", "is not ready",
		"currently unavailable", "maintenance mode", "under maintenance", "further retries may succeed",
		"please try again", "internal error occurred", "server error", "backend error", "retryable error",
		"service is unavailable", "temporarily disabled", "unknown server error",
	}, []string{
		`\bunavailable\b`, `\bin progress\b`, `\bis busy\b`, `\bmount point busy\b`, `\blocked by\b`, `' locked\b`, `\bread error\b`,
	}, "many"},
	{"word/network", networkFailure, true, []string{
		"network error", "network problem", "network is down", "network failure", "networkerror", "a network-related",
		"communications link failure", "communication failure", "i/o error occurred", "fetch_error", "fetch failed",
		"failed to fetch", "download failed", "failed to download", "failed downloading", "networking error",
		"problem related to network connectivity", "transport failure", "transport error", "connection error", "unable to access index", "http request failed",
		"failed getting release file",
	}, []string{
		`\[ip: [0-9a-f.:]+ \d+\]$`,
	}, "many"},
	{"word/absent", absent, true, []string{
		"not found", "does not exist", "doesn't exist", "no such ", "notfound", "could not find", "couldn't find",
		"cannot find", "can't find", "unable to find", "unable to locate", "no results matching",
		"is not available",
		"receive failed: no data",
		"nt_status_bad_network_name", "nt_status_object_name_not_found", "nt_status_no_such", "is not installed", "are not installed", "can't locate ", "is not in std", "no from statement", "no secret key", "has no deployed releases", "attribute .* missing", "not declared",
	}, []string{
		`\bno [\w.-]+ (?:named|with name|with the name|exists|found|matched|matching)\b`, `\bno (?:package|provider|remote|pulumi\.yaml|project file|release|tests?|such)\b`, `\bno (?:[\w.-]+ ){0,2}(?:file|files|directory|tests?|project|config|configuration|manifest|packages?|modules?|targets?|token|profile) (?:was |were )?found\b`, "attribute '.*' missing", `\bno remote refs\b`, `\berror nu1101\b`,
	}, "many"},
	{"http/redirected", endless, true, nil, []string{
		`(?:^|: |\()30[12378] "?(?:found|moved|see other|temporary redirect|permanent redirect)\b`,
		`\b(?:responded with|status code|unexpected status:?) 30[12378]\b`,
		"repository moved (?:temporarily|permanently) to",
	}, "what follows no redirect, or none any more: Perl's LWP and HTTP::Tiny, Ruby's net/http, svn"},
	{"word/denied", denied, true, []string{
		"permission denied", "access denied", "access is denied", "accessdenied", "not authorized", "not permitted",
		"is not allowed", "insufficient permission", "insufficient scope", "unauthenticated", "permission_denied",
		"permissiondenied", "does not have permission", "authorization failed", "notauthorized", "operation not permitted",
		"insufficientpermissions", "not allowed to", "insufficient privileges",
		"invalid token", "requires auth", "invalid auth", "no authentication type succeeded", "notcapable:",
		"proper access", "authorization required", "access to the requested resource", "you do not have access",
		"nt_status_access_denied", "is disabled", "disabled by", "lookup disabled", "not enabled",
	}, []string{
		`\brequires (?:read|write|run|env|net|sys|root|admin|administrator) access\b`,
	}, "many"},
	{"word/invalid", badInput, true, []string{
		"invalid argument", "is invalid", "invalid value", "invalid reference", "is not valid", "invalid request",
		"malformed", "must be specified", "is required", "must specify", "not a valid", "invalid format",
		"validation failed", "validation error", "invalid input", "invalid parameter", "is malformed", "failed validation",
		"invalid character", "cannot parse", "can't parse", "could not parse", "couldn't parse", "failed to parse",
		"unable to parse",
		"invalid requirement",
		"invalid provider", "cannot re-use", "failed to prepare", "not supported", "is unsupported", "ejsonparse", "enolock", "could not detect a ", "configerror", "can only be run", "can only be used",
	}, []string{
		`\bunknown (?:\w+ ){0,2}(?:target|command|module|type|filesystem|variable|function|property|field|key|attribute|package|project|goal|task|context|kind|format|profile|region|provider|backend|section|directive|setting|option|driver|subcommand|encoder|decoder|codec|plugin)\b`,
		`\b(?:cannot|can't|must not|may not|should not) be (?:shorter|longer|empty|blank|null|negative|less|greater|larger)\b`,
		`\bmust (?:be (?:one of|at least|at most|between|set|given|provided|either|run|executed)|start with|begin with|end with|contain|match|have (?:a|an|at|\d+))\b`,
	}, "many"},
	{"word/exists", present, true, []string{
		"already exists", "alreadyexists", "already exist", "previously published", "already been published",
		"file exists", "cannot overwrite", "immutable tag", "already in use by",
	}, nil, "many"},
	{"word/crash", passing, true, []string{
		"segmentation fault", "core dumped", "bus error", "signal: killed", "signal: aborted", "illegal instruction", "internal compiler error",
	}, nil, "shells, Go's testing, gcc"},
}
