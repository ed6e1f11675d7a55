import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { loadConfig } from '../../platform/config/config.ts'
import { settings } from '../../platform/config/settings/settings.ts'
import { checkKubernetes, checkSchema } from '../../testing/schemas/check-schema.ts'
import { commandsOf } from '../release/document-commands.ts'
import { imageUser, probeCommand, probePorts } from './describe-image.ts'
import { images, type ImageRole } from './image-packages.ts'

const at = (path: string) => new URL(`../../${path}`, import.meta.url)
const known = new Set<string>(Object.values(settings).map(({ name }) => name))
const roles = Object.keys(images) as ImageRole[]

/** What opens secrets of persons, or stands for the installation, is not where browsers run. */
const keptFromCaptures = ['PROBANT_SECRET', 'PROBANT_MASTER_KEY', 'SMTP_URL']

const environment = z.record(z.string(), z.string())
const service = z.looseObject({
  environment: environment.optional(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
})
const composed = z.looseObject({ services: z.record(z.string(), service) })
const composeText = readFileSync(at('deploy/compose/compose.yaml'), 'utf8')
const compose: unknown = parse(composeText, { merge: true })

test('compose.yaml is of the specification of Compose, and the schema sees what is not', () => {
  expect(checkSchema('compose-spec.json', compose)).toEqual([])
  const { services } = composed.parse(compose)
  expect(
    checkSchema('compose-spec.json', { services: { ...services, web: { ...services['web'], read_onli: true } } }),
  ).not.toEqual([])
})

test('every setting that compose.yaml gives exists, every role is there and is asked for its readiness', () => {
  const { services } = composed.parse(compose)
  for (const role of roles) {
    const { environment: given = {}, healthcheck, ...rest } = services[role] ?? {}
    expect(Object.keys(given).filter((name) => !known.has(name))).toEqual([])
    expect(healthcheck?.test.slice(1)).toEqual(probeCommand(role))
    expect(rest).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
  }
  // Keys of the installation lie in `data`.
  expect(services['capture']?.['volumes']).not.toContain('data:/var/lib/probant')
  expect(services['capture']?.environment).toMatchObject({ S3_SECRET_ACCESS_KEY: expect.any(String) as string })
  for (const kept of keptFromCaptures) expect(Object.keys(services['capture']?.environment ?? {})).not.toContain(kept)
})

test('the page on containers tells each variable that compose.yaml asks for', () => {
  const page = readFileSync(at('docs/operating/containers.md'), 'utf8')
  const wanted = new Set([...composeText.matchAll(/\$\{([A-Z0-9_]+):\?\}/g)].map(([, name = '']) => name))
  expect(wanted.size).toBeGreaterThan(5)
  expect([...wanted].filter((name) => !page.includes(name))).toEqual([])
})

const rendered = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  data: environment.optional(),
  spec: z.looseObject({}).optional(),
})
type Rendered = z.infer<typeof rendered>

/** As Kubernetes' own client renders it. */
function render(overlay: string): readonly Rendered[] {
  const done = spawnSync('kubectl', ['kustomize', at(`deploy/kubernetes/${overlay}`).pathname], { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(done.stderr)
  return parseAllDocuments(done.stdout).map((document) => rendered.parse(document.toJS()))
}
const example = render('overlays/example')
const found = (kind: string, name: string) => example.find((each) => each.kind === kind && each.metadata.name === name)
const container = z.looseObject({
  image: z.string(),
  env: z.array(z.looseObject({ name: z.string() })).optional(),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).optional(),
})
const podOf = (each: Rendered | undefined) =>
  z.object({ template: z.object({ spec: z.looseObject({ containers: z.tuple([container]) }) }) }).parse(each?.spec).template.spec

test('what kubectl renders is of Kubernetes’ description of its API, which sees what is not', () => {
  const worker = found('Deployment', 'probant-worker')
  const { selector, ...without } = worker?.spec ?? {}
  const broken = (name: string, spec: object) => ({ ...worker, metadata: { name }, spec })
  const faults = checkKubernetes([
    ...render('overlays/keda'),
    broken('word', { ...without, selector, replicas: 'three' }),
    broken('misspelt', { ...without, selector, replica: 3 }),
    broken('short', without),
  ])
  expect(faults).toEqual([
    // User namespaces came with 1.25; the kind of KEDA is its own.
    'Deployment probant-capture/spec/template/spec/hostUsers: V1PodSpec has no such field',
    'Deployment probant-web/spec/template/spec/hostUsers: V1PodSpec has no such field',
    'ScaledObject probant-capture: no kind of keda.sh/v1alpha1',
    'Deployment word/spec/replicas: str where int belongs',
    'Deployment misspelt/spec/replica: V1DeploymentSpec has no such field',
    expect.stringMatching(/^Deployment short\/spec: .*`selector`, must not be `None`/) as string,
  ])
})

test.each(roles)('%s: a deployment by digest, without root, with its probes and a budget of disruptions', (role) => {
  const pod = podOf(found('Deployment', `probant-${role}`))
  const [only] = pod.containers
  expect(only.image).toMatch(/@sha256:[0-9a-f]{64}$/)
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: imageUser },
  })
  const isReady = { httpGet: { path: '/readyz', port: 'metrics' } }
  expect(only).toMatchObject({
    startupProbe: isReady,
    readinessProbe: isReady,
    livenessProbe: { httpGet: { path: '/livez', port: 'metrics' } },
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
  })
  expect(only.ports?.find(({ name }) => name === 'metrics')?.containerPort).toBe(probePorts[role])
  const budget = found('PodDisruptionBudget', `probant-${role}`)
  expect(budget?.spec?.['selector']).toMatchObject({ matchLabels: { 'app.kubernetes.io/component': role } })
})

test('every setting that the deployments give exists, and the stated digest is that of the image', () => {
  const given = example.flatMap((each) => [
    ...(each.kind === 'ConfigMap' ? Object.keys(each.data ?? {}) : []),
    ...(each.kind === 'Deployment' ? (podOf(each).containers[0].env ?? []).map(({ name }) => name) : []),
  ])
  expect(given.length).toBeGreaterThan(10)
  expect(given.filter((name) => !known.has(name))).toEqual([])
  const [capture] = podOf(found('Deployment', 'probant-capture')).containers
  expect(capture.image.split('@')[1]).toBe(capture.env?.find(({ name }) => name === 'PROBANT_IMAGE_DIGEST')?.['value'])
  expect(podOf(found('Job', 'probant-migrations')).containers[0]).toMatchObject({
    command: ['/opt/probant/bin/probant', 'migrate'],
  })
})

test('capture pods are one capture server by its name and key, and know no secret of the installation', () => {
  const [capture] = z
    .tuple([
      z.object({
        envFrom: z.array(z.looseObject({})),
        env: z.array(z.looseObject({ name: z.string() })),
        volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
      }),
    ])
    .parse(podOf(found('Deployment', 'probant-capture')).containers)
  const given = new Map(capture.env.map((each) => [each.name, each]))
  expect(given.get('PROBANT_SERVER_ID')?.['value']).toBe('kubernetes')
  expect(given.get('PROBANT_SERVER_KEY')).toMatchObject({
    valueFrom: { secretKeyRef: { name: 'probant-secrets', key: 'PROBANT_SERVER_KEY' } },
  })
  // The whole secret is in web pods and workers alone.
  expect(capture.envFrom).toEqual([{ configMapRef: { name: 'probant-settings' } }])
  for (const kept of keptFromCaptures) expect([...given.keys()]).not.toContain(kept)
  const page = readFileSync(at('docs/operating/kubernetes.md'), 'utf8')
  const made = [...given.values()].flatMap(
    (each) => (each['valueFrom'] as { secretKeyRef?: { key: string } } | undefined)?.secretKeyRef?.key ?? [],
  )
  expect(made).toHaveLength(4)
  for (const key of made) expect(page).toContain(`--from-literal=${key}=`)
})

test('the commands of kubernetes.md make the secret that the pods read, of values that the program takes', () => {
  const [making = ''] = commandsOf(at('docs/operating/kubernetes.md').pathname)
  const [namespace = '', secret = '', apply = ''] = making.replaceAll('\\\n', '').trim().split('\n')
  const dry = (command: string) => {
    const done = spawnSync('bash', ['-euc', `${command} --dry-run=client --output=json`], { encoding: 'utf8' })
    if (done.status !== 0) throw new Error(done.stderr)
    return JSON.parse(done.stdout) as { metadata: { name: string; namespace?: string }; data?: Record<string, string> }
  }
  const { metadata } = dry(namespace)
  const { metadata: named, data = {} } = dry(secret)
  expect([named.namespace, named.name]).toEqual([metadata.name, 'probant-secrets'])
  const values = Object.entries(data).map(([name, value]) => [name, Buffer.from(value, 'base64').toString()] as const)
  // What is cut short in the page is the operator's own.
  const made = Object.fromEntries(values.filter(([, value]) => !value.includes('…')))
  expect(Object.keys(made)).toEqual(['PROBANT_MASTER_KEY', 'PROBANT_SECRET', 'PROBANT_SERVER_KEY'])
  expect(loadConfig(made).server.key).toHaveLength(48)
  expect(values.filter(([name]) => !known.has(name))).toEqual([])
  expect(apply).toBe('kubectl apply --kustomize overlays/yours')
})

test('nothing comes in that is not named, and captures reach no private address', () => {
  expect(found('NetworkPolicy', 'probant-nothing-in')?.spec).toMatchObject({ policyTypes: ['Ingress'] })
  expect(found('NetworkPolicy', 'probant-nothing-in')?.spec?.['ingress']).toBeUndefined()
  const egress = z
    .array(
      z.object({
        to: z.array(z.looseObject({ ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()) }).optional() })),
      }),
    )
    .parse(found('NetworkPolicy', 'probant-capture-out')?.spec?.['egress'])
  const blocks = egress.flatMap(({ to }) => to.flatMap(({ ipBlock }) => ipBlock ?? []))
  expect(blocks.map(({ cidr }) => cidr)).toEqual(['0.0.0.0/0', '2000::/3'])
  for (const range of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10', '127.0.0.0/8'])
    expect(blocks[0]?.except).toContain(range)
})

test('captures grow with what waits: by a metric that the program tells', () => {
  const scaled = render('overlays/keda').find(({ kind }) => kind === 'ScaledObject')
  const { triggers, scaleTargetRef } = z
    .looseObject({
      scaleTargetRef: z.object({ name: z.string() }),
      triggers: z.tuple([z.looseObject({ metadata: z.looseObject({ query: z.string() }) })]),
    })
    .parse(scaled?.spec)
  expect(found('Deployment', scaleTargetRef.name)).toBeDefined()
  expect(triggers[0].metadata.query).toContain('(probant_captures)')
  expect(readFileSync(at('apps/server/watch/facts.ts'), 'utf8')).toContain("gauge('captures',")
})
