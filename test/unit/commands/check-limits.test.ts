import { expect, test } from 'vitest'
import { checkLimits } from '../../../src/commands/check-limits.ts'
import { coreConfig } from '../../support/core-config.ts'

const { risk } = coreConfig()
const REVIEW = { fills: 500, sameSideFills: null, usd: null }
const ALL = { maxLossTzs: 1n, maxDrawdownTzs: 1n, maxFillPriceDeviationBps: 50, reviewAfter: REVIEW }

test('the doctor is content with a loss, a drawdown, a fill price and a review that have numbers', () => {
  expect(checkLimits(coreConfig({ risk: { ...risk, ...ALL } })).map(({ status }) => status)).toEqual(['ok'])
})

test.each(Object.keys(ALL))('the doctor warns of risk.%s: null, and names it', (name) => {
  const findings = checkLimits(coreConfig({ risk: { ...risk, ...ALL, [name]: null } }))
  expect(findings).toMatchObject([
    { status: 'warn', detail: expect.stringContaining(`risk.${name} is null`) },
  ])
})
