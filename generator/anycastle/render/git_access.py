"""How the engine reaches a private Git server: host keys, certificates, and the Secret with the key or the token.

The key or token is a file outside of this repository, on the workstation; a step of the bootstrap puts it into the
cluster, and no command line has it. Argo CD takes a Secret with the label `secret-type: repository`
(operator-manual/declarative-setup), Flux the one that its GitRepository names: identity and known_hosts
(source-controller, GitRepository, spec.secretRef).
"""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.render.bootstrap_step import Step
from anycastle.render.text import shell_word
from anycastle.site.git_access import by_ssh, host, known_as, needs_credentials
from anycastle.site.model import Site

KNOWN_HOSTS = "git/known_hosts"
CERTIFICATES = "git/ca.crt"
KEY, TOKEN = "git/identity", "git/token"
"""Below the folder outside of the repository, where passwords of BGP sessions are, too."""

LABEL = "argocd.argoproj.io/secret-type=repository"

_APPLY = "    kubectl apply --server-side --force-conflicts --field-manager=anycastle -f -"


def files(site: Site) -> dict[str, bytes]:
    """What is public of it, for `git` and `flux` on the workstation."""
    result: dict[str, bytes] = {}
    if site.gitops.known_hosts:
        result[KNOWN_HOSTS] = "".join(f"{line}\n" for line in site.gitops.known_hosts).encode()
    if site.gitops.ca_certificates:
        result[CERTIFICATES] = site.gitops.ca_certificates.encode()
    return result


def of_argo_cd(site: Site) -> dict[str, object]:
    """`configs` of the chart argo-cd: further known hosts, and whom it trusts for one server, named without a port."""
    result: dict[str, object] = {}
    if site.gitops.known_hosts:
        result["ssh"] = {"extraHosts": "\n".join(site.gitops.known_hosts)}
    if site.gitops.ca_certificates:
        result["tls"] = {"certificates": {host(site): site.gitops.ca_certificates}}
    return result


def pinned(site: Site) -> bool:
    """Whether the host keys of the server are known beforehand."""
    return by_ssh(site) and bool(site.gitops.known_hosts)


def folder(site: Site) -> str:
    """Where the key or token lies on the workstation, as the shell has it."""
    return f"${{ANYCASTLE_PASSWORDS:-$HOME/.anycastle/{site.name}}}"


def steps(site: Site) -> Iterator[Step]:
    """The step that puts the key or token into the cluster; none where there is none, or `flux bootstrap` does it."""
    if needs_credentials(site) and (site.gitops.engine == "argocd" or pinned(site)):
        yield _step(site)


def for_flux(site: Site) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """For `flux bootstrap`: what it needs, what comes before it, and its options, which say who may push.

    By HTTPS it takes the token from GIT_PASSWORD and the user from `--username`, and puts both into its Secret.
    It takes whatever host key answers first where it is given a key by file, and puts that into its Secret
    (flux2, sourcesecret.ScanHostKey). With host keys that are pinned it gets the key by an agent and asks
    SSH_KNOWN_HOSTS (go-git); a Secret that is there stays as it is (bootstrap_plain_git.go).
    """
    if not by_ssh(site):
        trusted = f" --ca-file={CERTIFICATES}" if site.gitops.ca_certificates else ""
        asked = 'need "GIT_PASSWORD is not set: a token that may push" [ -n "${GIT_PASSWORD:-}" ]'
        return (asked,), (), f'--token-auth --username="${{GIT_USERNAME:-flux}}"{trusted}'
    if not pinned(site):
        return ('key=${FLUX_KEY:-$HOME/.ssh/flux}; filled "$key"',), (), '--private-key-file="$key" --silent'
    key = f'key="{folder(site)}/{KEY}"'
    made = (
        'need "The Secret flux-system is not there. First: $(target repository)" '
        "kubectl -n flux-system get secret/flux-system"
    )
    needs = (key, 'need "$key is missing or empty." [ -s "$key" ]', made)
    agent = (
        "unset GIT_PASSWORD",
        "# shellcheck disable=SC2016",
        f'SSH_KNOWN_HOSTS="$PWD/{KNOWN_HOSTS}" ssh-agent sh -c \'ssh-add -q "$1" && shift && exec "$@"\' - "$key" \\',
    )
    return needs, agent, "--silent"


def _step(site: Site) -> Step:
    argocd = site.gitops.engine == "argocd"
    space, engine = ("argocd", "Argo CD") if argocd else ("flux-system", "Flux")
    return Step(
        name="repository",
        does=f"the {'key' if by_ssh(site) else 'token'} that opens the repository for {engine}",
        needs=(
            "there namespace/argocd namespaces" if argocd else "available calico",
            *(_key(site) if by_ssh(site) else _token(site)),
        ),
        action=_argo_cd(site) if argocd else _flux(),
        proves=(
            f"kubectl -n {space} get secret -o name{' -l ' + LABEL if argocd else ''} | "
            f"grep -qx secret/{'repository' if argocd else 'flux-system'}",
        ),
        stops=(
            (
                f"... does not open {site.gitops.repository}",
                "the Git server does not know the "
                + ("key (a deploy key of the repository), or has another host key than " + KNOWN_HOSTS)
                if by_ssh(site)
                else "the Git server does not take the token, or its user (`GIT_USERNAME`), or has another certificate",
            ),
        ),
    )


def ssh(site: Site) -> str:
    """`ssh` with the key in the variable `key`, and with nothing else."""
    known = f" -o StrictHostKeyChecking=yes -o UserKnownHostsFile={KNOWN_HOSTS}" if pinned(site) else ""
    return f"ssh -i '$key' -o IdentitiesOnly=yes -o BatchMode=yes{known}"


def _key(site: Site) -> tuple[str, ...]:
    push = "" if site.gitops.engine == "argocd" else " and write"
    return (
        f'key="{folder(site)}/{KEY}"',
        f'need "$key is missing or empty: the key that may read{push} on {known_as(site)}. README.md makes it." '
        '[ -s "$key" ]',
        'need "$key is no private key without a passphrase; nobody could type one in the cluster." '
        "ssh-keygen -y -P '' -f \"$key\"",
        f'need "$key does not open {site.gitops.repository}; see: git ls-remote" \\',
        f'    env GIT_SSH_COMMAND="{ssh(site)}" git ls-remote {shell_word(site.gitops.repository)}',
    )


def _token(site: Site) -> tuple[str, ...]:
    """Git asks a helper for the token, which reads it from the file."""
    trusted = f" GIT_SSL_CAINFO={CERTIFICATES}" if site.gitops.ca_certificates else ""
    return (
        f'token="{folder(site)}/{TOKEN}" user=${{GIT_USERNAME:-git}}',
        'need "$token is missing or empty: the token that may read the repository. README.md makes it." '
        '[ -s "$token" ]',
        f'need "$token does not open {site.gitops.repository} for the user $user; see: git ls-remote" \\',
        f'    env token="$token" user="$user" GIT_TERMINAL_PROMPT=0{trusted} git -c credential.helper= \\',
        '    -c credential.helper=\'!f() { printf "username=%s\\npassword=%s\\n" "$user" "$(cat "$token")"; }; f\' \\',
        f"    ls-remote {shell_word(site.gitops.repository)}",
    )


def _argo_cd(site: Site) -> tuple[str, ...]:
    by_key = '--from-file=sshPrivateKey="$key"'
    by_word = '--from-literal=username="$user" --from-file=password=/dev/stdin'
    return (
        *(() if by_ssh(site) else ("tr -d '\\n' <\"$token\" |",)),
        "kubectl -n argocd create secret generic repository --dry-run=client -o yaml --from-literal=type=git \\",
        f"    --from-literal=url={shell_word(site.gitops.repository)} {by_key if by_ssh(site) else by_word} |",
        f"    kubectl label --local -f - -o yaml {LABEL} |",
        _APPLY,
    )


def _flux() -> tuple[str, ...]:
    return (
        "kubectl create namespace flux-system --dry-run=client -o yaml |",
        _APPLY,
        "kubectl -n flux-system create secret generic flux-system --dry-run=client -o yaml \\",
        f'    --from-file=identity="$key" --from-file=known_hosts={KNOWN_HOSTS} |',
        _APPLY,
    )
