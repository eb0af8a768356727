import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { deployedConfig } from '../../support/deployed-config.ts'
import { manifestSchemas } from '../../support/kubernetes-manifests.ts'

const FOLDER = 'deploy/kubernetes-pair'
const folder = fileURLToPath(new URL(`../../../${FOLDER}`, import.meta.url))
const text = (file: string): string => readFileSync(join(folder, file), 'utf8')
const read = (file: string): unknown => parse(text(file))

const daemons = manifestSchemas('mizani-pair')
const guards = manifestSchemas('mizani-guard')
const whole = daemons.kustomization.parse(read('kustomization.yaml'))
const set = daemons.stateful.parse(read('stateful-set.yaml'))
const guardSet = guards.stateful.parse(read('guard-stateful-set.yaml'))
const [daemon] = set.spec.template.spec.containers
const [guard] = guardSet.spec.template.spec.containers
/** The Secrets are made by commands, which have their names and keys. */
const secrets = new Map(
  [...text('kustomization.yaml').matchAll(/create secret generic (\S+) (.*)$/gm)].map(
    ([, name = '', keys = '']) => [name, [...keys.matchAll(/--from-file=(\S+)/g)].map(([, key = '']) => key)],
  ),
)

type Pod = (typeof set)['spec']['template']['spec']

/** The files that the Secrets of a pod are in its container. */
function secretFiles({ volumes, containers }: Pick<Pod, 'volumes' | 'containers'>): readonly string[] {
  const mountOf = (name: string) => containers[0].volumeMounts.find((mount) => mount.name === name)?.mountPath
  return volumes.flatMap((volume) =>
    'secret' in volume
      ? (secrets.get(volume.secret.secretName) ?? []).map((key) => `${mountOf(volume.name)}/${key}`)
      : [],
  )
}

describe('the manifests of two daemons and their guard', () => {
  test('are all in the kustomization, each of the kind that it is checked as', () => {
    const others = ['kustomization.yaml', 'live.yaml']
    expect(new Set(whole.resources)).toEqual(
      new Set(readdirSync(folder).filter((file) => !others.includes(file))),
    )
    expect(whole.configMapGenerator).toMatchObject([{ name: 'mizani-pair-config', files: ['live.yaml'] }])
    daemons.namespace.parse(read('namespace.yaml'))
    const account = daemons.account.parse(read('service-account.yaml')).metadata.name
    for (const { spec } of [set, guardSet]) expect(spec.template.spec.serviceAccountName).toBe(account)
    const [endpoint] = daemons.monitor.parse(read('service-monitor.yaml')).spec.endpoints
    const [port] = daemons.service.parse(read('service.yaml')).spec.ports
    expect([endpoint.port, port.targetPort]).toEqual([port.name, daemon.ports[0]?.name])
    expect(secrets.get(endpoint.authorization.credentials.name)).toContain('http_read_token')
  })

  test('run one configuration, whose every secret is a file of the pod that reads it', async () => {
    for (const [{ args, volumeMounts }, command] of [
      [daemon, 'run'],
      [guard, 'guard'],
    ] as const) {
      expect(args).toEqual([command, '--config', '/config/live.yaml'])
      expect(volumeMounts).toContainEqual({ name: 'config', mountPath: '/config', readOnly: true })
    }
    const { loaded, secretFiles: named, variables } = await deployedConfig(`${FOLDER}/live.yaml`)
    expect(variables).toEqual([])
    const tls = /tls: \{ cert: (\S+), key: (\S+) \}\n {2}ca: (\S+)/.exec(text('live.yaml'))
    const [, cert = '', key = '', ca = ''] = tls ?? []
    expect(secretFiles(set.spec.template.spec)).toEqual(expect.arrayContaining([...named, ca]))
    expect(secretFiles(guardSet.spec.template.spec)).toEqual(
      expect.arrayContaining([...named, cert, key, ca]),
    )
    const authority = /sslmode=verify-full&sslrootcert=(\S+)/.exec(text('kustomization.yaml'))?.[1] ?? ''
    for (const { spec } of [set, guardSet]) expect(secretFiles(spec.template.spec)).toContain(authority)
    // Who can be the guard for the daemons is the guard alone.
    expect(secretFiles(set.spec.template.spec)).not.toContain(key)
    expect(loaded.store.place).toMatchObject({ position: loaded.core.name, folder: loaded.store.path })
    expect(loaded.store.path.startsWith('/app/data/')).toBe(true)
    expect(daemon.ports).toEqual([{ name: 'http', containerPort: loaded.http.port }])
  })

  test('let one daemon trade and the other one stand by: on two nodes, drained and rolled out one after the other', () => {
    expect([set.spec.replicas, guardSet.spec.replicas]).toEqual([2, 1])
    expect(set.spec.template.spec.topologySpreadConstraints?.[0]).toMatchObject({
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'DoNotSchedule',
    })
    expect(daemons.budget.parse(read('pod-disruption-budget.yaml')).spec.maxUnavailable).toBe(1)
    // A roll-out waits for each pod. One that stands by is alive and never ready, so it would wait indefinitely for /readyz.
    expect(daemon.readinessProbe.httpGet.path).toBe('/healthz')
    expect(daemon.livenessProbe.httpGet.path).toBe('/healthz')
    expect(set.spec.minReadySeconds).toBeGreaterThanOrEqual(10)
    expect(set.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(20)
  })

  test('let the daemons find their guard by the name in its certificate, over TLS', () => {
    const [, host, port] = /url: https:\/\/([\w-]+):(\d+)/.exec(text('live.yaml')) ?? []
    const service = guards.service.parse(read('guard-service.yaml'))
    expect([service.metadata.name, service.spec.ports[0].port]).toEqual([host, Number(port)])
    expect(guard.ports).toEqual([{ name: service.spec.ports[0].targetPort, containerPort: Number(port) }])
    expect(text('kustomization.yaml')).toContain(`subjectAltName=DNS:${host}`)
    for (const probe of [guard.startupProbe, guard.livenessProbe, guard.readinessProbe])
      expect(probe.httpGet).toEqual({ path: '/healthz', port: 'guard', scheme: 'HTTPS' })
  })

  test('let the daemons out to PostgreSQL and the guard besides, and only them in to the guard', () => {
    const { egress } = daemons.policy.parse(read('network-policy.yaml')).spec
    expect(egress.map((rule) => rule.ports.map(({ port }) => port))).toEqual([
      [53, 53],
      [5432],
      [9465],
      [443],
    ])
    const guardPolicy = guards.policy.parse(read('guard-network-policy.yaml')).spec
    expect(guardPolicy.ingress).toEqual([
      {
        from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'mizani-pair' } } }],
        ports: [{ protocol: 'TCP', port: 'guard' }],
      },
    ])
    // The guard reads the lease rows.
    expect(guardPolicy.egress.map((rule) => rule.ports.map(({ port }) => port))).toEqual([
      [53, 53],
      [5432],
      [443],
    ])
  })
})
