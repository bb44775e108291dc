{{/* Annotations that keep an object when its owner goes: addresses in use would go with it. What stays behind is no
difference: the Application would never be Synced again, and hold up what comes after it. */}}
{{- define "calico-loadbalancer.annotations" -}}
argocd.argoproj.io/compare-options: IgnoreExtraneous
argocd.argoproj.io/sync-options: Prune=false,Delete=false
helm.sh/resource-policy: keep
{{- end -}}

{{/* A map without its nulls, as JSON: null in a later values file takes an entry of an earlier one away. */}}
{{- define "calico-loadbalancer.present" -}}
{{- $present := dict -}}
{{- range $key, $value := . -}}
  {{- if not (kindIs "invalid" $value) -}}
    {{- $_ := set $present $key $value -}}
  {{- end -}}
{{- end -}}
{{- toJson $present -}}
{{- end -}}
