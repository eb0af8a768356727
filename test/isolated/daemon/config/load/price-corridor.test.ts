import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { RATE_ONE } from '../../../../../src/base/money/rate.ts'
import { changed, load, problemsOf, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

const WITH = changed('risk: { ', "risk: { priceCorridor: { min: '2300.5', max: 2900 }, ")

describe('the price corridor of a configuration', () => {
  test('reaches the core with all digits of an unquoted number', async () => {
    const loaded = await load(WITH.replace('2900', '2900.123456789012345678'), { forTrading: true })
    expect(loaded.ok && loaded.value.core.risk.priceCorridor?.max).toBe(2_900_123_456_789_012_345_678n)
  })

  test('reaches the core as exact rates', async () => {
    const loaded = await load(WITH, { forTrading: true })
    expect(loaded.ok && loaded.value.core.risk.priceCorridor).toEqual({
      min: (23_005n * RATE_ONE) / 10n,
      max: 2_900n * RATE_ONE,
    })
  })

  test.each([
    ['mode: live', VALID],
    ['rfq', `${VALID.replace('mode: live ', 'mode: dry-run ')}rfq: ${rfqSection()}\n`],
  ])('is demanded of anyone who trades with %s, and the refusal shows what to write', async (why, yaml) => {
    const env = {
      MIZANI_API_KEY: 'mm_x',
      MIZANI_HTTP_TOKEN: 'token-5521-aa',
      MIZANI_KEY: `0x${'ab'.repeat(32)}`,
    }
    const refused = await load(yaml, { forTrading: true }, env)
    expect(refused.ok ? [] : refused.error.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      `risk.priceCorridor: missing, and ${why} needs it: priceCorridor: { min: '2300', max: '2900' }, the lowest and highest TZS per USD to ever quote or sign from; \`mizani check\` proposes one`,
    ])
    expect((await load(yaml, {}, env)).ok).toBe(true)
  })

  test('is not needed where nothing is sent: a dry run of pooled capital trades without one', async () => {
    const yaml = VALID.replace('mode: live ', 'mode: dry-run ')
    expect((await load(yaml, { forTrading: true })).ok).toBe(true)
  })

  test.each([
    ["{ min: '2900', max: '2300' }", 'not above min; expected the lowest and the highest TZS per USD'],
    ["{ min: '2300', max: '2300' }", 'not above min; expected the lowest and the highest TZS per USD'],
    [
      "{ min: '0', max: '2300' }",
      '0 is not between 1 and 1000000 TZS per USD; expected TZS per USD such as 2612.5',
    ],
    [
      "{ min: '1e3', max: '2300' }",
      '"1e3" is not a plain decimal number; expected TZS per USD such as 2612.5',
    ],
    [
      '{ min: -5, max: 2300 }',
      '-5 is not between 1 and 1000000 TZS per USD; expected TZS per USD such as 2612.5',
    ],
  ])('of %s is refused: %s', async (corridor, why) => {
    const yaml = changed('risk: { ', `risk: { priceCorridor: ${corridor}, `)
    expect((await problemsOf(yaml)).join('\n')).toContain(why)
  })

  test.each([
    'config/live.example.yaml',
    'config/self-custody.example.yaml',
    'config/schedule.example.yaml',
    'config/sandbox.yaml',
    'deploy/compose/live.yaml',
    'deploy/compose/sandbox.yaml',
    'deploy/kubernetes/live.yaml',
  ])('stands in %s', (file) => {
    const text = readFileSync(new URL(`../../../../../${file}`, import.meta.url), 'utf8')
    expect(text).toMatch(/^ *(?:risk: \{ )?priceCorridor: \{ min: '\d+', max: '\d+' \}/m)
  })
})

function rfqSection(): string {
  return "{ chainId: 8453, maker: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', tokens: { NTZS: '0x00000000000000000000000000000000000a11ce', USDC: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }, rpc: { urls: [https://one.example] }, signer: { envKey: !env MIZANI_KEY, allowInLive: true } }"
}
