#!/bin/sh
# Brings the network of home, and Flux, which takes over from there: README.md says when.
#
#   sh bootstrap.sh          lists the steps, and does nothing
#   sh bootstrap.sh STEP     does one, such as 1-namespaces (or its number)
#
# A step first looks whether it may begin. Then it applies the same charts and values as Flux later, and waits for
# the result. Each may be repeated, also after it was stopped half-way; none deletes anything, and what Flux has taken
# over is only looked at. docs/runbook.md says what to do about one that stops.
#
# Exit status: 0 done, 1 it failed or waited in vain, 2 called in a wrong way, 3 something is missing and nothing was
# changed.
set -eu
umask 077
cd -- "$(dirname -- "$0")"

api=control.k8s.example.com:6443
manager=helm-controller
labels='1-namespaces 2-definitions 3-calico 4-bgp 5-flux 6-hand-over'
objects=
follows=

say() { printf '%s\n' "$*"; }

die() {
    status=$1
    shift
    printf 'bootstrap.sh: %s\n' "$*" >&2
    exit "$status"
}

trap 'rm -f -- ${objects:+"$objects"}' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# target NAME: the step of that name, as make has it.
target() {
    for label in $labels; do
        if [ "${label#*-}" = "$1" ]; then say "make bootstrap-$label"; fi
    done
}

# --- What a step needs. These only look, and end the script before anything is changed.

# need MESSAGE COMMAND...
need() {
    message=$1
    shift
    "$@" >/dev/null 2>&1 || die 3 "$message"
}

# found KIND/NAME: its name if it is there.
found() {
    kubectl get "$1" --ignore-not-found -o name || die 3 "kubectl cannot ask for $1; see above."
}

# there KIND/NAME STEP: a step before has made it.
there() {
    name=$(found "$1")
    [ -n "$name" ] || die 3 "$1 is not there. First: $(target "$2")"
}

# absent KIND/NAME MESSAGE
absent() {
    name=$(found "$1")
    [ -z "$name" ] || die 3 "$1 is there: $2."
}

# available STEP: the network works; while it is rolled out anew, it is waited for.
available() {
    there crd/tigerastatuses.operator.tigera.io "$1"
    need "the network is not up (kubectl get tigerastatus). First: $(target "$1")" \
        kubectl wait --for=condition=Available --timeout=2m tigerastatus/calico tigerastatus/apiserver
}

# joined: says how many machines are still missing. One that is broken keeps nobody waiting.
joined() {
    set -- nodes/*/
    count=$(kubectl get node -o name | wc -l)
    [ "$count" -ge $# ] || say "note: $((count)) of $# machines are in the cluster; the others join with BGP on"
}

# pushed: Flux applies what it fetches, so the branch upstream must be what lies here.
pushed() {
    need "this is no clone of the repository" git rev-parse --verify HEAD
    [ -z "$(git status --porcelain -- .)" ] || die 3 "there are changes that are not committed (git status): Flux would not see them."
    need "HEAD is not on the branch upstream; Flux would not see it. First: git push" \
        git merge-base --is-ancestor HEAD '@{upstream}'
}

cluster() {
    missing=
    for program in kubectl helm git flux; do
        command -v "$program" >/dev/null || missing="$missing $program"
    done
    [ -z "$missing" ] || die 3 "not installed:$missing"
    need "the API does not answer. Is KUBECONFIG set? Otherwise: docs/runbook.md." kubectl get --raw /readyz
    config=$(kubectl -n kube-system get configmap/kubeadm-config -o jsonpath='{.data.ClusterConfiguration}') ||
        die 3 "kubectl may not read the ConfigMap kubeadm-config: it says which cluster this is."
    case $config in
    *"controlPlaneEndpoint: $api"*) ;;
    *) die 3 "kubectl speaks to another cluster: this one has no controlPlaneEndpoint $api. See: kubectl config current-context" ;;
    esac
    follows=$(found crd/gitrepositories.source.toolkit.fluxcd.io)
    [ -z "$follows" ] || follows=$(kubectl -n flux-system get gitrepository/flux-system --ignore-not-found -o name) ||
        die 3 "kubectl cannot ask for gitrepository/flux-system; see above."
}

# --- What a step does

# apply COMMAND...: what it prints goes to the API server, as fields of Flux, which finds them as its own later. By
# way of a file, since a pipe would hide that the command has failed.
apply() {
    if [ -n "$follows" ]; then
        say "left to Flux, which has taken over: $3"
        return
    fi
    say "apply: $*"
    "$@" >"$objects" || die 1 "helm has failed; nothing of this was applied."
    kubectl apply --server-side --force-conflicts --field-manager="$manager" -f "$objects" ||
        die 1 "the API server has refused something. The step may be repeated."
}

# --- The steps

# namespaces and priority classes
step_1() {
    cluster

    apply helm template namespaces charts/namespaces --namespace default --no-hooks -f apps/namespaces/values.yaml -f apps/namespaces/overrides.yaml

    kubectl wait --for=jsonpath='{.status.phase}'=Active --timeout=1m namespace/calico-system namespace/tigera-operator namespace/traefik namespace/whoami
}

# the definitions of Calico and of its operator
step_2() {
    cluster
    there namespace/tigera-operator namespaces
    absent crd/ippools.projectcalico.org "Calico's other set of definitions (projectcalico.org/v3 as CRDs) is installed, and both together break it"

    apply helm template calico-crds crd.projectcalico.org.v1 --repo https://docs.tigera.io/calico/charts --version v3.32.2 --namespace tigera-operator --no-hooks -f apps/calico-crds/values.yaml -f apps/calico-crds/overrides.yaml

    kubectl wait --for=condition=Established --timeout=2m -f "$objects" >/dev/null
}

# the network, still without BGP
step_3() {
    cluster
    there crd/installations.operator.tigera.io definitions
    there crd/apiservers.operator.tigera.io definitions

    # Without its settings Calico would put every node into a full mesh of AS 64512. What is on stays on.
    bgp=$(kubectl get installation/default --ignore-not-found -o jsonpath='{.spec.calicoNetwork.bgp}')
    if [ "$bgp" = Enabled ]; then
        say "BGP is on already, and stays on"
    else
        apply helm template calico-installation charts/calico-installation --namespace tigera-operator --no-hooks -f apps/calico-installation/values.yaml -f apps/calico-installation/overrides.yaml \
            --set installation.bgp=Disabled
    fi
    apply helm template tigera-operator tigera-operator --repo https://docs.tigera.io/calico/charts --version v3.32.2 --namespace tigera-operator --no-hooks -f apps/tigera-operator/values.yaml -f apps/tigera-operator/overrides.yaml

    kubectl wait --for=create --timeout=5m tigerastatus/calico tigerastatus/apiserver
    kubectl wait --for=condition=Available --timeout=10m tigerastatus/calico tigerastatus/apiserver
    kubectl wait --for=condition=Ready --timeout=5m node --all
}

# BGP: first its settings and the pools of Services, then the switch
step_4() {
    cluster
    available calico
    joined

    apply helm template calico-bgp charts/calico-bgp --namespace calico-system --no-hooks -f apps/calico-bgp/values.yaml -f apps/calico-bgp/overrides.yaml
    apply helm template calico-loadbalancer charts/calico-loadbalancer --namespace calico-system --no-hooks -f apps/calico-loadbalancer/values.yaml -f apps/calico-loadbalancer/overrides.yaml
    apply helm template calico-installation charts/calico-installation --namespace tigera-operator --no-hooks -f apps/calico-installation/values.yaml -f apps/calico-installation/overrides.yaml

    kubectl wait --for=jsonpath='{.status.computed.calicoNetwork.bgp}'=Enabled --timeout=5m installation/default
    kubectl -n calico-system rollout status daemonset/calico-node --timeout=15m
}

# Flux, which commits its own files and begins: from here on the cluster follows the repository
step_5() {
    cluster
    available calico
    pushed
    need "GIT_PASSWORD is not set: a token that may push" [ -n "${GIT_PASSWORD:-}" ]
    flux check --pre

    flux bootstrap git --version=v2.9.4 --url=https://git.example.com/platform/home.git --branch=main \
        --path=clusters/home --token-auth --username="${GIT_USERNAME:-flux}"
    git pull --rebase origin main

    flux check
    kubectl -n flux-system wait gitrepository/flux-system --for=condition=Ready --timeout=5m
}

# wait until the cluster is what the repository says
step_6() {
    cluster
    there crd/kustomizations.kustomize.toolkit.fluxcd.io flux

    kubectl -n flux-system wait kustomization/flux-system --for=condition=Ready --timeout=10m
    kubectl -n flux-system wait kustomization --all --for=condition=Ready --timeout=30m
}

if [ $# -eq 0 ]; then
    say 'make bootstrap-1-namespaces         namespaces and priority classes'
    say 'make bootstrap-2-definitions        the definitions of Calico and of its operator'
    say 'make bootstrap-3-calico             the network, still without BGP'
    say 'make bootstrap-4-bgp                BGP: first its settings and the pools of Services, then the switch'
    say 'make bootstrap-5-flux               Flux, which commits its own files and begins: from here on the cluster follows the repository'
    say 'make bootstrap-6-hand-over          wait until the cluster is what the repository says'
    exit 0
fi
[ $# -eq 1 ] || die 2 "one step at a time. Without a word it lists them."

next=
step=
for label in $labels; do
    if [ -n "$step" ] && [ -z "$next" ]; then next=$label; fi
    if [ "$1" = "$label" ] || [ "$1" = "${label%%-*}" ]; then step=$label; fi
done
[ -n "$step" ] || die 2 "there is no step $1. Without a word it lists them."

objects=$(mktemp)
"step_${step%%-*}"
say "done: $step"
[ -z "$next" ] || say "next: make bootstrap-$next"
