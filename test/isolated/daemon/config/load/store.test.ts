import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changed, ENV, load } from '../../../../unit/daemon/config/config-fixture.ts'
import { proposeTerms, DEFAULT_TERMS } from '../../../../../src/core/lease/terms.ts'
import { readStore } from '../../../../../src/daemon/config/load/store.ts'
import { configSchema } from '../../../../../src/daemon/config/schema/schema.ts'
import { SecretReference } from '../../../../../src/daemon/config/source/secret.ts'

const schema = configSchema.shape.store

function loaded(
  postgres: unknown,
  env = {},
  { name = 'desk', isOffline = false, file = 'c.yaml', writeTimeoutMs = 1_000, lease = {} } = {},
) {
  const store = schema.parse({ path: './here', postgres, lease })
  return readStore({ store, name, venue: { writeTimeoutMs } }, file, env, isOffline)
}

test('a store is the folder unless PostgreSQL is named', () => {
  expect(loaded(null)).toMatchObject({ ok: true, value: { path: './here', place: './here' } })
  expect(loaded('postgres://db.example/mizani?sslmode=verify-full')).toMatchObject({
    ok: true,
    value: {
      path: './here',
      place: { url: 'postgres://db.example/mizani?sslmode=verify-full', position: 'desk', folder: './here' },
    },
  })
})

test('the URL may be a secret of the environment or a file', () => {
  const url = 'postgresql://mizani:geheim@db/mizani?sslmode=verify-full'
  const reference = new SecretReference('env', 'STORE_URL')
  expect(loaded(reference, { STORE_URL: url })).toMatchObject({ ok: true, value: { place: { url } } })
  const folder = mkdtempSync(join(tmpdir(), 'mizani-url-'))
  writeFileSync(join(folder, 'url'), `${url}\n`)
  const inFile = loaded(new SecretReference('file', 'url'), {}, { file: join(folder, 'c.yaml') })
  expect(inFile).toMatchObject({ ok: true, value: { place: { url } } })
})

test.each([
  ['postgres://mizani:geheim@db/mizani', 'a password in plain text'],
  ['postgres://db/mizani?password=geheim', 'a password in plain text'],
  ['mysql://db/mizani', 'not the URL of a database'],
  ['db/mizani', 'not the URL of a database'],
  [7, 'not the URL of a database'],
])('%s is refused in the file: %s', (postgres, why) => {
  const refused = schema.safeParse({ postgres })
  expect(refused.error?.issues[0]?.message).toContain(why)
  expect(JSON.stringify(refused.error?.issues)).not.toContain('geheim')
})

test('a secret that is missing, or no URL, is a finding that repeats nothing of it', () => {
  const reference = new SecretReference('env', 'STORE_URL')
  expect(loaded(reference)).toMatchObject({ ok: false, error: [{ path: ['store', 'postgres'] }] })
  const odd = loaded(reference, { STORE_URL: 'geheim' })
  expect(odd).toMatchObject({ ok: false })
  expect(JSON.stringify(odd)).not.toContain('geheim')
})

test('without its secret an offline command has a place that reaches nothing, never the folder', () => {
  const reference = new SecretReference('env', 'STORE_URL')
  const place = { url: '', position: 'desk', folder: './here' }
  expect(loaded(reference, {}, { isOffline: true })).toMatchObject({ ok: true, value: { place } })
})

test('PostgreSQL on another machine is refused without a verified certificate, and lifted by store.allowPlain', async () => {
  const withStore = (store: string) => changed('store: { path: ./data }', `store: { path: ./data, ${store} }`)
  const env = { ...ENV, STORE_URL: 'postgres://mizani:geheim@db/desks?sslmode=no-verify' }
  for (const options of [{}, { offline: true }]) {
    const refused = await load(withStore('postgres: !env STORE_URL'), options, env)
    expect(refused.ok ? [] : refused.error).toMatchObject([{ path: 'store.postgres' }])
    expect(JSON.stringify(refused)).not.toContain('geheim')
  }
  const lifted = await load(withStore('postgres: !env STORE_URL, allowPlain: true'), {}, env)
  expect(lifted.ok && lifted.value.store.place).toMatchObject({ url: env.STORE_URL, allowPlain: true })
})

test("a position's name that PostgreSQL would cut is refused", () => {
  const long = 'a'.repeat(57)
  expect(loaded('postgres://localhost/m', {}, { name: long })).toMatchObject({ ok: false })
  expect(loaded('postgres://localhost/m', {}, { name: long.slice(1) })).toMatchObject({ ok: true })
})

test("a whole file may name the secret of its store, and no excerpt of it shows a store's password", async () => {
  const withStore = (postgres: string) =>
    changed('store: { path: ./data }', `store: { path: ./data, postgres: ${postgres} }`)
  const url = 'postgres://mizani:geheim@db/desks?sslmode=verify-full'
  const read = await load(withStore('!env STORE_URL'), {}, { ...ENV, STORE_URL: url })
  expect(read.ok ? read.value.store.place : read.error).toMatchObject({ url })
  const refused = await load(withStore(url))
  expect(refused.ok ? [] : refused.error).toMatchObject([
    { path: 'store.postgres', message: expect.stringContaining('in plain text') as string },
  ])
  expect(JSON.stringify(refused)).not.toContain('geheim')
})

test('a write that could still be under way when another daemon begins is refused, and only where daemons share a store', () => {
  const url = 'postgres://db.example/mizani?sslmode=verify-full'
  expect(loaded(url, {}, { writeTimeoutMs: 1_250 }).ok).toBe(true)
  expect(loaded(null, {}, { writeTimeoutMs: 60_000 }).ok).toBe(true)
  const refused = loaded(url, {}, { writeTimeoutMs: 1_251 })
  expect(refused).toMatchObject({ ok: false, error: [{ path: ['store', 'lease', 'deadlineMs'] }] })
  expect(JSON.stringify(refused)).toContain('2751 ms; must be at least 3001')
})

test('the lease of a store in PostgreSQL has its own times, and those that are not safe are refused', () => {
  const url = 'postgres://db.example/mizani?sslmode=verify-full'
  expect(loaded(url)).toMatchObject({ value: { terms: { ...DEFAULT_TERMS, writeTimeoutMs: 1_000 } } })
  expect(loaded(null)).toMatchObject({ value: { terms: null } })
  const longer = { renewMs: 1_500, roundTripMs: 1_000, deadlineMs: 6_000, waitMs: 9_000 }
  expect(loaded(url, {}, { lease: longer, writeTimeoutMs: 2_000 })).toMatchObject({
    value: { terms: { ...longer, writeTimeoutMs: 2_000 } },
  })
  expect(loaded(url, {}, { lease: { ...longer, waitMs: 8_999 } })).toMatchObject({
    error: [{ path: ['store', 'lease', 'waitMs'] }],
  })
})

test('what `mizani check` proposes is never refused, whatever was measured', () => {
  const times = fc.double({ min: 0, max: 120_000, noNaN: true })
  fc.assert(
    fc.property(times, times, times, (venueMs, guardMs, databaseMs) => {
      const { writeTimeoutMs, ...guard } = proposeTerms({ venueMs, grantMs: guardMs })
      const { writeTimeoutMs: same, ...lease } = proposeTerms({ venueMs, grantMs: databaseMs })
      expect(same).toBe(writeTimeoutMs)
      const venue = configSchema.shape.venue.shape.writeTimeoutMs.parse(writeTimeoutMs)
      const store = loaded(
        'postgres://db.example/mizani?sslmode=verify-full',
        {},
        { lease, writeTimeoutMs: venue },
      )
      expect(store).toMatchObject({ ok: true, value: { terms: { ...lease, writeTimeoutMs } } })
      expect(configSchema.shape.guard.parse(guard)).toMatchObject(guard)
    }),
  )
})

test.each([
  ['postgres://localhost/mizani%E0%A4%A', 'percent sign'],
  ['postgres://localhost/mizani?port=abc', 'not one of 1 to 65535'],
  ['postgres://localhost:0/mizani', 'not one of 1 to 65535'],
  ['postgres://localhost/mizani?sslrootcert=/nowhere/ca.pem', 'ENOENT'],
])('%s is refused at load: %s', async (postgres, why) => {
  const config = await load(changed('{ path: ./data }', `{ path: ./data, postgres: '${postgres}' }`))
  expect(config.ok ? [] : config.error).toMatchObject([
    { path: 'store.postgres', line: 13, message: expect.stringContaining(why) },
  ])
})
