import { rootCertificates } from 'node:tls'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  changed,
  ENV,
  folderWith,
  load,
  problemsOf,
  VALID,
} from '../../../../unit/daemon/config/config-fixture.ts'

const HTTP = /^http: .*$/m
const LONG = 'x'.repeat(24)

const withGuard = (guard: string, http?: string) =>
  `${http === undefined ? VALID : VALID.replace(HTTP, `http: ${http}`)}guard: ${guard}\n`

async function guardOf(text: string, env: Record<string, string> = ENV) {
  const loaded = await load(text, {}, env)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  return loaded.value.guard
}

const TREASURY = `treasury:
  partner: { baseUrl: 'http://127.0.0.1:8787', apiKey: !env PARTNER_KEY }
  userId: 3f2504e0-4f89-41d3-9a0c-0305e82c3301
  lpWallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
`
const WEBHOOKS = `${TREASURY}  webhooks: { secrets: [!env HOOK_SECRET] }\n`
const KEYS = {
  ...ENV,
  PARTNER_KEY: 'pk_live_4f9a8b7c6d5e4f9a8b7c6d5e',
  HOOK_SECRET: `whsec_${'a'.repeat(40)}`,
}

describe('The guard of a configuration', () => {
  test('without a section is on this machine beside the server, with the terms that are proven', async () => {
    expect(await guardOf(VALID)).toMatchObject({
      url: 'http://127.0.0.1:9465',
      host: '127.0.0.1',
      port: 9_465,
      token: null,
      tls: null,
      ca: null,
      whenSilent: 'safe',
      handBack: 'auto',
      terms: { renewMs: 1_000, roundTripMs: 500, writeTimeoutMs: 1_000, deadlineMs: 3_000, waitMs: 4_500 },
    })
  })

  test('is null where guard is null', async () => {
    expect(await guardOf(withGuard('null'))).toBeNull()
  })

  test.each(['0', '65535'])(
    'cannot be found beside the port %s, and is where guard.port says',
    async (port) => {
      const http = `{ port: ${port}, token: !env MIZANI_HTTP_TOKEN }`
      expect(await guardOf(withGuard('{}', http))).toMatchObject({ url: null, port: null })
      expect(await guardOf(withGuard('{ port: 4000 }', http))).toMatchObject({ url: 'http://127.0.0.1:4000' })
    },
  )

  test('makes room for the listener for webhooks, which has the same default', async () => {
    expect(await guardOf(VALID + WEBHOOKS, KEYS)).toMatchObject({ port: 9_466, url: 'http://127.0.0.1:9466' })
    expect(await guardOf(VALID + TREASURY, KEYS)).toMatchObject({ port: 9_465 })
    const last =
      VALID.replace('port: 9464', 'port: 65534') + WEBHOOKS.replace('secrets', 'port: 65535, secrets')
    expect(await guardOf(last, KEYS)).toMatchObject({ port: null, url: null })
  })

  test('may not have the port of another listener of this machine', async () => {
    const same = (name: string) => expect.stringContaining(`guard.port: the same as ${name}`)
    expect(await problemsOf(withGuard('{ port: 9464 }'))).toEqual([same('http.port')])
    expect(await problemsOf(withGuard('{ port: 9465 }') + WEBHOOKS, KEYS)).toEqual([
      same('treasury.webhooks.port'),
    ])
    const far = '{ port: 9465, url: "https://guard.example:9465", token: !env GUARD_TOKEN }'
    expect(await guardOf(withGuard(far) + WEBHOOKS, { ...KEYS, GUARD_TOKEN: LONG })).toMatchObject({
      port: 9_465,
    })
  })

  test.each([
    ['{ waitMs: 4499 }', 'guard.waitMs: too short for a deadline of 3000 ms'],
    ['{ renewMs: 1500, waitMs: 4500 }', 'guard.deadlineMs: no room for one slow renewal'],
    ['{ url: "http://guard.example:9465" }', 'use https://'],
    ['{ host: 0.0.0.0 }', 'guard.tls: missing, and 0.0.0.0 is reached from other machines'],
    [
      '{ host: 0.0.0.0, port: 9465, tls: { cert: a.pem, key: b.pem } }',
      'guard.url: missing, and the guard uses TLS; set it to the address at which the daemon reaches the guard, https://HOST:9465',
    ],
    ['{ token: !env NOT_THERE }', 'guard.token'],
    ['{ ca: none.pem }', 'guard.ca'],
    ['{ waitms: 9 }', 'did you mean waitMs?'],
  ])('%s is refused with what is expected', async (guard, words) => {
    expect((await problemsOf(withGuard(guard))).join('\n')).toContain(words)
  })

  test('on another machine needs a token, and one that cannot be guessed', async () => {
    const open = withGuard('{ url: "https://guard.example" }', '{ port: 9464 }')
    expect((await problemsOf(open)).join()).toContain('guard.token: missing')
    const short = withGuard('{ url: "https://guard.example", token: !env GUARD_TOKEN }')
    expect((await problemsOf(short, { ...ENV, GUARD_TOKEN: 'short' })).join()).toContain(
      'fewer than 24 characters',
    )
  })

  test('takes certificates beside its file, and no file that holds none', async () => {
    const [ca = ''] = rootCertificates
    const folder = folderWith({
      'ca.pem': ca,
      'other.pem': 'no certificate',
      'cut.pem': '-----BEGIN CERTIFICATE-----\nMIIB',
    })
    const far = (file: string) =>
      withGuard(
        `{ url: "https://guard.example", token: !env GUARD_TOKEN, host: 0.0.0.0, ca: ${join(folder, file)}, tls: { cert: a.pem, key: b.pem } }`,
      )
    const env = { ...ENV, GUARD_TOKEN: LONG }
    const guard = await guardOf(far('ca.pem'), env)
    expect(guard).toMatchObject({ ca, url: 'https://guard.example' })
    expect(guard?.tls?.cert).toMatch(/^\/.*\/a\.pem$/)
    expect(guard?.token?.reveal()).toBe(LONG)
    expect((await problemsOf(far('other.pem'), env)).join()).toContain('no certificate in PEM')
    expect((await problemsOf(far('cut.pem'), env)).join()).toContain('expected a file with PEM certificates')
  })

  test('of a daemon asks for no heartbeat address, which only the machine of the guard may know', async () => {
    expect(await guardOf(withGuard('{ heartbeatUrl: !env NOT_THERE }'))).not.toHaveProperty('heartbeatUrl')
    expect((await problemsOf(withGuard('{ heartbeatUrl: "https://ping.example/uuid" }'))).join()).toContain(
      'guard.heartbeatUrl',
    )
  })

  test('has its write time-out from the venue', async () => {
    const slow = changed('requestsPerMinute: 60', 'requestsPerMinute: 60\n  writeTimeoutMs: 1200')
    expect(await guardOf(slow)).toMatchObject({ terms: { writeTimeoutMs: 1_200 } })
    expect((await problemsOf(slow.replace('1200', '1500'))).join()).toContain('guard.deadlineMs')
  })
})
