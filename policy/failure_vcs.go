package policy

// vcsRows are about version control.
var vcsRows = []row{
	{"vcs/absent", absent, false, []string{
		"repository not found", "not a git repository", "does not appear to be a git repository",
		"couldn't find remote ref", "could not find remote branch", "project you were looking for could not be found",
		"unknown revision", "bad revision", "bad object", "not a valid object name", "invalid reference: ",
		"not a valid ref", "reference is not a tree", "no such remote", "not a mercurial repository",
		"no repository found", "no such ref", "does not have a commit", "doesn't exist on the server",
		"is not a git repository", "is not a working copy", "are working copies", "not a branch: ", "unable to open repository '", "no submodule mapping", "not our ref",
		"does not point to a valid", "unknown branch", "not found in upstream", "could not resolve to a repository",
		"could not resolve to a", "couldn't find remote", "remote ref does not exist", "no such branch",
		"object does not exist on the server", "access denied or repository not exported", "no changes found",
		"not a bundle file", "no remote repository", "no default remote", "abort: no suitable response",
		"no valid repository", "is not a valid repository",
	}, []string{
		"remote branch .* not found", "repository '.*' (?:not found|does not exist)",
		"pathspec .* did not match",
		"src refspec .* does not match", "repository .* does not exist",
		`(?:'|"|」) ?nicht gefunden$`, `(?:'|"|」) ?existiert nicht$`, `(?:'|"|」) ?non trouvé$`, `(?:'|"|」) ?n'existe pas$`, `(?:'|"|」) ?no encontrado$`, `(?:'|"|」) ?no existe$`, `(?:'|"|」) ?未找到$`, `(?:'|"|」) ?不存在$`,
	}, "git, hg, GitHub, GitLab"},
	{"vcs/credentials", badCredentials, false, []string{
		"authentication failed for", "could not read username", "could not read password", "invalid username or password",
		"permission denied (", "terminal prompts disabled", "no anonymous write access",
		"too many authentication failures", "no supported authentication", "permission denied, please try again",
		"unable to authenticate", "invalid credentials", "key you are authenticating with", "this key is not",
		"deploy key", "no more authentication methods", "authentication failure", "http basic: access denied",
		"write access to repository not granted", "support for password authentication",
		"all configured authentication methods failed", "incorrect password", "bad passphrase", "agent refused operation",
		"authorization failed",
		"unprotected private key", "bad permissions", "error in libcrypto", "load key ", "identity file",
	}, []string{
		"permission to .* denied",
	}, "git http.c, credential.c; OpenSSH sshconnect2.c"},
	{"vcs/rejected", rejected, false, []string{
		"[rejected]", "[remote rejected]", "non-fast-forward", "fetch first", "hook declined", "protected branch",
		"updates were rejected", "remote rejected", "gh006", "gh001", "push declined", "deny updating",
		"refusing to merge unrelated", "refusing to update checked out", "merge conflict", "automatic merge failed",
		"not possible to fast-forward", "conflict (", "would be overwritten by", "dubious ownership", "unsafe repository",
		"need to specify how to reconcile", "divergent branches", "your local changes", "unstaged changes",
		"uncommitted changes", "no tracking information", "no upstream branch", "nothing to commit",
		"please tell me who you are", "fix conflicts", "you have unmerged", "needs merge", "push creates new remote head",
		"abort: push creates", "patch does not apply", "no valid patches", "could not apply", "exceeds the maximum",
		"exceeds github's file size", "not something we can merge",
	}, []string{
		"cannot lock ref .*is at .* but expected", "destination path .* already exists", "remote .* already exists",
		"branch named .* already exists", "tag .* already exists",
	}, "git builtin/push.c, builtin/merge.c; GitHub"},
	{"vcs/locked", locked, false, []string{
		"index.lock", "shallow.lock", ".lock': file exists", "another git process seems", "cannot lock ref",
		"unable to lock", "waiting for lock on", "could not lock config", "config.lock", "packed-refs.lock", "head.lock",
	}, nil, "git lockfile.c; hg"},
}
