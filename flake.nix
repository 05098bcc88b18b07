{
  description = "Run a command until it succeeds, waiting longer and longer";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "riscv64-linux" "x86_64-darwin" "aarch64-darwin" ];
      version = self.shortRev or "dirty";
    in
    {
      packages = nixpkgs.lib.genAttrs systems (system:
        let
          pkgs = nixpkgs.legacyPackages.${system};
        in
        {
          default = pkgs.buildGoModule {
            pname = "retry-cli";
            inherit version;
            src = self;
            vendorHash = "sha256-ko8Y/r6zUiNoan984MQ1kUqJGplDNisvDlHOF1l7jfM="; # .ci/release-check says what it must be
            subPackages = [ "." ];
            env.CGO_ENABLED = "0";
            tags = [ "urfave_cli_no_docs" ] ++ nixpkgs.lib.optional pkgs.stdenv.isLinux "exactsignals";
            ldflags = [ "-s" "-w" "-X main.version=${version}" ] ++ nixpkgs.lib.optional pkgs.stdenv.isLinux "-checklinkname=0";
            doCheck = false; # the tests need curl, git, shells and servers
            nativeBuildInputs = [ pkgs.installShellFiles ];
            postInstall = ''
              installManPage man/*
              installShellCompletion --bash --name retry completions/retry.bash
              installShellCompletion --zsh --name _retry completions/_retry
              installShellCompletion --fish --name retry.fish completions/retry.fish
              install -Dm644 -t $out/share/licenses/retry-cli LICENSE NOTICES
            '';
            meta = {
              description = "Run a command until it succeeds, waiting longer and longer";
              license = nixpkgs.lib.licenses.mit;
              mainProgram = "retry";
            };
          };
        });
    };
}
