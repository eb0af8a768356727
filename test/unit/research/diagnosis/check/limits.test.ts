import { expect, test } from 'vitest'
import {
  checkInventory,
  checkLimits,
  checkLossLimits,
} from '../../../../../src/research/diagnosis/check/limits.ts'
import { coreConfig } from '../../../../support/core-config.ts'

const { risk, quote: all } = coreConfig()
const quote = { ...all, pairs: ['USDC', 'USDT'] }
const REVIEW = { fills: 500, sameSideFills: null, usd: null }
const ALL = { maxLossTzs: 1n, maxDrawdownTzs: 1n, maxFillPriceDeviationBps: 50, reviewAfter: REVIEW }

test('mizani check accepts a loss, a drawdown, a fill price and a review that have numbers', () => {
  expect(checkLimits(coreConfig({ quote, risk: { ...risk, ...ALL } })).map(({ status }) => status)).toEqual([
    'ok',
  ])
})

test.each(Object.keys(ALL))('mizani check warns of risk.%s: null, and names it', (name) => {
  const findings = checkLimits(coreConfig({ quote, risk: { ...risk, ...ALL, [name]: null } }))
  expect(findings).toMatchObject([
    { status: 'warn', detail: expect.stringContaining(`risk.${name} is null`) },
  ])
})

test.each([
  [null, 'TGBP or ZARP'],
  [['USDC', 'TGBP'], 'TGBP'],
])('mizani check warns of quote.pairs %j: a fill in %s cannot be owned', (pairs, tokens) => {
  const findings = checkLimits(coreConfig({ quote: { ...quote, pairs }, risk: { ...risk, ...ALL } }))
  expect(findings.filter(({ status }) => status === 'warn')).toMatchObject([
    { name: 'pairs', detail: expect.stringContaining(`a fill in ${tokens}`) },
  ])
})

const tokens = (amount: bigint) => amount * 10n ** 18n

test.each([
  ['between both limits', tokens(10n), []],
  ['at the lower limit', tokens(5n), []],
  ['at the upper limit', tokens(20n), []],
  [
    'below',
    tokens(4n),
    ['inventory.limits.NTZS.min is 5, and the position holds 4: only the side that refills it'],
  ],
  [
    'above',
    tokens(21n),
    ['inventory.limits.NTZS.max is 20, and the position holds 21: only the side that drains it'],
  ],
])('mizani check compares the holdings with inventory.limits: %s', (_, held, details) => {
  const limits = { NTZS: { min: tokens(5n), max: tokens(20n) }, USDT: { min: null, max: null } }
  const found = checkInventory(coreConfig({ inventory: { target: 0.5, limits } }), {
    NTZS: held,
    USDC: 0n,
    USDT: 1n,
  })
  expect(found).toMatchObject(
    details.map((detail) => ({ name: 'inventory', status: 'warn', detail: expect.stringContaining(detail) })),
  )
})

test.each([
  ['560', 'worth 0.22 USD, and the position 20000: it halts with the first loss'],
  ['1000000', null],
  ['900000000', 'worth 360000.00 USD, and the position 20000: it never halts'],
])('mizani check shows what a loss limit of %s TZS is worth where it cannot be meant', (text, detail) => {
  const maxLossTzs = BigInt(text) * 10n ** 36n
  const core = coreConfig({ risk: { ...risk, maxLossTzs, maxDrawdownTzs: null } })
  const held = { NTZS: tokens(25_000_000n), USDC: tokens(10_000n) }
  const found = checkLossLimits(core, held, 2_500n * 10n ** 18n)
  expect(found.map((one) => one.detail)).toEqual(detail === null ? [] : [expect.stringContaining(detail)])
  expect(checkLossLimits(core, held, null)).toEqual([])
})
