package policy

// cloudRows are about the error codes of cloud providers and gRPC.
var cloudRows = []row{
	{"cloud/server", serverFailure, false, []string{
		"(internalerror)", "(internalfailure)", "(internalservererror)", "(internalserverexception)",
		"(internalserviceerror)", "(serviceunavailable)", "(serviceunavailableexception)", "(unavailable)",
		"(serviceexception)", "(servicefailure)", "internalerror: ", "internalserverexception",
		"serviceunavailableexception", "insufficientinstancecapacity", "insufficient capacity", "insufficienthostcapacity",
		"zone_resource_pool_exhausted", "stockout", "allocationfailed", "skunotavailable", "overconstrainedallocation",
		"capacity not available", "idpcommunicationerror", "identity provider was unreachable", "code = internal",
		"request could not be fulfilled", "internal error. please try again", "backenderror", "backend error",
		"operation could not be completed because of an internal", "serverbusy", "an internal error has occurred",
		"dependency failure", "dependencyfailedexception", "error from server (internalerror)",
		"error from server (timeout)", "(servertimeout)", "failed calling webhook", "failed to call webhook",
		"internal_server_error", "internal error encountered",
	}, []string{
		"code = unknown desc = (?:.*reset|.*eof|.*timeout)",
	}, "AWS Common Errors, S3 Error Responses, gRPC status codes, Google Cloud, Azure"},
	{"cloud/conflict", conflict, false, []string{
		"error from server (conflict)", "resourceinuseexception", "resourceinuse", "incorrectinstancestate",
		"invalidstate: ", "scalingactivityinprogress", "operationinprogress", "updateinprogress", "in_progress state",
		"invalidchangebatch", "priorrequest", "anotheroperationinprogress", "resourcenotready", "(dependencyviolation)",
	}, []string{
		"operationnotallowed.*in progress",
	}, "AWS, Azure, Kubernetes"},
	{"cloud/credentials", badCredentials, false, []string{
		"expiredtoken", "invalidclienttokenid", "invalidaccesskeyid", "unrecognizedclientexception",
		"signaturedoesnotmatch", "invalidsignature", "incompletesignature", "(authfailure)", "missingauthenticationtoken",
		"unable to locate credentials", "could not load credentials", "no credentials", "credentials not found",
		"credentials could not be", "token has expired", "token is expired", "expired token", "token expired",
		"security token included in the request is", "invalidtoken", "bad credentials", "invalid api key",
		"invalid_api_key", "incorrect api key", "api key not valid", "invalid access token", "invalid_grant",
		"invalid_client", "invalid_token", "reauthentication", "could not automatically determine credentials",
		"default credentials", "not currently have an active account", "not logged in", "not logged into",
		"please run 'az login'", "please run: az login", "az login", "gcloud auth login", "gh auth login",
		"must be logged in", "you must log in", "login required", "requires login", "please log in", "please login",
		"need to log in", "need to login", "log in first", "to be logged in", "aadsts", "requesttimetooskewed",
		"requestexpired", "no valid credential", "nocredentialproviders", "partial credentials", "refresh token", "an empty password is not",
		"missing credentials", "code = unauthenticated", "config profile", "sso session", "the sso session",
		"unauthorized_client", "no authorization header", "authentication token", "personal access token", "no api key",
		"api key is required", "api key required", "invalid username or token", "password authentication was removed",
		"authentication is not supported", "credential-provider", "require a credential",
		"eof when reading a line", "cannot prompt", "no tty present", "a terminal is required", "user interaction is not allowed", "not an interactive", "in non-interactive mode", "interactive authentication is needed", "cannot read password", "must be using the interactive",
	}, []string{
		"profile .* could not be found",
	}, "AWS Common Errors, Azure, Google Cloud, GitHub"},
	{"cloud/denied", denied, false, []string{
		"(accessdenied", "accessdeniedexception", "unauthorizedoperation", "(notauthorized", "optinrequired", "(blocked)",
		"is not authorized to perform", "authorizationfailed", "does not have authorization", "regiondisabledexception",
		"code = permissiondenied", "permission_denied", "iam_permission_denied", "insufficient authentication scopes",
		"linkedauthorizationfailed", "has not been used in project", "it is disabled", "accountproblem",
		"account is currently blocked", "billing", "resource not accessible by", "must have admin rights",
		"error from server (forbidden)", "exceeded quota: ", "quota exceeded", "quotaexceeded", "insufficient quota",
		"insufficient_quota", "instancelimitexceeded", "vcpulimitexceeded", "limit exceeded for", "limitexceeded)",
		"credit balance",
		"authorization error",
	}, nil, "AWS Common Errors, Azure, Google Cloud, Kubernetes"},
	{"cloud/absent", absent, false, []string{
		"(nosuch", "nosuchbucket", "nosuchentity", "resourcenotfoundexception", "resourcenotfound", "(notfoundexception)",
		"error from server (notfound)", "resourcegroupnotfound", "subscriptionnotfound", ".notfound)", "nosuchhostedzone",
		"code = notfound", "repositorynotfoundexception", "clusternotfoundexception", "imagenotfoundexception",
		"stackinstancenotfound", "statemachinedoesnotexist", "dbinstancenotfound", "parameternotfound",
		"cache cluster not found", "bucketnotfound", "containernotfound", "blobnotfound",
		"the specified bucket does not exist", "the specified key does not exist",
	}, []string{
		`\binvalid\w+\.notfound\b`, "stack .* does not exist",
	}, "AWS, Azure, gRPC status codes"},
	{"cloud/request", badInput, false, []string{
		"(validationexception)", "(validationerror)", "(invalidparameter", "(missingparameter)", "(invalidrequest",
		"(malformed", "(invalidbucketname)", "(preconditionfailed)", "conditionalcheckfailed", "(invalidaction)",
		"(unknownoperation", "(serializationexception)", "parametervalidation", "param validation",
		"parameter validation failed", "invalidargument", "code = invalidargument", "code = failedprecondition",
		"code = outofrange", "code = unimplemented", "failedprecondition", "(bucketnotempty)", "(deleteconflict)",
		"missing parameter", "error from server (badrequest)", "error from server (invalid)", "(methodnotallowed)",
		"error from server (methodnotallowed)", "error from server (notacceptable)", "(unsupportedmediatype)",
		"(requestentitytoolarge)", "(unsupportedoperation", "no updates are to be performed", "unsupportedoperation",
		"invalidtemplate", "deploymentfailed", "the request is invalid", "error_invalid_argument",
		"invalid_argument", "maximum recursion depth exceeded", "no matches for kind", "ensure crds are installed",
		"missing required field", "invalid kind",
	}, []string{

		`\(invalid[a-z.]*\)`,
	}, "AWS Common Errors, gRPC status codes, Kubernetes StatusReason"},
	{"cloud/exists", present, false, []string{
		"bucketalreadyexists", "bucketalreadyownedbyyou", "alreadyexistsexception", "error from server (alreadyexists)",
		"entityalreadyexists", "code = alreadyexists", "resourceexistsexception", ".duplicate)", "resourcealreadyexists",
		"(conflict) ", "storageaccountalreadytaken",
	}, nil, "AWS, Azure, Kubernetes"},
}
