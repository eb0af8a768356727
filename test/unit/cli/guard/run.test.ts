import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runGuardCommand } from '../../../../src/cli/guard/run.ts'
import { configFiles, readGuardedConfigs } from '../../../../src/daemon/guard/process/guarded-configs.ts'
import { guardSettings } from '../../../../src/daemon/runtime/lease/guard-settings.ts'
import type { GuardSettings } from '../../../../src/daemon/guard/process/settings.ts'
import { captured } from '../../../support/captured.ts'
import { folderWith, VALID } from '../../daemon/config/config-fixture.ts'
import { configFile, PLACE, stubSecrets } from './guard-config.ts'

beforeAll(stubSecrets)
afterAll(() => void vi.unstubAllEnvs())

/** A position of a fleet's folder, whose store is in a folder of its own. */
function positionFile(name: string): string {
  return VALID.replace('desk-1', name).replace('./data', join(folderWith({ 'live.yaml': '' }), 'data'))
}

/** Runs `mizani guard`; what the process would have become. */
async function guarding(...config: readonly string[]) {
  const became: (readonly string[])[] = []
  const result = await captured(() => runGuardCommand({ config }, (_file, args) => void became.push(args)))
  const [args] = became
  const file = args?.at(-1)
  const settings = file === undefined ? null : (JSON.parse(readFileSync(file, 'utf8')) as GuardSettings)
  return { ...result, args, file, settings }
}

/** The settings of these configurations, or what is wrong with them. */
function settingsOf(...files: readonly string[]) {
  const configs = readGuardedConfigs(files, process.env, { isStrict: false })
  return configs.ok ? guardSettings(configs.value, PLACE) : configs
}

const errorOf = (...files: readonly string[]) => {
  const settings = settingsOf(...files)
  return settings.ok ? '' : settings.error
}

describe('mizani guard', () => {
  test('becomes a small process whose settings hold all that it needs, for this user alone, and no secret', async () => {
    const { args, file, settings, exitCode } = await guarding(configFile())
    expect(exitCode).toBe(0)
    expect(args?.[0]).toBe(process.execPath)
    expect(args?.at(-2)).toMatch(/guard-worker\.(ts|js|mjs)$/)
    expect(args?.join(' ')).toContain('--max-old-space-size=48')
    expect(statSync(file ?? '').mode & 0o777).toBe(0o600)
    expect(readFileSync(file ?? '', 'utf8')).not.toContain('mm_live_')
    expect(settings).toMatchObject({
      host: '127.0.0.1',
      port: 9_465,
      tls: null,
      token: { kind: 'env', where: 'MIZANI_HTTP_TOKEN' },
      heartbeats: [],
    })
  })

  test.each([
    ['plain http', { 'baseUrl: http://127.0.0.1:8787': 'baseUrl: http://venue.example' }, {}, 'plain http'],
    [
      'no TLS to PostgreSQL',
      { 'store: { ': 'store: { postgres: postgres://db/x, ' },
      {},
      'sslmode=verify-full',
    ],
    ['unverified TLS', {}, { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'NODE_TLS_REJECT_UNAUTHORIZED'],
  ])('refuses %s, as the daemon does', async (_what, changes, environment, why) => {
    const file = configFile(changes)
    const read = readGuardedConfigs([file], { ...process.env, ...environment }, { isStrict: true })
    expect(read).toMatchObject({ ok: false, error: expect.stringContaining(why) })
    const lifted = configFile({ 'store: { ': 'store: { allowPlain: true, postgres: postgres://db/x, ' })
    expect(settingsOf(lifted)).toMatchObject({ value: { positions: [{ allowPlainDatabase: true }] } })
  })

  test('prepares the requests of a position as the daemon would send them', async () => {
    const { settings } = await guarding(configFile())
    const [position] = settings?.positions ?? []
    expect(position).toMatchObject({
      name: 'desk-1',
      acts: true,
      waitMs: 4_500,
      safeBps: 500,
      origin: 'http://127.0.0.1:8787',
      apiKey: { kind: 'env', where: 'MIZANI_API_KEY' },
      writeTimeoutMs: 1_000,
      requestsPerMinute: 60,
    })
    const { safe, 'bid-off': bidOff, readAsk, deactivate } = position?.requests ?? {}
    expect(safe).toMatchObject({ method: 'PATCH', path: '/api/v1/mm/spread' })
    expect(JSON.parse(safe?.body ?? '')).toMatchObject({
      bidBps: 500,
      askBps: 500,
      quoteBid: true,
      quoteAsk: true,
    })
    expect(JSON.parse(bidOff?.body ?? '')).toMatchObject({ quoteBid: false, quoteAsk: true })
    expect(readAsk?.path).toMatch(/^\/api\/v1\/mm\/quote\?/)
    expect(deactivate).toMatchObject({ method: 'POST', path: '/api/v1/mm/activate' })
  })

  test('watches a fleet by its folder, without the defaults of the folder', async () => {
    const folder = folderWith({
      'a.yaml': positionFile('desk-a'),
      'b.yaml': positionFile('desk-b'),
      'notes.txt': 'no configuration',
    })
    // What is not there is notified by the reader of configurations, with its place; what cannot be looked at is notified here.
    expect(configFiles(['/x/y.yaml'])).toEqual({
      ok: true,
      value: [{ file: '/x/y.yaml', isOfFolder: false }],
    })
    expect(configFiles([folder, `/${'y'.repeat(300)}.yaml`])).toMatchObject({
      ok: false,
      error: expect.stringContaining('name too long'),
    })
    const settings = settingsOf(join(folder, 'a.yaml'), join(folder, 'b.yaml'))
    expect(settings.ok && settings.value.positions.map(({ name }) => name)).toEqual(['desk-a', 'desk-b'])
    writeFileSync(join(folder, 'defaults.yaml'), '')
    const files = configFiles([folder])
    expect(files.ok && files.value.map(({ file }) => file)).toEqual([
      join(folder, 'a.yaml'),
      join(folder, 'b.yaml'),
    ])
  })

  test('watches a fleet without the positions that want no guard, and without a broken file, which it names', async () => {
    const folder = folderWith({
      'a.yaml': `${positionFile('desk-a')}guard: null\n`,
      'b.yaml': positionFile('desk-b'),
      'c.yaml': positionFile('desk-c').replace('safeBps: 500', 'safeBps: much'),
    })
    const { settings, err, exitCode } = await guarding(folder)
    expect(exitCode).toBe(0)
    expect(settings?.positions.map(({ name }) => name)).toEqual(['desk-b'])
    expect(settings?.unwatched).toEqual([
      { file: join(folder, 'c.yaml'), why: expect.stringContaining('safeBps') },
    ])
    expect(err).toContain('not watched')
    // A file that is named by itself is meant.
    expect((await guarding(join(folder, 'b.yaml'), join(folder, 'c.yaml'))).exitCode).toBe(2)
    expect((await guarding(join(folder, 'a.yaml'))).err).toContain('wants none')
    const none = folderWith({ 'a.yaml': `${VALID}guard: null\n` })
    expect((await guarding(none)).err).toContain('wants none')
  })

  test('with --check refuses every broken file, watches nothing and becomes nothing', async () => {
    const folder = folderWith({
      'b.yaml': positionFile('desk-b'),
      'c.yaml': positionFile('desk-c').replace('safeBps: 500', 'safeBps: much'),
    })
    const check = (config: string) => captured(() => runGuardCommand({ config: [config], check: true }))
    expect(await check(folder)).toMatchObject({ exitCode: 2, err: expect.stringContaining('safeBps') })
    expect(await check(join(folder, 'b.yaml'))).toMatchObject({
      exitCode: 0,
      out: 'a guard would watch desk-b\n',
    })
  })

  test('acts for no dry run, and sends nothing in self-custody, where orders end by themselves', () => {
    const dry = settingsOf(configFile({ 'mode: live ': 'mode: dry-run ' }))
    expect(dry.ok && dry.value.positions[0]).toMatchObject({
      acts: false,
      actsNot: expect.stringContaining('a dry run'),
    })
  })

  test('exits with 2 and every problem where a configuration is wrong, and becomes nothing', async () => {
    const { err, exitCode, args } = await guarding(configFile({ 'safeBps: 500': 'safeBps: much' }))
    expect([exitCode, args]).toEqual([2, undefined])
    expect(err).toContain('safeBps')
    vi.stubEnv('MIZANI_API_KEY', undefined)
    const keyless = await guarding(configFile())
    vi.unstubAllEnvs()
    stubSecrets()
    expect([keyless.exitCode, keyless.err]).toEqual([2, expect.stringContaining('venue.apiKey')])
    const gone = await guarding('/not/there.yaml')
    expect([gone.exitCode, gone.args]).toEqual([2, undefined])
  })

  test('exits with 1 where it cannot keep its settings, or a process cannot become another one', async () => {
    const file = configFile()
    const onFile = await guarding(configFile({}, `guard: { path: ${file} }\n`))
    expect([onFile.exitCode, onFile.args]).toEqual([1, undefined])
    const execve = Object.getOwnPropertyDescriptor(process, 'execve')
    Object.defineProperty(process, 'execve', { value: undefined, configurable: true })
    const { err, exitCode } = await captured(() => runGuardCommand({ config: [file] }))
    if (execve !== undefined) Object.defineProperty(process, 'execve', execve)
    expect([exitCode, err]).toEqual([1, expect.stringContaining('replace itself on')])
  })
})

describe('The settings of a guard', () => {
  test('refuse what two configurations cannot share, each with what to do', () => {
    expect(errorOf()).toContain('no position')
    const file = configFile()
    expect(errorOf(file, configFile())).toContain('are named desk-1')
    expect(errorOf(configFile({ 'port: 9464': 'port: 0' }))).toContain('guard.port has to')
    const people = `tokens: [{ name: anna, token: !env MIZANI_HTTP_TOKEN, may: [operate] }]`
    expect(errorOf(configFile({ 'token: !env MIZANI_HTTP_TOKEN': people }))).toContain('guard.token')
  })

  test('refuse positions that would need two guards, and name the key alone', () => {
    vi.stubEnv('GUARD_TOKEN', 'x'.repeat(24))
    vi.stubEnv('OTHER_TOKEN', 'y'.repeat(24))
    const file = (name: string, guard: string) => configFile({ 'desk-1': name }, `guard: ${guard}\n`)
    expect(errorOf(file('a', '{ port: 4001 }'), file('b', '{ port: 4002 }'))).toContain(
      'guard.port differs from',
    )
    const other = errorOf(file('a', '{ token: !env GUARD_TOKEN }'), file('b', '{ token: !env OTHER_TOKEN }'))
    expect(other).toContain('guard.token differs from')
    expect(other).not.toContain('yyy')
    expect(errorOf(file('a', '{ deadlineMs: 3000 }'), file('b', '{ deadlineMs: 2900 }'))).toContain(
      'guard.deadlineMs differs from',
    )
    // How long the guard waits for each of them is its own.
    expect(errorOf(file('a', '{ waitMs: 4500 }'), file('b', '{ waitMs: 5000 }'))).toBe('')
  })

  test('refuse the port on which a position of the fleet listens for webhooks', () => {
    vi.stubEnv('HOOKS', `whsec_${'a'.repeat(40)}`)
    const treasury = `treasury:
  partner: { baseUrl: 'http://127.0.0.1:8787', apiKey: !env HOOKS }
  userId: 3f2504e0-4f89-41d3-9a0c-0305e82c3301
  lpWallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  webhooks: { secrets: [!env HOOKS] }
`
    const other = configFile({ 'desk-1': 'desk-2' }, treasury)
    expect(errorOf(configFile(), other)).toContain('on port 9465, ')
    // Alone it makes room for it.
    const own = settingsOf(other)
    expect(own.ok && own.value.port).toBe(9_466)
  })

  test('have the token that each daemon makes where none is configured', () => {
    const file = configFile({ ', token: !env MIZANI_HTTP_TOKEN': '' })
    const settings = settingsOf(file)
    expect(settings.ok && settings.value.token).toEqual({
      kind: 'made',
      files: [expect.stringContaining('data')],
    })
  })

  test('have one heartbeat to each service, as often as the most impatient position wants', () => {
    vi.stubEnv('PING', 'https://ping.example/uuid')
    vi.stubEnv('OTHER_PING', 'https://ping.example/other')
    const file = (name: string, place: string, everyMs: number) =>
      configFile(
        { 'desk-1': name },
        `guard: { heartbeatUrl: !env ${place} }\nalert: { heartbeatEveryMs: ${everyMs} }\n`,
      )
    const settings = settingsOf(
      file('a', 'PING', 60_000),
      file('b', 'PING', 5_000),
      file('c', 'OTHER_PING', 7_000),
    )
    expect(settings.ok && settings.value.heartbeats).toMatchObject([
      { place: { kind: 'env', where: 'PING' }, everyMs: 5_000, suffixes: false },
      { place: { kind: 'env', where: 'OTHER_PING' }, everyMs: 7_000 },
    ])
  })

  test('refuse a heartbeat address that is none, or cannot be read, and never show it', () => {
    vi.stubEnv('PING', 'ftp://secret.example')
    const wrong = errorOf(configFile({}, 'guard: { heartbeatUrl: !env PING }\n'))
    expect(wrong).toMatch(/guard\.heartbeatUrl: .*not an address/)
    expect(wrong).not.toContain('secret.example')
    expect(errorOf(configFile({}, 'guard: { heartbeatUrl: !env NOT_THERE }\n'))).toContain(
      'guard.heartbeatUrl',
    )
  })
})

test('the folder of the numbers lies in the store where guard.path names none', async () => {
  const { settings, file } = await guarding(configFile())
  expect(dirname(file ?? '')).toBe(settings?.folder)
  expect(settings?.folder).toMatch(/data\/guard$/)
})
