import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { buildProgram } from '../../../src/cli/program.ts'
import { composeFile, type ComposeService } from '../../support/compose-file.ts'
import { deployedConfig } from '../../support/deployed-config.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const compose = composeFile('mizani').parse(parse(read('compose.yaml'), { merge: true }))
const services = Object.entries(compose.services)
const service = (name: string): ComposeService => {
  const found = compose.services[name]
  if (found === undefined) throw new Error(`compose.yaml has no service ${name}`)
  return found
}

type Mount = { readonly from: string; readonly to: string; readonly writable: boolean }
const mountsOf = (name: string): readonly Mount[] =>
  service(name).volumes.map((volume) => {
    const [from = '', to = '', mode] = volume.split(':')
    return { from, to, writable: mode !== 'ro' }
  })

/** Where a path of a container lies in the repository; null where it does not. */
function inRepository(name: string, path: string): string | null {
  const mount = mountsOf(name).find(
    ({ from, to }) => from.startsWith('./') && `${path}/`.startsWith(`${to}/`),
  )
  return mount === undefined ? null : mount.from.slice(2) + path.slice(mount.to.length)
}

describe('compose.yaml', () => {
  test('names only services, volumes and secrets that there are, and has none that no one uses', () => {
    const names = services.map(([name]) => name)
    for (const [, { depends_on, network_mode }] of services) {
      const others = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)
      expect(names).toEqual(expect.arrayContaining(others))
      if (network_mode !== undefined) expect(names).toContain(network_mode.replace('service:', ''))
    }
    const volumes = services.flatMap(([name]) =>
      mountsOf(name).flatMap(({ from }) => (/^\w/.test(from) ? [from] : [])),
    )
    expect(new Set(volumes)).toEqual(new Set(Object.keys(compose.volumes)))
    expect(volumes).toHaveLength(new Set(volumes).size)
    expect(new Set(services.flatMap(([, { secrets }]) => secrets))).toEqual(
      new Set(Object.keys(compose.secrets)),
    )
  })

  test('mounts what is in the repository, and read-only', () => {
    for (const [name] of services) {
      for (const { from, writable } of mountsOf(name).filter((mount) => mount.from.startsWith('.'))) {
        expect([from, existsSync(join(root, from)), writable]).toEqual([from, true, false])
      }
    }
  })

  test('keeps secrets in files that git and the image never see', () => {
    expect(read('.gitignore')).toMatch(/^deploy\/secrets\/$/m)
    expect(read('.dockerignore')).not.toContain('deploy')
    for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^deploy\/secrets\/\w+$/)
    // What is written into the file itself is worth nothing: the key of the simulated venue.
    const written = services.flatMap(([, { environment, command = [] }]) => [
      ...Object.values(environment),
      ...command,
    ])
    expect(written.filter((text) => text.startsWith('mm_') && text !== 'mm_test_sandbox')).toEqual([])
  })

  test.each([
    ['live', 'dry-run'],
    ['sandbox', 'live'],
  ])('runs a configuration that loads, in the profile %s', async (profile, mode) => {
    const daemon = service(profile)
    expect(daemon.profiles).toEqual([profile])
    expect(daemon.command?.slice(0, 2)).toEqual(['run', '--config'])
    const file = inRepository(profile, daemon.command?.[2] ?? '')
    const { loaded, secretFiles, variables } = await deployedConfig(file ?? '')
    expect(secretFiles.map((path) => path.replace('/run/secrets/', ''))).toEqual(
      daemon.secrets.filter((secret) => secret !== 'grafana_password'),
    )
    expect(variables).toEqual(Object.keys(daemon.environment))
    expect(loaded.core.mode).toBe(mode)
    expect(loaded.http.host).toBe('0.0.0.0')
    const writable = mountsOf(profile).filter((mount) => mount.writable)
    expect(writable.map(({ to }) => to)).toEqual(['/app/data'])
    expect(loaded.store.path).toMatch(/^\/app\/data\/\w/)
    // Who has the daemon's network publishes its port and bears the name that Prometheus asks.
    const host = service(daemon.network_mode?.replace('service:', '') ?? profile)
    expect(host.ports).toEqual([`127.0.0.1:${loaded.http.port}:${loaded.http.port}`])
    expect(host.networks?.default.aliases).toEqual(['daemon'])
    expect(Number.parseInt(daemon.stop_grace_period, 10)).toBeGreaterThan(10)
  })

  test('puts the simulated venue where the sandbox looks for it, with options that it has', async () => {
    const { command = [], healthcheck } = service('venue')
    const [name, ...words] = command
    const sandbox = (await buildProgram()).commands.find((one) => one.name() === name)
    const given = Object.fromEntries(
      words.flatMap((word, i) => (word.startsWith('--') ? [[word, words[i + 1]]] : [])),
    )
    const known = sandbox?.options.map(({ long }) => long)
    expect(known).toEqual(expect.arrayContaining(Object.keys(given)))
    const { loaded } = await deployedConfig('deploy/compose/sandbox.yaml')
    expect(loaded.venue.baseUrl).toBe(`http://127.0.0.1:${given['--port']}`)
    expect(given['--api-key']).toBe(service('sandbox').environment['MIZANI_API_KEY'])
    expect(healthcheck.test?.join(' ')).toContain(`http://127.0.0.1:${given['--port']}/sandbox/state`)
    expect(service('sandbox').network_mode).toBe('service:venue')
  })

  test('tells Prometheus where the daemon, the token and the alert rules are', () => {
    const config = z
      .looseObject({
        rule_files: z.array(z.string()),
        scrape_configs: z.array(
          z.looseObject({
            job_name: z.string(),
            authorization: z.object({ credentials_file: z.string() }).optional(),
            static_configs: z.array(z.object({ targets: z.array(z.string()) })),
          }),
        ),
      })
      .parse(parse(read('deploy/prometheus/prometheus.yaml')))
    const job = config.scrape_configs.find(({ job_name }) => job_name.startsWith('mizani'))
    expect(job?.static_configs).toEqual([{ targets: ['daemon:9464'] }])
    expect(job?.authorization?.credentials_file).toBe('/run/secrets/http_read_token')
    expect(service('prometheus').secrets).toEqual(['http_read_token'])
    const [rules = ''] = config.rule_files
    expect(inRepository('prometheus', rules)).toBe('grafana/alerts/*.rules.yaml')
    expect(
      readdirSync(join(root, 'grafana/alerts')).filter((file) => file.endsWith('.rules.yaml')),
    ).not.toEqual([])
    const flag = service('prometheus').command?.find((word) => word.startsWith('--config.file='))
    expect(inRepository('prometheus', flag?.split('=')[1] ?? '')).toBe('deploy/prometheus/prometheus.yaml')
  })

  test('shows Grafana its provisioning, its dashboards and Prometheus', () => {
    const [sources = '', dashboards = ''] = ['datasources', 'dashboards'].map((kind) => {
      const folder = inRepository('grafana', `/etc/grafana/provisioning/${kind}`) ?? ''
      return readdirSync(join(root, folder))
        .map((file) => read(`${folder}/${file}`))
        .join('\n')
    })
    const { environment } = service('grafana')
    for (const [, variable = ''] of sources.matchAll(/\$\{(\w+)\}/g))
      expect(environment).toHaveProperty(variable)
    expect(environment['PROMETHEUS_URL']).toBe('http://prometheus:9090')
    const folder = /path: (\S+)/.exec(dashboards)?.[1] ?? ''
    expect(inRepository('grafana', folder)).toBe('grafana/dashboards')
    const home = inRepository('grafana', environment['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH'] ?? '')
    expect(existsSync(join(root, home ?? ''))).toBe(true)
    expect(environment['GF_SECURITY_ADMIN_PASSWORD__FILE']).toBe('/run/secrets/grafana_password')
    expect(service('grafana').secrets).toEqual(['grafana_password'])
  })
})

describe('deploy/make-secrets.sh', () => {
  test('makes different tokens once, and leaves what is there', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mizani-secrets-'))
    mkdirSync(join(folder, 'deploy'))
    const script = join(folder, 'deploy/make-secrets.sh')
    copyFileSync(join(root, 'deploy/make-secrets.sh'), script)
    const run = () => execFileSync('sh', [script], { encoding: 'utf8' })
    const secrets = () => {
      const names = readdirSync(join(folder, 'deploy/secrets')).sort()
      return names.map((name) => [name, readFileSync(join(folder, 'deploy/secrets', name), 'utf8')])
    }
    expect(run()).toContain('deploy/secrets/mm_key')
    const first = secrets()
    expect(first.map(([name]) => name)).toEqual(['grafana_password', 'http_read_token', 'http_token'])
    for (const [, secret] of first) expect(secret).toMatch(/^[0-9a-f]{48}$/)
    expect(first[0]?.[1]).not.toBe(first[1]?.[1])
    // Others of this machine do not get in; the containers, which run as different users, read the files.
    expect(statSync(join(folder, 'deploy/secrets')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'deploy/secrets/http_token')).mode & 0o777).toBe(0o644)
    writeFileSync(join(folder, 'deploy/secrets/mm_key'), 'mm_mine')
    expect(run()).toBe('')
    expect(secrets()).toEqual([...first, ['mm_key', 'mm_mine']])
    rmSync(folder, { recursive: true })
  })
})
