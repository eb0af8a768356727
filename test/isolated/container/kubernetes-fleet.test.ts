import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../../src/daemon/config/load/load-config.ts'
import type { LoadedConfig } from '../../../src/daemon/config/load/loaded-config.ts'
import { manifestSchemas } from '../../support/kubernetes-manifests.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = join(root, 'deploy/kubernetes-fleet')
const text = (file: string): string => readFileSync(join(folder, file), 'utf8')
const read = (file: string): unknown => parse(text(file))

const schemas = manifestSchemas('mizani-fleet')
const whole = schemas.kustomization.parse(read('kustomization.yaml'))
const set = schemas.stateful.parse(read('stateful-set.yaml'))
const pod = set.spec.template.spec
const [container] = pod.containers
const shards = whole.configMapGenerator.map(({ files }) => files)
/** The Secrets are made by commands, which have their names and keys. */
const secrets = [...text('kustomization.yaml').matchAll(/create secret generic (\S+) (.*)$/gm)]
const mountOf = (name: string): string =>
  container.volumeMounts.find((mount) => mount.name === name)?.mountPath ?? ''

async function position(file: string): Promise<LoadedConfig> {
  const options = { strategiesFolder: join(root, 'strategies'), offline: true }
  const loaded = await loadConfig(join(folder, file), {}, options)
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => `${file}: ${message}`).join('\n'))
  return loaded.value
}

describe('the manifests of a fleet', () => {
  test('are all in the kustomization, each of the kind that it is checked as', () => {
    const manifests = readdirSync(folder).filter(
      (file) => file.endsWith('.yaml') && file !== 'kustomization.yaml',
    )
    expect(new Set(whole.resources)).toEqual(new Set(manifests))
    schemas.namespace.parse(read('namespace.yaml'))
    expect(schemas.budget.parse(read('pod-disruption-budget.yaml')).spec.maxUnavailable).toBe(0)
    schemas.policy.parse(read('network-policy.yaml'))
    expect(pod.serviceAccountName).toBe(schemas.account.parse(read('service-account.yaml')).metadata.name)
    expect(whole.images[0].name).toBe(container.image)
    const [port] = schemas.service.parse(read('service.yaml')).spec.ports
    const [endpoint] = schemas.monitor.parse(read('service-monitor.yaml')).spec.endpoints
    expect([port.targetPort, endpoint.port]).toEqual(['http', port.name])
  })

  test('give every replica a shard: a folder, its ConfigMap with every file of it, and the mount that it runs', () => {
    expect(set.spec.replicas).toBe(shards.length)
    expect(container.args).toEqual(['fleet', '/config/$(SHARD)'])
    expect(container.env?.[0]).toEqual({
      name: 'SHARD',
      valueFrom: { fieldRef: { fieldPath: "metadata.labels['apps.kubernetes.io/pod-index']" } },
    })
    for (const [index, files] of shards.entries()) {
      expect(files).toEqual(
        readdirSync(join(folder, `shard-${index}`)).map((file) => `shard-${index}/${file}`),
      )
      expect(mountOf(`shard-${index}`)).toBe(`/config/${index}`)
      const volume = pod.volumes.find(({ name }) => name === `shard-${index}`)
      expect(volume).toMatchObject({ configMap: { name: whole.configMapGenerator[index]?.name } })
    }
  })

  test('mount the secrets that the commands make, where the configurations read them', async () => {
    const paths: string[] = []
    for (const [, name = '', keys = ''] of secrets) {
      const volume = pod.volumes.find((one) => 'secret' in one && one.secret.secretName === name)
      for (const [, key] of keys.matchAll(/--from-file=(\S+)/g))
        paths.push(`${mountOf(volume?.name ?? '')}/${key}`)
    }
    const read = shards
      .flat()
      .flatMap((file) => [...text(file).matchAll(/!file ([^\s,}]+)/g)].map(([, path]) => path))
    expect(new Set(read)).toEqual(new Set(paths))
    const loaded = await Promise.all(positionFiles().map(position))
    for (const { http, store } of loaded) {
      expect(http.host).toBe('0.0.0.0')
      expect(container.ports).toEqual([{ name: 'http', containerPort: http.port }])
      expect(dirname(store.path)).toBe(mountOf('data'))
    }
  })

  test('name every position and every key once over all shards, or two pods would quote with one key', async () => {
    const files = positionFiles()
    const names = (await Promise.all(files.map(position))).map(({ core }) => core.name)
    expect(new Set(names).size).toBe(names.length)
    const keys = files.map((file) => /apiKey: !file (\S+)/.exec(text(file))?.[1])
    expect(new Set(keys).size).toBe(files.length)
  })
})

function positionFiles(): string[] {
  return shards.flat().filter((file) => basename(file) !== 'defaults.yaml')
}
