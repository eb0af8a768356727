import { expect, test } from 'vitest'
import { checkLimits } from '../../../../../src/research/diagnosis/check/limits.ts'
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
