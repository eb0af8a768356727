import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { composeFile, type ComposeService } from '../../support/compose-file.ts'
import { deployedConfig } from '../../support/deployed-config.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const compose = composeFile('mizani-pair').parse(parse(read('compose.pair.yaml'), { merge: true }))

const service = (name: string): ComposeService => {
  const found = compose.services[name]
  if (found === undefined) throw new Error(`compose.pair.yaml has no service ${name}`)
  return found
}
const volumesOf = (name: string) => service(name).volumes.filter((volume) => /^\w/.test(volume))
const DAEMONS = ['one', 'two']

describe('compose.pair.yaml', () => {
  test('runs two daemons that differ in nothing but their volume and the port on this machine', () => {
    const [one, two] = DAEMONS.map((name) => ({ ...service(name), volumes: [], ports: [] }))
    expect(one).toEqual(two)
    expect(new Set(DAEMONS.flatMap(volumesOf)).size).toBe(2)
    expect(new Set(DAEMONS.flatMap((name) => service(name).ports)).size).toBe(2)
    // The image's own check asks /healthz: the daemon that stands by is alive, and must not be restarted for it.
    expect(service('one').healthcheck.test).toBeUndefined()
    expect(Number.parseInt(service('one').stop_grace_period, 10)).toBeGreaterThan(10)
  })

  test('names only services, volumes and secrets that there are, and has none that no one uses', () => {
    const services = Object.values(compose.services)
    const used = services.flatMap(({ depends_on }) => Object.keys(depends_on))
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(used))
    const volumes = Object.keys(compose.services)
      .flatMap(volumesOf)
      .map((volume) => volume.split(':')[0])
    expect(volumes).toHaveLength(Object.keys(compose.volumes).length)
    expect(new Set(volumes)).toEqual(new Set(Object.keys(compose.volumes)))
    expect(new Set(services.flatMap(({ secrets }) => secrets))).toEqual(new Set(Object.keys(compose.secrets)))
    for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^deploy\/secrets\/\w+$/)
  })

  test('gives daemons and guard one configuration, whose every secret each of them has', async () => {
    for (const name of [...DAEMONS, 'guard']) {
      const { command, volumes } = service(name)
      expect(command).toEqual([name === 'guard' ? 'guard' : 'run', '--config', '/config/pair.yaml'])
      expect(volumes).toContain('./deploy/compose:/config:ro')
    }
    const { loaded, secretFiles, variables } = await deployedConfig('deploy/compose/pair.yaml')
    expect(variables).toEqual([])
    const certificates = ['/run/secrets/guard_cert', '/run/secrets/postgres_cert']
    const named = [...secretFiles, ...certificates].map((path) => path.replace('/run/secrets/', ''))
    expect(new Set(service('one').secrets)).toEqual(new Set(named))
    expect(new Set(service('guard').secrets)).toEqual(new Set([...named, 'guard_key']))
    expect(loaded.store.place).toMatchObject({ position: loaded.core.name })
    expect(loaded.store.path.startsWith('/app/data/')).toBe(true)
    for (const name of DAEMONS) expect(service(name).ports[0]?.endsWith(`:${loaded.http.port}`)).toBe(true)
    const text = read('deploy/compose/pair.yaml')
    expect(text).toContain('tls: { cert: /run/secrets/guard_cert, key: /run/secrets/guard_key }')
    const [, host, port] = /url: https:\/\/(\w+):(\d+)/.exec(text) ?? []
    expect(service(host ?? '').healthcheck.test?.join(' ')).toContain(`port: ${port}, path: '/healthz'`)
    expect(read('deploy/make-secrets.sh')).toMatch(new RegExp(`for name in ${host} postgres;`))
  })

  test('lets PostgreSQL acknowledge only what is on its disk, and encrypt with a key that it alone has', () => {
    const command = service('postgres').command?.join(' ') ?? ''
    expect(command).toContain('synchronous_commit=on')
    expect(command).toContain('-c ssl=on -c ssl_cert_file=/run/secrets/postgres_cert')
    const [, from, copy] = /install -m 600 \/run\/secrets\/(\w+) (\S+)/.exec(command) ?? []
    expect(command).toContain(`-c ssl_key_file=${copy}`)
    expect(service('postgres').tmpfs.some((folder) => copy?.startsWith(folder.split(':')[0] ?? '-'))).toBe(
      true,
    )
    const holders = Object.entries(compose.services).filter(([, { secrets }]) => secrets.includes(from ?? ''))
    expect(holders.map(([name]) => name)).toEqual(['postgres'])
    expect(service('one').depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
  })
})
