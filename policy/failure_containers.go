package policy

// containerRows are about images, registries and container runtimes.
var containerRows = []row{
	{"container/denied", denied, false, []string{
		"denied: ", "requested access to the resource is denied", "access to the resource is denied", "access forbidden",
		"pull access", "push access denied",
		"permission denied while trying to connect",
	}, []string{
		`\bdial unix \S+: connect: permission denied`, ": denied$", "^denied$",
	}, "OCI Distribution Specification, Error Codes"},
	{"container/daemon", unconnected, false, []string{
		"cannot connect to the docker daemon", "is the docker daemon running",
		"cannot connect to podman", "docker daemon is not running", "dial unix ", "containerd.sock",
		"failed to connect to containerd",
		"local mysql server through socket", "local server through socket", "server through socket",
	}, []string{
		`\bthe connection to the server \S+ was refused`, `\bon socket .* no such file`, `\bon socket .* connection refused`,
	}, "moby client/errors.go; psql; mysql"},
	{"container/unauthorized", badCredentials, false, []string{
		"unauthorized: ", "no basic auth credentials", "incorrect username or password", "invalid username/password",
		"authentication required", "unable to retrieve auth token", "error logging in", "pull access denied",
		"insufficient_scope", "error getting credentials", "credentials-helper", "docker-credential-", "no credential",
	}, nil, "OCI Distribution Specification, Error Codes; moby; containers/image"},
	{"container/absent", absent, false, []string{
		"manifest unknown", "manifest_unknown", "name unknown", "name_unknown", "no matching manifest",
		"repository name not known", "no such image", "no such container", "no such volume", "no such network",
		"no such service", "no such object", "blob unknown", "blob_unknown", "repository does not exist", "unknown blob",
		"image not known", "no such pod", "errimageneverpull", "no image found in", "image not found",
		"no image found in manifest", "no container with name", "not found: manifest unknown",
		"no configuration file provided", "failed to read dockerfile", "dockerfile: no such file",
		"dockerfile parse error", "unable to prepare context", "no dockerfile", "cannot locate specified dockerfile",
		"failed to solve: failed to read",
	}, []string{
		"manifest for .* not found", "tag .* not found", "pod .* not found", `unable to find image .* locally\b$`,
	}, "OCI Distribution Specification, Error Codes; moby; containers/image"},
	{"container/reference", badInput, false, []string{
		"invalid reference format", "invalid reference", "repository name must be lowercase", "invalid repository name",
		"invalid tag", "could not parse reference", "requires at least 1 argument", "invalid image name",
		"parsing reference", "invalid image reference", "parsing image name", "unknown transport", "invalid source name",
		"invalid destination name", "name_invalid", "tag_invalid", "digest_invalid", "manifest_invalid", "invalid compose",
		"services must be a mapping", "undefined service", "port is already allocated", "exec format error",
		"no such service", "conflict. the container name", "invalid mount", "bind source path does not exist",
		"undefined network", "undefined volume", "additional property", "yaml: unmarshal",
		"oci runtime exec failed", "executable file not found", "failed to parse kustomization",
		"unable to find one of 'kustomization", "no kustomization",
	}, nil, "moby distribution/reference; containers/image"},
	{"container/push", serverFailure, false, []string{
		"blob upload unknown", "blob_upload_unknown", "failed to copy: httpreadseeker", "layer does not exist",
		"blob_upload_invalid",
	}, []string{
		`error parsing http 5\d\d response`, `received unexpected http status: 5\d\d`,
	}, "OCI Distribution Specification, Error Codes"},
	{"container/helm", absent, false, []string{
		"no chart name found", "no chart version found", "release: not found", "chart not found",
	}, []string{
		"repo .* not found", "chart .* not found", "path .* not found", "release .* not found",
	}, "helm"},
}
