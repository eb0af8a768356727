import { expect, test } from 'vitest'
import { callsWith, failureOf, read, valueOf } from '../read-answer.ts'

const ask = { side: 'ask', probe: 100_000_000n } as const
const REFUSED = { error: 'Unsupported tokens. Valid: NTZS, USDC, USDT' }
const RATE = { midRate: 2568, bidBps: 120, askBps: 150, spreadBps: 150, lowLiquidity: true }

test('the symbol of the shilling is learned from the refusal that lists the other one, and kept once it is taken', () => {
  const calls = callsWith()
  expect(calls.swapRate(ask).query['to']).toBe('TZS_TOKEN')
  failureOf(read(calls.swapRate(ask), REFUSED, 400))
  const second = calls.swapRate(ask)
  expect(second.query['to']).toBe('NTZS')
  valueOf(read(second, RATE))
  failureOf(read(calls.swapRate(ask), { error: 'Unsupported tokens. Valid: TZS_TOKEN' }, 400))
  expect(calls.swapRate(ask).query['to']).toBe('NTZS')
})

test.each([
  ['another status', REFUSED, 500],
  ['words without the other symbol', { error: 'amount too small' }, 400],
])('the symbol stays after %s', (_what, body, status) => {
  const calls = callsWith()
  failureOf(read(calls.swapRate(ask), body, status))
  expect(calls.swapRate(ask).query['to']).toBe('TZS_TOKEN')
})

test('a symbol that the settings name is never replaced', () => {
  const calls = callsWith({ shillingSymbol: 'TZS_TOKEN' })
  failureOf(read(calls.swapRate(ask), REFUSED, 400))
  expect(calls.swapRate(ask).query['to']).toBe('TZS_TOKEN')
})
