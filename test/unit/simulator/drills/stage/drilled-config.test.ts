import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { SecretReference } from '../../../../../src/daemon/config/source/secret.ts'
import {
  type DrilledPosition,
  readDrilledPosition,
} from '../../../../../src/simulator/drills/model/drilled-position.ts'
import { drilledConfig, drilledText } from '../../../../../src/simulator/drills/stage/drilled-config.ts'

const AROUND = {
  venueUrl: 'http://127.0.0.1:1111',
  feedUrl: 'http://127.0.0.1:2222/rates',
  receiverUrl: 'http://127.0.0.1:3333/',
  storeFolder: '/tmp/drill/store',
  guardPort: 4_444,
  rfq: null,
  partner: null,
}
const PEAK = { fillsPerMinute: 1, usdPerMinute: 1, requestsPerMinute: 1, source: 'a test' }
const folder = mkdtempSync(join(tmpdir(), 'mizani-drilled-'))

/** A treasury whose partner, user, wallet, phone and payees are the desk's own. */
const TREASURY = `
treasury:
  partner: { baseUrl: 'https://canary.example', apiKey: !env CANARY_PARTNER, requestTimeoutMs: 9000 }
  userId: 3f2b8c1e-0d4a-4f6b-9a57-2d1c8e9f0a1b
  lpWallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  phone: '0754999888'
  mode: plan
  policy:
    bands: { NTZS: { target: '4000000', refillBelow: '0', skimAbove: '90000000' } }
    routes: [payout]
    caps: [{ route: payout, perDay: { NTZS: '900000' } }]
    leadTimeMs: 7200000
    profitsTo: house
    skimCron: '0 20 * * 5'
  payees: [{ name: cold, address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }, { name: house, bank: { bankCode: NMB, accountNumber: CANARY-1 } }]
  approval: { people: 1, coolOffMs: 60000 }
  replayWindowMs: 1800000
  webhooks: { secrets: [!env CANARY_WEBHOOK] }
  calendar: ./canary-calendar.json
`

/** Every place of a configuration that has an address, a key or a file of the desk's own. */
const WHOLE = `
name: desk-1
mode: dry-run
venue: { baseUrl: 'https://canary.example', publicUrl: 'https://canary.example', apiKey: !env CANARY_KEY, requestsPerMinute: 50, requestTimeoutMs: 4000 }
strategy: { use: ./strategies/canary.ts, params: { halfSpreadBps: 60, inner: { use: ../wrapped.ts } } }
risk: { priceCorridor: { min: '2300', max: '2900' }, maxLossTzs: '1000.000000000000000001', maxMidStepBps: 120 }
inventory: { limits: { USDC: { min: '500', max: '50000' } } }
quote: { safeBps: 400 }
pacing: { balancesIntervalMs: 9000 }
activation: manual
store: { path: /canary/store, postgres: !env CANARY_STORE }
http: { host: 127.0.0.1, port: 9999, token: !env CANARY_TOKEN, readToken: !file canary.token }
log: { level: warn, file: /canary/log }
withdraw: { enabled: true, destinations: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'] }
calibration: canary-calibration.json
record: { path: /canary/tape }
guard: { url: 'https://canary.example:9465', host: 0.0.0.0, port: 9465, token: !env CANARY_GUARD, tls: { cert: canary.pem, key: canary.key }, ca: canary-ca.pem, path: /canary/guard, whenSilent: carry-on, waitMs: 6000 }
feeds:
  - { name: board, everyMs: 5000, http: { url: 'https://canary.example/rate', path: a.b, headers: { Authorization: !env CANARY_FEED } } }
  - { name: desk-file, csv: { file: canary.csv, column: mid } }
notify:
  telegram: { botToken: !env CANARY_BOT, chatId: '-100canary1', minSeverity: critical }
  slack: { webhookUrl: !env CANARY_SLACK, minSeverity: info }
  groupMs: 12000
`.replace("'-100canary1'", "'-1001234567890'")

function deskOf(text: string): DrilledPosition {
  const file = join(folder, 'desk.yaml')
  writeFileSync(file, text)
  const read = readDrilledPosition(file)
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  return { ...read.value, peak: PEAK }
}

test("a drill's configuration has no address, no key and no file of the desk but its strategy and calibration", () => {
  const text = drilledText(drilledConfig(deskOf(WHOLE), AROUND))
  const found = text.match(/.*canary.*/gi)?.map((line) => line.trim())
  expect(found).toEqual([
    `"use": "${join(folder, 'strategies/canary.ts')}",`,
    `"calibration": "${join(folder, 'canary-calibration.json')}",`,
  ])
  expect(text).not.toContain('0x70997970')
  expect(text.match(/!env \w+/g)).toEqual([
    '!env MIZANI_DRILL_KEY',
    '!env MIZANI_DRILL_TOKEN',
    '!env MIZANI_DRILL_RECEIVER',
    '!env MIZANI_DRILL_HMAC',
  ])
})

test('strategy, limits and pacing are those of the desk, to the last digit', () => {
  const drilled = drilledConfig(deskOf(WHOLE), AROUND)
  expect(drilled['risk']).toMatchObject({ maxLossTzs: '1000.000000000000000001', maxMidStepBps: 120 })
  expect(drilled['inventory']).toEqual({ limits: { USDC: { min: '500', max: '50000' } } })
  expect(drilled['quote']).toEqual({ safeBps: 400 })
  expect(drilled['pacing']).toEqual({ balancesIntervalMs: 9_000 })
  expect(drilled['venue']).toMatchObject({ requestsPerMinute: 50, requestTimeoutMs: 4_000 })
  expect(drilled['strategy']).toMatchObject({
    params: { halfSpreadBps: 60, inner: { use: join(folder, '..', 'wrapped.ts') } },
  })
})

test('a drill quotes and trades whatever mode and activation the desk has', () => {
  expect(drilledConfig(deskOf(WHOLE), AROUND)).toMatchObject({ mode: 'live', activation: 'auto' })
})

test('the guard acts as at the desk, and is found on this machine; a desk that names none is drilled without', () => {
  const guard = { whenSilent: 'carry-on', waitMs: 6_000, port: AROUND.guardPort }
  expect(drilledConfig(deskOf(WHOLE), AROUND)['guard']).toEqual(guard)
  for (const text of [WHOLE.replace(/guard: .*\n/, ''), WHOLE.replace(/guard: .*\n/, 'guard: null\n')])
    expect(drilledConfig(deskOf(text), AROUND)['guard']).toBeNull()
})

test('orders are signed with the terms of the desk, and by a wallet, on a chain and for a solver of the drill', () => {
  const read = readDrilledPosition('config/self-custody.example.yaml')
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  const rfq = { chainId: 8_453, maker: '0x1', rpc: { urls: ['http://127.0.0.1:5'] } }
  const drilled = drilledConfig({ ...read.value, peak: PEAK }, { ...AROUND, rfq })
  expect(drilled['rfq']).toMatchObject({
    ...rfq,
    expiryMs: 120_000,
    confirmations: 12,
    maxOutstandingUsd: '8000',
  })
  const own = read.value.config.rfq
  const text = drilledText(drilled).toLowerCase()
  for (const address of [own?.exchange, own?.maker, ...Object.values(own?.tokens ?? {})])
    expect(text).not.toContain(String(address).toLowerCase())
  expect(text).not.toContain('mainnet.base.org')
  expect(drilledConfig(deskOf(WHOLE), AROUND)).not.toHaveProperty('rfq')
})

test('a treasury decides as at the desk, and pays an account of the drill by a partner of the drill', () => {
  const desk = deskOf(WHOLE + TREASURY)
  const partner = { userId: '00000000-0000-4000-8000-000000000000', lpWallet: '0x1' }
  const drilled = drilledConfig(desk, { ...AROUND, partner })
  expect(drilled['treasury']).toEqual({
    ...partner,
    partner: {
      baseUrl: AROUND.venueUrl,
      apiKey: '!env MIZANI_DRILL_PARTNER',
      requestTimeoutMs: 9_000,
    },
    phone: '0754000111',
    mode: 'live',
    policy: {
      bands: { NTZS: { target: '4000000', refillBelow: '0', skimAbove: '90000000' } },
      routes: ['payout'],
      caps: [{ route: 'payout', perDay: { NTZS: '900000' } }],
      leadTimeMs: 7_200_000,
      profitsTo: null,
      skimCron: null,
    },
    payees: [{ name: 'house', bank: { bankCode: 'CRDB', accountNumber: '0150123456745' }, admitted: true }],
    approval: { people: 1, coolOffMs: 60_000 },
    replayWindowMs: 1_800_000,
    calendar: join(folder, 'canary-calendar.json'),
  })
  const [orders, approves] = (drilled['http'] as { tokens: { token: string }[] }).tokens
  expect([orders?.token, approves?.token]).toEqual([
    '!env MIZANI_DRILL_PERSON_A',
    '!env MIZANI_DRILL_PERSON_B',
  ])
  const text = drilledText(drilled)
  expect(text).not.toMatch(/CANARY|0754999888|3f2b8c1e|0x70997970/)
})

test('nights that are not about the treasury leave it out', () => {
  const drilled = drilledConfig(deskOf(WHOLE + TREASURY), AROUND)
  expect(drilled).not.toHaveProperty('treasury')
  expect(drilled['http']).not.toHaveProperty('tokens')
})

test('people hear in a drill what their most talkative channel would let through', () => {
  expect(drilledConfig(deskOf(WHOLE), AROUND)['notify']).toMatchObject({
    webhook: { minSeverity: 'info' },
    groupMs: 12_000,
  })
})

test('every feed is read as often as before, and from the simulated market', () => {
  expect(drilledConfig(deskOf(WHOLE), AROUND)['feeds']).toEqual([
    { name: 'board', everyMs: 5_000, http: { url: AROUND.feedUrl, path: 'rates.TZS' } },
    { name: 'desk-file', http: { url: AROUND.feedUrl, path: 'rates.TZS' } },
  ])
})

test('a section that gets a secret one day is refused before it is written down', () => {
  const desk = deskOf(WHOLE)
  const leaking = { ...desk, data: { ...desk.data, pacing: { key: new SecretReference('env', 'CANARY') } } }
  expect(() => drilledConfig(leaking, AROUND)).toThrow('no secret')
})

test('the written text is a configuration with four variables and no other tag', () => {
  const text = drilledText(drilledConfig(deskOf(WHOLE), AROUND))
  const tags = [{ tag: '!env', resolve: (name: string) => `variable ${name}` }]
  expect(parse(text, { customTags: tags })).toMatchObject({
    venue: { apiKey: 'variable MIZANI_DRILL_KEY' },
    http: { port: 0, token: 'variable MIZANI_DRILL_TOKEN' },
  })
})

test('a drill of a position without a price corridor is refused with the advice to set one', () => {
  const file = join(folder, 'open.yaml')
  writeFileSync(file, WHOLE.replace("priceCorridor: { min: '2300', max: '2900' }, ", ''))
  const read = readDrilledPosition(file)
  expect(read.ok ? [] : read.error.map(({ message }) => message)).toEqual([
    expect.stringContaining("priceCorridor: { min: '2300', max: '2900' }"),
  ])
})
