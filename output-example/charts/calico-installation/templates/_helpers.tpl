{{/* Annotations that order an object (the argument is its wave) and keep it when its owner goes. What stays
behind is no difference: the Application would never be Synced again, and hold up what comes after it. */}}
{{- define "calico-installation.annotations" -}}
argocd.argoproj.io/compare-options: IgnoreExtraneous
argocd.argoproj.io/sync-options: Prune=false,Delete=false
argocd.argoproj.io/sync-wave: {{ . | quote }}
helm.sh/resource-policy: keep
kustomize.toolkit.fluxcd.io/prune: disabled
{{- end -}}

{{/* A map without its nulls, as JSON: null in a later values file takes an entry of an earlier one away. */}}
{{- define "calico-installation.present" -}}
{{- $present := dict -}}
{{- range $key, $value := . -}}
  {{- if not (kindIs "invalid" $value) -}}
    {{- $_ := set $present $key $value -}}
  {{- end -}}
{{- end -}}
{{- toJson $present -}}
{{- end -}}
