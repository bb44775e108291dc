#!/bin/sh
# Makes this machine cp-1, the first control plane of the cluster market.
#
#   sh install.sh --dry-run   says what it would do, and does nothing
#   sudo sh install.sh        does it; may be repeated, also after an interruption
#
# The router must be up first: kubeadm reaches the API by its address, which the router learns from kube-vip.
# With ANYCASTLE_ROOT set, every file lies below that directory: for a rehearsal.
#
# Exit status: 0 done, 1 the machine is not as it must be, 2 called in a wrong way. Needs kubeadm, kubelet and
# containerd, and the files beside it.
set -eu
umask 077

node=cp-1
address=10.50.0.11
root=${ANYCASTLE_ROOT:-}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
kubernetes=$root/etc/kubernetes
unfinished=$root/var/lib/anycastle/kubeadm-unfinished
dry_run=no
temporary=
config=

say() { printf '%s\n' "$*"; }

die() {
    status=$1
    shift
    printf 'install.sh: %s\n' "$*" >&2
    exit "$status"
}

trap 'rm -f -- ${temporary:+"$temporary"} ${config:+"$config"}' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# run COMMAND...: runs it, or says that it would.
run() {
    if [ "$dry_run" = yes ]; then
        say "would run: $*"
    else
        say "run: $*"
        "$@"
    fi
}

# put PATH MODE <TEXT: the file appears whole or not at all, and an equal one is left alone. The name of the
# copy begins with a dot because kubelet would start any other file among its manifests.
put() {
    target=$root$1
    text=$(cat)
    if [ -f "$target" ] && [ "$text" = "$(cat -- "$target" 2>/dev/null)" ]; then
        say "unchanged: $1"
    elif [ "$dry_run" = yes ]; then
        say "would write: $1"
    else
        mkdir -p -- "${target%/*}"
        temporary=$(mktemp "${target%/*}/.anycastle.XXXXXX")
        printf '%s\n' "$text" >"$temporary"
        chmod "$2" "$temporary"
        mv -f -- "$temporary" "$target"
        temporary=
        say "wrote: $1"
    fi
}

begin='# BEGIN anycastle'
end='# END anycastle'

# hosts_text: /etc/hosts with our lines between the two markers, every other line as it was.
hosts_text() {
    current=$root/etc/hosts
    [ -e "$current" ] || current=/dev/null
    awk -v begin="$begin" -v end="$end" '
        $0 == begin || $0 == end {
            if (inside != ($0 == end)) { fault = 1; exit }
            inside = !inside
            next
        }
        !inside
        END { exit (fault || inside) }
    ' "$current" && say "$begin" && cat -- "$here/hosts" && say "$end"
}

finished() {
    [ ! -e "$unfinished" ] && [ -e "$kubernetes/kubelet.conf" ] && [ -e "$kubernetes/admin.conf" ]
}

# run_kubeadm COMMAND...: its traces look finished long before it is, so a note stands on disk while it runs.
run_kubeadm() {
    if [ "$dry_run" = no ]; then
        mkdir -p -- "${unfinished%/*}"
        : >"$unfinished"
    fi
    run kubeadm "$@" || die 1 "kubeadm $1 failed. Read its last lines, repair the cause, and run install.sh again."
    [ "$dry_run" = yes ] || rm -f -- "$unfinished"
}

case $#:${1:-} in
0:) ;;
1:--dry-run) dry_run=yes ;;
*) die 2 "unknown argument. Usage: install.sh [--dry-run]" ;;
esac

# --- Is this the right machine, and is everything there? Nothing is changed before that is known.

if [ "$dry_run" = no ] && [ -z "$root" ] && [ "$(id -u)" -ne 0 ]; then
    die 2 "needs root. Run it with sudo, or with --dry-run."
fi

missing=
for program in kubeadm ip; do
    command -v "$program" >/dev/null || missing="$missing $program"
done
[ -z "$missing" ] || die 1 "not installed:$missing"

if [ -z "$(ip -o address show to "$address")" ]; then
    [ "$dry_run" = yes ] || die 1 "this machine does not hold $address, so it is not $node."
    say "note: this machine does not hold $address"
fi

if [ -e "$unfinished" ]; then
    for trace in kubelet.conf admin.conf manifests/kube-apiserver.yaml; do
        [ ! -e "$kubernetes/$trace" ] || die 1 "kubeadm was interrupted here, and its traces cannot be trusted.
If \`kubectl get nodes\` shows $node as a member all the same: rm $unfinished
Otherwise, on this machine: kubeadm reset --force
Then run install.sh again."
    done
fi

hosts=$(hosts_text) ||
    die 1 "in /etc/hosts, \"$begin\" and \"$end\" do not pair. Put them right; lines between them are replaced."

# --- Names and kernel settings

put /etc/hosts 0644 <<EOF
$hosts
EOF

put /etc/sysctl.d/90-anycastle.conf 0644 <<'EOF'
# Kubernetes needs forwarding; with it, the next line is the only word on redirects.
net.ipv4.ip_forward = 1
# A redirect from the router would pin this node to a single next hop, and keep it there after that one is dead.
net.ipv4.conf.all.accept_redirects = 0
net.ipv4.conf.default.accept_redirects = 0
# The API address is on lo of every control plane: never answer to ARP for it, never ask in its name.
net.ipv4.conf.all.arp_ignore = 1
net.ipv4.conf.all.arp_announce = 2
EOF
if command -v sysctl >/dev/null; then
    run sysctl --quiet --system || say "warning: sysctl has refused some settings; see its lines above"
fi

# --- The cluster

if finished; then
    say "kubeadm init was finished before"
else
    # During init kubeadm dials the API by its address: kube-vip must be there as soon as kubelet starts.
    put /etc/kubernetes/manifests/kube-vip.yaml 0600 <"$here/kube-vip.init.yaml"
    run_kubeadm init --config "$here/kubeadm.yaml" --upload-certs
fi

# --- The API address
put /etc/kubernetes/manifests/kube-vip.yaml 0600 <"$here/kube-vip.yaml"

if [ "$dry_run" = yes ]; then
    say "$node: nothing was done"
else
    say "$node: done"
fi
