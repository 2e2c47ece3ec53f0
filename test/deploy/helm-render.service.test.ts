import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

/**
 * The chart as Helm would render it. There is no helm in Debian and in no registry of packages for
 * Node, but its engine is: Go's templates with Sprig (golang-go,
 * golang-github-masterminds-sprig-dev and golang-k8s-sigs-yaml-dev). Where these are missing,
 * `helm-chart.test.ts` alone looks at it.
 */
const CHART = resolve(import.meta.dirname, '../../deploy/helm/assay')
const LIBRARIES = '/usr/share/gocode'
const isThere = ['/usr/bin/go', `${LIBRARIES}/src/github.com/Masterminds/sprig`, `${LIBRARIES}/src/sigs.k8s.io/yaml`]
const canRender = isThere.every((path) => existsSync(path))
if (!canRender) process.stderr.write('no Go with Sprig: the chart is not rendered\n')

const DATABASE = { secrets: { DATABASE_URL: 'postgres://assay:secret@db/assay' } }
/** Everything that is off by default, and texts that YAML would read as something else. */
const EVERYTHING = {
  image: { repository: 'registry.example/assay', tag: '2.0' },
  imagePullSecrets: [{ name: 'pull' }],
  settings: { ASSAY_PUBLIC_URL: 'https://a.example', ASSAY_CHAINS: 'a: "b"\n{{ c }}', ASSAY_GUEST_CHECKS: '010' },
  ingress: {
    ...{ enabled: true, className: 'nginx', host: 'a.example', tlsSecret: 'tls' },
    annotations: { 'example/a': 'true' },
  },
  autoscaling: { enabled: false },
  podDisruptionBudget: { enabled: false },
  existingSecret: 'own',
  podAnnotations: { 'example/b': 'c' },
  nodeSelector: { disk: 'fast' },
  tolerations: [{ key: 'only', operator: 'Exists' }],
  affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
}

describe.skipIf(!canRender)('the chart, rendered', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-chart-'))
  const program = join(folder, 'render-chart')
  const env = { PATH: '/usr/bin:/bin', HOME: folder, GO111MODULE: 'off', GOPATH: LIBRARIES, GOFLAGS: '-p=1' }

  beforeAll(() => {
    const built = spawnSync('/usr/bin/go', ['build', '-o', program, '.'], {
      cwd: resolve(import.meta.dirname, 'render-chart'),
      env,
      encoding: 'utf8',
    })
    expect(built.stderr).toBe('')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const run = (own: object) => spawnSync(program, [CHART, JSON.stringify(own)], { encoding: 'utf8' })

  /** What would be applied, by its kind. */
  function render(own: object) {
    const { stdout, stderr } = run(own)
    expect(stderr).toBe('')
    const documents = parseAllDocuments(stdout)
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
    const parts = documents.map((each) => each.toJS()).filter((each) => each !== null)
    return new Map(parts.map((each) => [each.kind as string, each]))
  }

  test('with a database alone: all parts, of one name, that find each other', () => {
    const parts = render(DATABASE)
    expect([...parts.keys()].toSorted()).toEqual([
      ...['ConfigMap', 'Deployment', 'HorizontalPodAutoscaler', 'PodDisruptionBudget', 'Secret', 'Service'],
    ])
    for (const part of parts.values()) expect(part.metadata.name).toBe('release-assay')
    const { spec } = parts.get('Deployment')
    const [container] = spec.template.spec.containers
    for (const { matchLabels } of [spec.selector, parts.get('PodDisruptionBudget').spec.selector])
      expect(spec.template.metadata.labels).toMatchObject(matchLabels)
    expect(spec.template.metadata.labels).toMatchObject(parts.get('Service').spec.selector)
    expect(container.ports.map(({ name }: { name: string }) => name)).toContain(
      parts.get('Service').spec.ports[0].targetPort,
    )
    expect(parts.get('HorizontalPodAutoscaler').spec.scaleTargetRef).toMatchObject({
      ...{ kind: 'Deployment', name: 'release-assay' },
    })
    expect(spec.replicas).toBeUndefined()
    const mounted = container.volumeMounts.map(({ name }: { name: string }) => name)
    expect(spec.template.spec.volumes.map(({ name }: { name: string }) => name)).toEqual(mounted)
  })

  test('every value reaches the pods as the text that it is', () => {
    const values = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8'))
    const parts = render(DATABASE)
    expect(parts.get('ConfigMap').data).toEqual(values.settings)
    expect(parts.get('Secret').stringData).toEqual({ ...values.secrets, ...DATABASE.secrets })
    const { data } = render(EVERYTHING).get('ConfigMap')
    expect(data).toEqual({ ...values.settings, ...EVERYTHING.settings })
  })

  test('with everything turned over: what was off is there, what was on is gone', () => {
    const parts = render(EVERYTHING)
    expect([...parts.keys()].toSorted()).toEqual(['ConfigMap', 'Deployment', 'Ingress', 'Service'])
    const { replicas, template } = parts.get('Deployment').spec
    const { nodeSelector, tolerations, affinity, imagePullSecrets } = EVERYTHING
    expect(template.spec).toMatchObject({ nodeSelector, tolerations, affinity, imagePullSecrets })
    expect(template.metadata.annotations).toMatchObject(EVERYTHING.podAnnotations)
    expect(template.spec.containers[0]).toMatchObject({
      image: 'registry.example/assay:2.0',
      envFrom: [{ configMapRef: { name: 'release-assay' } }, { secretRef: { name: 'own' } }],
    })
    expect(replicas).toBe(2)
    expect(parts.get('Ingress')).toMatchObject({
      metadata: { annotations: { 'example/a': 'true' } },
      spec: { ingressClassName: 'nginx', tls: [{ hosts: ['a.example'], secretName: 'tls' }] },
    })
  })

  test('another setting starts other pods', () => {
    const stampOf = (own: object) => render(own).get('Deployment').spec.template.metadata.annotations
    const before = stampOf(DATABASE)
    expect(stampOf(DATABASE)).toEqual(before)
    expect(stampOf({ ...DATABASE, settings: { ASSAY_FEED: '1' } })['checksum/settings']).not.toBe(
      before['checksum/settings'],
    )
  })

  test('without a database it is refused, with the reason', () => {
    const { status, stderr } = run({})
    expect(status).toBe(1)
    expect(stderr).toContain('secrets.DATABASE_URL or existingSecret is needed')
  })
})
