import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { expectGolden, goldenJson } from '../../../../support/expect-golden.ts'
import { loadConfig } from '../../../../../src/daemon/config/load/load-config.ts'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import {
  changed,
  ENV,
  folderWith,
  load,
  STRATEGIES,
  VALID,
} from '../../../../unit/daemon/config/config-fixture.ts'

async function loaded(text: string | Uint8Array, env?: Record<string, string>): Promise<LoadedConfig> {
  const result = await load(text, {}, env)
  if (!result.ok)
    throw new Error(result.error.map((problem) => `${problem.path}: ${problem.message}`).join('\n'))
  return result.value
}

const SMALLEST = `name: a
venue: { baseUrl: "https://venue.example/x", apiKey: !env MIZANI_API_KEY }
strategy: { use: plain }
`

test('the configuration of the issue is read to the letter', async () => {
  const { core, venue, http, store, log, apiKey } = await loaded(VALID)
  const { sourceHash, ...strategy } = core.strategy
  expect(sourceHash).toMatch(/^[0-9a-f]{64}$/)
  await expectGolden('config/issued', goldenJson({ core: { ...core, strategy }, venue, http, store, log }))
  expect(apiKey.reveal()).toBe(ENV.MIZANI_API_KEY)
  expect(http.token?.reveal()).toBe(ENV.MIZANI_HTTP_TOKEN)
})

test('what a small file leaves out has safe defaults', async () => {
  const { core, http, store, withdraw } = await loaded(SMALLEST, { MIZANI_API_KEY: 'k' })
  const { sourceHash: _hash, ...strategy } = core.strategy
  await expectGolden('config/defaults', goldenJson({ core: { ...core, strategy }, http, store }))
  expect(withdraw).toEqual(core.withdraw)
})

test('publicUrl: null turns the public endpoint off', async () => {
  const config = await loaded(changed('publicUrl: http://127.0.0.1:8787', 'publicUrl: null'))
  expect(config.venue.publicUrl).toBeNull()
  expect(config.core.pacing.publicRequestsPerMinute).toBe(0)
})

test('strategies read the tolerance of the venue', async () => {
  const text = SMALLEST.replace('venue: {', 'venue: { toleranceBps: 0,')
  expect((await loaded(text, { MIZANI_API_KEY: 'k' })).core.toleranceBps).toBe(0)
})

test('the core has a cost of capital only where one is set', async () => {
  const key = { MIZANI_API_KEY: 'k' }
  expect((await loaded(SMALLEST, key)).core.inventory).not.toHaveProperty('capitalCost')
  const { inventory } = (await loaded(`${SMALLEST}inventory: { capitalCost: { ntzsPerYear: 0.12 } }`, key))
    .core
  expect(inventory.capitalCost).toEqual({ ntzsPerYear: 0.12, usdPerYear: 0 })
})

test('money keeps every digit, in quotes or not, in the units of its asset', async () => {
  const text = changed('maxLossTzs: null', 'maxLossTzs: 123456789012345678901.10').replace(
    'inventory: { target: 0.5 }',
    "inventory: { limits: { NTZS: { min: 0.000000000000000001 }, USDC: { max: '50000.5' }, USDT.bnb: { min: 1, max: 2 } } }",
  )
  const { core } = await loaded(text)
  expect(core.risk.maxLossTzs).toBe(12345678901234567890110n * 10n ** 34n)
  expect(core.inventory.limits).toEqual({
    NTZS: { min: 1n, max: null },
    USDC: { min: null, max: 500_005n * 10n ** 17n },
    'USDT.bnb': { min: 10n ** 18n, max: 2n * 10n ** 18n },
  })
})

test('withdrawals are read with their addresses and caps', async () => {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7'
  const config = await loaded(
    `${VALID}withdraw: { enabled: true, destinations: ['${address}'], maxPerDay: { USDC: 1000.5 } }\n`,
  )
  expect(config.withdraw).toMatchObject({
    enabled: true,
    destinations: [address],
    maxPerDay: { USDC: 1_000_500_000n },
  })
})

test.each([
  ['mm_live_1234', '', 0n],
  ['mm_test_1234', '', null],
  ['another-kind-of-key', '', 0n],
  ['mm_live_1234', 'withdraw: { approvalAboveUsd: null }\n', null],
  ['mm_test_1234', "withdraw: { approvalAboveUsd: '1500.5' }\n", 15_005n * 10n ** 17n],
])('with the key %s and %s a second person approves above %s dollars', async (key, lines, limit) => {
  const config = await loaded(`${VALID}${lines}`, { ...ENV, MIZANI_API_KEY: key })
  expect(config.core.withdraw.approvalAboveUsd).toBe(limit)
})

test('a key in a file is read from beside the configuration, without its line end, and watched', async () => {
  const folder = folderWith({
    'live.yaml': changed('!env MIZANI_API_KEY', '!file mm_key'),
    mm_key: 'from-a-file\n',
  })
  const result = await loadConfig(join(folder, 'live.yaml'), ENV, { strategiesFolder: STRATEGIES })
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  expect(result.value.apiKey.reveal()).toBe('from-a-file')
  expect(result.value.watchFiles).toEqual([
    join(folder, 'live.yaml'),
    join(folder, 'mm_key'),
    join(STRATEGIES, 'plain.ts'),
  ])
})

test('anchors, merge keys, a byte order mark and Windows line ends are understood', async () => {
  const anchored = changed(
    'log: { level: info }',
    'log: &quiet { level: warn }\nstore: { <<: { keepJournalDays: 7 }, path: ./elsewhere }',
  )
    .replace('store: { path: ./data }\n', '')
    .replace('halfSpreadBps: 60', 'halfSpreadBps: &half 70, label: &name desk')
    .replace('name: desk-1', 'name: desk-1')
  const config = await loaded(`\uFEFF${anchored}`.replaceAll('\n', '\r\n'))
  expect(config.store).toEqual({ path: './elsewhere', keepJournalDays: 7, place: './elsewhere', terms: null })
  expect(config.core.strategy.params).toEqual({ halfSpreadBps: 70, label: 'desk' })
})

test('aliases of aliases without end are refused, not expanded', async () => {
  const bomb = Array.from(
    { length: 30 },
    (_, i) => `  - &a${i} [${i === 0 ? '1' : `*a${i - 1}, *a${i - 1}`}]`,
  ).join('\n')
  const result = await load(`${VALID}bomb:\n${bomb}\n`)
  expect(result.ok).toBe(false)
  if (!result.ok) expect(result.error[0]?.message).toContain('too many values')
})

test('secrets print as [secret] however they are printed', async () => {
  const config = await loaded(VALID)
  const printed = [
    inspect(config, { depth: 9 }),
    JSON.stringify({ ...config, strategy: null, core: null, withdraw: null }),
    [config.apiKey, config.http.token].join(' '),
    String(config.http.token),
  ]
  expect(printed.join()).toContain('[secret]')
  for (const text of printed) {
    expect(text).not.toContain(ENV.MIZANI_API_KEY)
    expect(text).not.toContain(ENV.MIZANI_HTTP_TOKEN)
  }
})

test('a missing file, a folder and an unreadable secret are values', async () => {
  const folder = folderWith({})
  const messages: string[] = []
  for (const file of [join(folder, 'none.yaml'), folder]) {
    const result = await loadConfig(file, ENV, { strategiesFolder: STRATEGIES })
    if (!result.ok) messages.push(...result.error.map((problem) => problem.message))
  }
  expect(messages).toEqual([
    'there is no such file; give the path of a configuration file',
    'this is a folder; give the path of a configuration file',
  ])
})

test('a strategy path is relative to the configuration file', async () => {
  const folder = folderWith({ 'live.yaml': changed('use: plain', 'use: ./own.ts') })
  writeFileSync(
    join(folder, 'own.ts'),
    "export { default } from '" + relative(folder, join(STRATEGIES, 'plain.ts')) + "'\n",
  )
  const result = await loadConfig(join(folder, 'live.yaml'), ENV, { strategiesFolder: STRATEGIES })
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  expect(result.value.core.strategy.use).toBe('./own.ts')
})

test.each([
  [
    'an empty variable',
    { MIZANI_API_KEY: '  ' },
    'environment variable MIZANI_API_KEY is empty; set it to the secret, or use !file PATH',
  ],
  [
    'a secret of two words',
    { MIZANI_API_KEY: 'two words' },
    'the secret behind !env has spaces, line breaks or non-ASCII characters; use one word of plain ASCII',
  ],
  [
    'a secret in quotes, as docker --env-file passes them on,',
    { MIZANI_API_KEY: "'mm_live_1'" },
    'the secret behind !env has quotes around it; use the bare secret',
  ],
])('%s is refused', async (_claim, env, message) => {
  const result = await load(SMALLEST, {}, env)
  expect(result.ok ? [] : result.error.map((problem) => problem.message)).toEqual([message])
})

test('a file whose secret has spaces around it is refused with what is around it', async () => {
  const folder = folderWith({
    'live.yaml': changed('!env MIZANI_API_KEY', '!file key'),
    key: ' mm_live_1 \n',
  })
  const result = await loadConfig(join(folder, 'live.yaml'), ENV, { strategiesFolder: STRATEGIES })
  expect(result.ok ? [] : result.error.map(({ message }) => message)).toEqual([
    'the secret behind !file has spaces or line breaks around it; use the bare secret',
  ])
})
