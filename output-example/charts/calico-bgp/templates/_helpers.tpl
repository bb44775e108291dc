{{/* Annotations that order an object (the argument is its wave) and keep it when its owner goes. What stays
behind is no difference: the Application would never be Synced again, and hold up what comes after it. */}}
{{- define "calico-bgp.annotations" -}}
argocd.argoproj.io/compare-options: IgnoreExtraneous
argocd.argoproj.io/sync-options: Prune=false,Delete=false
argocd.argoproj.io/sync-wave: {{ . | quote }}
helm.sh/resource-policy: keep
{{- end -}}

{{/* Names of the Secrets that hold session passwords, as a JSON list: sorted, each once. */}}
{{- define "calico-bgp.passwordSecrets" -}}
{{- $names := list -}}
{{- range include "calico-bgp.present" .Values.peers | fromJson -}}
  {{- with .passwordSecret -}}
    {{- $names = append $names .name -}}
  {{- end -}}
{{- end -}}
{{- $names | uniq | sortAlpha | toJson -}}
{{- end -}}

{{/* What is wrong with an AS number ({key, value}); nothing where it is fine. */}}
{{- define "calico-bgp.asNumberProblem" -}}
{{- $number := int64 .value -}}
{{- if eq $number 0 23456 65535 4294967295 -}}
{{ .key }} is {{ $number }}: 0, 23456, 65535 and 4294967295 are reserved, and no router accepts a session from them. Write the AS number that the session really has, for example a private one from 64512 to 65534.
{{- else if gt $number 2147483647 -}}
{{ .key }} is {{ $number }}: Calico declares the field as a signed 32-bit integer and its API server refuses more than 2147483647, so there would be no session. Use a smaller AS number, for example a private one from 64512 to 65534.
{{- end -}}
{{- end -}}

{{/* A map without its nulls, as JSON: null in a later values file takes an entry of an earlier one away. */}}
{{- define "calico-bgp.present" -}}
{{- $present := dict -}}
{{- range $key, $value := . -}}
  {{- if not (kindIs "invalid" $value) -}}
    {{- $_ := set $present $key $value -}}
  {{- end -}}
{{- end -}}
{{- toJson $present -}}
{{- end -}}
