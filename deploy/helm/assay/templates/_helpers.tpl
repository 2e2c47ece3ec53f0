{{- define "assay.name" -}}
{{- printf "%s-assay" .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "assay.selector" -}}
app.kubernetes.io/name: assay
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "assay.labels" -}}
{{ include "assay.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "assay.secretName" -}}
{{- .Values.existingSecret | default (include "assay.name" .) -}}
{{- end -}}
