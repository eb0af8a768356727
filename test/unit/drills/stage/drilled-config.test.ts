import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { SecretReference } from '../../../../src/config/source/secret.ts'
import { type DrilledPosition, readDrilledPosition } from '../../../../src/drills/model/drilled-position.ts'
import { drilledConfig, drilledText } from '../../../../src/drills/stage/drilled-config.ts'

const AROUND = {
  venueUrl: 'http://127.0.0.1:1111',
  feedUrl: 'http://127.0.0.1:2222/rates',
  receiverUrl: 'http://127.0.0.1:3333/',
  storeFolder: '/tmp/drill/store',
}
const PEAK = { fillsPerMinute: 1, usdPerMinute: 1, source: 'a test' }
const folder = mkdtempSync(join(tmpdir(), 'mizani-drilled-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

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
store: { path: /canary/store }
http: { host: 127.0.0.1, port: 9999, token: !env CANARY_TOKEN, readToken: !file canary.token }
log: { level: warn, file: /canary/log }
withdraw: { enabled: true, destinations: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'] }
calibration: canary-calibration.json
record: { path: /canary/tape }
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
  expect(() => drilledConfig(leaking, AROUND)).toThrow('a drill names no secret of the desk')
})

test('the written text is a configuration with four variables and no other tag', () => {
  const text = drilledText(drilledConfig(deskOf(WHOLE), AROUND))
  const tags = [{ tag: '!env', resolve: (name: string) => `variable ${name}` }]
  expect(parse(text, { customTags: tags })).toMatchObject({
    venue: { apiKey: 'variable MIZANI_DRILL_KEY' },
    http: { port: 0, token: 'variable MIZANI_DRILL_TOKEN' },
  })
})

test('a desk without a price corridor is told to set one before it drills', () => {
  const file = join(folder, 'open.yaml')
  writeFileSync(file, WHOLE.replace("priceCorridor: { min: '2300', max: '2900' }, ", ''))
  const read = readDrilledPosition(file)
  expect(read.ok ? [] : read.error.map(({ message }) => message)).toEqual([
    expect.stringContaining("priceCorridor: { min: '2300', max: '2900' }"),
  ])
})
