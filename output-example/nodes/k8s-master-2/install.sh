#!/bin/sh
# Makes this machine k8s-master-2, a control plane of the cluster home.
#
#   sh install.sh --dry-run   says what it would do, and does nothing
#   sudo sh install.sh        does it; may be repeated, also after an interruption
#
# What is secret or changes comes from the environment; on k8s-master-1, as root:
#   kubeadm token create --print-join-command       prints KUBEADM_TOKEN and KUBEADM_CA_CERT_HASH (24 hours)
#   kubeadm init phase upload-certs --upload-certs  prints KUBEADM_CERTIFICATE_KEY (2 hours)
# sudo drops the environment unless told otherwise:
#   sudo --preserve-env=KUBEADM_TOKEN,KUBEADM_CA_CERT_HASH,KUBEADM_CERTIFICATE_KEY sh install.sh
# With ANYCASTLE_ROOT set, every file lies below that directory: for a rehearsal.
#
# Exit status: 0 done, 1 the machine is not as it must be, 2 called in a wrong way. Needs kubeadm, kubelet and
# containerd, and the files beside it.
set -eu
umask 077

node=k8s-master-2
address=192.168.10.18
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
for program in kubeadm ip curl; do
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

# wrong NAME PATTERN: says what is the matter with a variable.
wrong() {
    value=$(printenv "$1" || :)
    if [ -z "$value" ]; then
        say "$1 is not set"
    elif printf '%s\n' "$value" | grep -Evqx -- "$2"; then
        say "$1 does not look like one ($2)"
    fi
}

# take_off VIP/LENGTH: from lo, if it is there.
take_off() {
    [ -z "$(ip -o address show dev lo to "$1")" ] || run ip address del "$1" dev lo
}

if ! finished; then
    faults=$(
        wrong KUBEADM_TOKEN '[a-z0-9]{6}[.][a-z0-9]{16}'
        wrong KUBEADM_CA_CERT_HASH 'sha256:[0-9a-f]{64}'
        wrong KUBEADM_CERTIFICATE_KEY '[0-9a-f]{64}'
    )
    if [ -n "$faults" ] && [ "$dry_run" = yes ]; then
        while IFS= read -r fault; do
            say "note: to join, $fault"
        done <<EOF
$faults
EOF
    elif [ -n "$faults" ]; then
        die 2 "the environment lacks something; see the first lines of install.sh.
$faults"
    fi
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

# --- Joining

if finished; then
    say "kubeadm join was finished before"
else
    # kube-vip would put the API address on lo before an API server listens here, and kubeadm would talk to nobody.
    if [ -e "$kubernetes/manifests/kube-vip.yaml" ]; then
        run rm -f -- "$kubernetes/manifests/kube-vip.yaml"
    fi
    # kube-vip never takes the address off again, so that of an earlier life may still be there.
    take_off 192.168.20.1/32
    if [ "$dry_run" = yes ]; then
        run kubeadm join --config "a copy of $here/kubeadm.yaml with the values from the environment"
    else
        # /run is memory: the token never reaches a disk.
        mkdir -p -- "$root/run"
        config=$(mktemp "$root/run/anycastle.XXXXXX")
        awk '{
            gsub(/@KUBEADM_TOKEN@/, ENVIRON["KUBEADM_TOKEN"])
            gsub(/@KUBEADM_CA_CERT_HASH@/, ENVIRON["KUBEADM_CA_CERT_HASH"])
            gsub(/@KUBEADM_CERTIFICATE_KEY@/, ENVIRON["KUBEADM_CERTIFICATE_KEY"])
            print
        }' "$here/kubeadm.yaml" >"$config"
        run_kubeadm join --config "$config"
        rm -f -- "$config"
        config=
    fi
fi

# --- The API address

# From here on this node answers for it, so its own API server must be ready.
ready() {
    curl --silent --fail --max-time 3 --noproxy '*' --output /dev/null \
        --cacert "$kubernetes/pki/ca.crt" https://192.168.10.18:6443/readyz
}

if [ "$dry_run" = yes ]; then
    say "would wait for "https://192.168.10.18:6443/readyz
else
    attempts=90
    until ready; do
        attempts=$((attempts - 1))
        [ "$attempts" -gt 0 ] ||
            die 1 "the API server of $node does not get ready. Look at \`crictl ps -a\`, then run install.sh again."
        sleep 2
    done
fi
put /etc/kubernetes/manifests/kube-vip.yaml 0600 <"$here/kube-vip.yaml"

if [ "$dry_run" = yes ]; then
    say "$node: nothing was done"
else
    say "$node: done"
fi
