import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { deployedConfig } from '../../support/deployed-config.ts'
import { manifestSchemas } from '../../support/kubernetes-manifests.ts'

const FOLDER = 'deploy/kubernetes'
const folder = fileURLToPath(new URL(`../../../${FOLDER}`, import.meta.url))
const read = (file: string): unknown => parse(readFileSync(join(folder, file), 'utf8'))

const { stateful, service, policy, budget, monitor, account, namespace, kustomization } =
  manifestSchemas('mizani')

const whole = kustomization.parse(read('kustomization.yaml'))
const set = stateful.parse(read('stateful-set.yaml'))
const pod = set.spec.template.spec
const [container] = pod.containers
const { name: configMap = '', files: configFiles = [] } = whole.configMapGenerator[0] ?? {}
const headers = readFileSync(join(folder, 'kustomization.yaml'), 'utf8')
/** The Secret is made by a command, which says its keys. */
const [, secretName, fromFiles = ''] = /create secret generic (\S+) (.*)$/m.exec(headers) ?? []
const secretKeys = [...fromFiles.matchAll(/--from-file=(\S+)/g)].map(([, key]) => key)

describe('the manifests', () => {
  test('are all in the kustomization, each of the kind that it is checked as', () => {
    const others = new Set(['kustomization.yaml', ...configFiles])
    expect(new Set(whole.resources)).toEqual(new Set(readdirSync(folder).filter((file) => !others.has(file))))
    namespace.parse(read('namespace.yaml'))
    expect(budget.parse(read('pod-disruption-budget.yaml')).spec.maxUnavailable).toBe(0)
    expect(pod.serviceAccountName).toBe(account.parse(read('service-account.yaml')).metadata.name)
    expect(whole.images[0].name).toBe(container.image)
  })

  test('are a base for the kustomization of docs/containers.md, which replaces their ConfigMap and image', () => {
    const page = readFileSync(join(folder, '../../docs/containers.md'), 'utf8')
    const overlay = parse(/^```yaml\n(# desk-2[^]*?)^```$/m.exec(page)?.[1] ?? '') as Record<string, unknown>
    const [{ newName }] = whole.images
    expect(overlay).toMatchObject({
      resources: ['../deploy/kubernetes'],
      configMapGenerator: [{ name: configMap, behavior: 'replace', files: configFiles }],
      images: [{ name: newName }],
    })
  })

  test('mount what exists: the ConfigMap, the Secret and the claim, whole and read-only but for the data', () => {
    const [claim] = set.spec.volumeClaimTemplates
    const names = [claim.metadata.name, ...pod.volumes.map(({ name }) => name)]
    expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(names.sort())
    expect(
      container.volumeMounts.filter(({ readOnly }) => readOnly !== true).map(({ name }) => name),
    ).toEqual(['data'])
    const references = pod.volumes.map((volume) =>
      'secret' in volume ? volume.secret.secretName : volume.configMap.name,
    )
    expect(references).toEqual([configMap, secretName])
  })

  test('start one replica and never two', () => expect(set.spec.replicas).toBe(1))

  test('run the configuration of the ConfigMap, with the secrets and the port that it names', async () => {
    const mountOf = (name: string) =>
      container.volumeMounts.find((mount) => mount.name === name)?.mountPath ?? ''
    expect(container.args).toEqual(['run', '--config', `${mountOf('config')}/${configFiles[0]}`])
    const { loaded, secretFiles, variables } = await deployedConfig(`${FOLDER}/${configFiles[0]}`)
    expect(secretFiles).toEqual(secretKeys.map((key) => `${mountOf('secrets')}/${key}`))
    expect(variables).toEqual([])
    expect(loaded.http.host).toBe('0.0.0.0')
    expect(container.ports).toEqual([{ name: 'http', containerPort: loaded.http.port }])
    expect(loaded.store.path.startsWith(`${mountOf('data')}/`)).toBe(true)
  })

  test('run the same position as compose.yaml does', async () => {
    const [here, there] = await Promise.all(
      [`${FOLDER}/live.yaml`, 'deploy/compose/live.yaml'].map(
        async (file) => (await deployedConfig(file)).loaded,
      ),
    )
    expect(here?.core).toEqual(there?.core)
    expect([here?.venue, here?.store]).toEqual([there?.venue, there?.store])
  })

  test('let the Service, the scrape and the policy reach the port by its name', () => {
    const named = service.parse(read('service.yaml'))
    expect(set.spec.serviceName).toBe(named.metadata.name)
    const [port] = named.spec.ports
    const own = container.ports.find(({ name }) => name === port.targetPort)
    expect(own?.containerPort).toBe(port.port)
    const [endpoint] = monitor.parse(read('service-monitor.yaml')).spec.endpoints
    expect(endpoint.port).toBe(port.name)
    expect(endpoint.authorization.credentials).toEqual({ name: secretName, key: 'http_read_token' })
    expect(secretKeys).toContain('http_read_token')
    const { ingress } = policy.parse(read('network-policy.yaml')).spec
    expect(ingress.flatMap((rule) => rule.ports)).toEqual([{ protocol: 'TCP', port: own?.name }])
  })

  test('let nothing out but questions for names and HTTPS, and that to no private network', () => {
    const { egress } = policy.parse(read('network-policy.yaml')).spec
    expect(egress.map((rule) => rule.ports.map(({ port }) => port))).toEqual([[53, 53], [443]])
    const [, outside] = egress
    expect(outside?.to.map(({ ipBlock }) => ipBlock?.except)).toEqual([
      ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
    ])
  })

  test('wait long enough: for a start with a long journal, and for SIGTERM to leave the position', () => {
    const { startupProbe, livenessProbe, readinessProbe } = container
    expect(startupProbe.httpGet.path).toBe('/healthz')
    expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(600)
    // Alive and ready are different questions: not ready must never restart it.
    expect([livenessProbe.httpGet.path, readinessProbe.httpGet.path]).toEqual(['/healthz', '/readyz'])
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(20)
  })
})
