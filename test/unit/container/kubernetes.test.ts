import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { deployedConfig } from '../../support/deployed-config.ts'

const FOLDER = 'deploy/kubernetes'
const folder = fileURLToPath(new URL(`../../../${FOLDER}`, import.meta.url))
const read = (file: string): unknown => parse(readFileSync(join(folder, file), 'utf8'))

const LABELS = z.strictObject({ 'app.kubernetes.io/name': z.literal('mizani') })
const metadata = z.strictObject({ name: z.literal('mizani'), labels: LABELS })
const matching = z.strictObject({ matchLabels: LABELS })
const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.enum(['/healthz', '/readyz']), port: z.literal('http') }),
  periodSeconds: z.number().int(),
  timeoutSeconds: z.number().int(),
  failureThreshold: z.number().int(),
})

/** What the cluster would refuse or, worse, silently leave out. */
const stateful = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('StatefulSet'),
  metadata,
  spec: z.strictObject({
    replicas: z.literal(1),
    serviceName: z.string(),
    selector: matching,
    template: z.strictObject({
      metadata: z.strictObject({ labels: LABELS }),
      spec: z.strictObject({
        serviceAccountName: z.string(),
        automountServiceAccountToken: z.literal(false),
        enableServiceLinks: z.literal(false),
        terminationGracePeriodSeconds: z.number().int(),
        securityContext: z.strictObject({
          runAsNonRoot: z.literal(true),
          runAsUser: z.literal(1000),
          runAsGroup: z.literal(1000),
          fsGroup: z.literal(1000),
          fsGroupChangePolicy: z.literal('OnRootMismatch'),
          seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
        }),
        containers: z.tuple([
          z.strictObject({
            name: z.literal('mizani'),
            image: z.string(),
            imagePullPolicy: z.literal('IfNotPresent'),
            args: z.array(z.string()),
            ports: z.array(z.strictObject({ name: z.string(), containerPort: z.number().int() })),
            securityContext: z.strictObject({
              allowPrivilegeEscalation: z.literal(false),
              readOnlyRootFilesystem: z.literal(true),
              capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
            }),
            resources: z.strictObject({
              requests: z.strictObject({ cpu: z.string(), memory: z.string() }),
              limits: z.strictObject({ memory: z.string() }),
            }),
            startupProbe: probe,
            livenessProbe: probe,
            readinessProbe: probe,
            volumeMounts: z.array(
              z.strictObject({
                name: z.string(),
                mountPath: z.string(),
                readOnly: z.literal(true).optional(),
              }),
            ),
          }),
        ]),
        volumes: z.array(
          z.union([
            z.strictObject({ name: z.string(), configMap: z.strictObject({ name: z.string() }) }),
            z.strictObject({
              name: z.string(),
              secret: z.strictObject({ secretName: z.string(), defaultMode: z.literal(0o440) }),
            }),
          ]),
        ),
      }),
    }),
    persistentVolumeClaimRetentionPolicy: z.strictObject({
      whenDeleted: z.literal('Retain'),
      whenScaled: z.literal('Retain'),
    }),
    volumeClaimTemplates: z.tuple([
      z.strictObject({
        metadata: z.strictObject({ name: z.string() }),
        spec: z.strictObject({
          accessModes: z.tuple([z.literal('ReadWriteOncePod')]),
          resources: z.strictObject({ requests: z.strictObject({ storage: z.string() }) }),
        }),
      }),
    ]),
  }),
})
const service = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata,
  spec: z.strictObject({
    clusterIP: z.literal('None'),
    publishNotReadyAddresses: z.literal(true),
    selector: LABELS,
    ports: z.tuple([z.strictObject({ name: z.string(), port: z.number(), targetPort: z.string() })]),
  }),
})
const peer = z.strictObject({
  podSelector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }).optional(),
  namespaceSelector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }).optional(),
  ipBlock: z.strictObject({ cidr: z.cidrv4(), except: z.array(z.cidrv4()) }).optional(),
})
const ports = z.array(
  z.strictObject({ protocol: z.enum(['TCP', 'UDP']), port: z.union([z.string(), z.number().int()]) }),
)
const policy = z.strictObject({
  apiVersion: z.literal('networking.k8s.io/v1'),
  kind: z.literal('NetworkPolicy'),
  metadata,
  spec: z.strictObject({
    podSelector: matching,
    policyTypes: z.tuple([z.literal('Ingress'), z.literal('Egress')]),
    ingress: z.array(z.strictObject({ from: z.array(peer).min(1), ports })),
    egress: z.array(z.strictObject({ to: z.array(peer).min(1), ports })),
  }),
})
const budget = z.strictObject({
  apiVersion: z.literal('policy/v1'),
  kind: z.literal('PodDisruptionBudget'),
  metadata,
  spec: z.strictObject({ selector: matching, maxUnavailable: z.literal(0) }),
})
const monitor = z.strictObject({
  apiVersion: z.literal('monitoring.coreos.com/v1'),
  kind: z.literal('ServiceMonitor'),
  metadata,
  spec: z.strictObject({
    selector: matching,
    endpoints: z.tuple([
      z.strictObject({
        port: z.string(),
        path: z.literal('/metrics'),
        interval: z.string(),
        scrapeTimeout: z.string(),
        authorization: z.strictObject({
          type: z.literal('Bearer'),
          credentials: z.strictObject({ name: z.string(), key: z.string() }),
        }),
      }),
    ]),
  }),
})
const account = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('ServiceAccount'),
  metadata,
  automountServiceAccountToken: z.literal(false),
})
const namespace = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Namespace'),
  metadata: z.strictObject({
    name: z.literal('mizani'),
    labels: z.strictObject({
      'pod-security.kubernetes.io/enforce': z.literal('restricted'),
      'pod-security.kubernetes.io/warn': z.literal('restricted'),
    }),
  }),
})
/** No labels, patches or transformers: what is in the files is what the cluster gets. */
const kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.literal('mizani'),
  resources: z.array(z.string()),
  configMapGenerator: z.tuple([
    z.strictObject({
      name: z.string(),
      files: z.array(z.string()),
      options: z.strictObject({ disableNameSuffixHash: z.literal(true) }),
    }),
  ]),
  images: z.tuple([z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })]),
})

const whole = kustomization.parse(read('kustomization.yaml'))
const set = stateful.parse(read('stateful-set.yaml'))
const pod = set.spec.template.spec
const [container] = pod.containers
const [{ name: configMap, files: configFiles }] = whole.configMapGenerator
const headers = readFileSync(join(folder, 'kustomization.yaml'), 'utf8')
/** The Secret is made by a command, which says its keys. */
const [, secretName, fromFiles = ''] = /create secret generic (\S+) (.*)$/m.exec(headers) ?? []
const secretKeys = [...fromFiles.matchAll(/--from-file=(\S+)/g)].map(([, key]) => key)

describe('the manifests', () => {
  test('are all in the kustomization, each of the kind that it is checked as', () => {
    const others = new Set(['kustomization.yaml', ...configFiles])
    expect(new Set(whole.resources)).toEqual(new Set(readdirSync(folder).filter((file) => !others.has(file))))
    namespace.parse(read('namespace.yaml'))
    budget.parse(read('pod-disruption-budget.yaml'))
    expect(pod.serviceAccountName).toBe(account.parse(read('service-account.yaml')).metadata.name)
    expect(whole.images[0].name).toBe(container.image)
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
