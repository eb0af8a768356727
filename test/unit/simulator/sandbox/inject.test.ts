import { expect, test } from 'vitest'
import { conservationGap } from '../../../support/conservation-gap.ts'
import { formatTokens, zeroAmounts } from '../../../../src/base/money/asset.ts'
import { modelClient } from './model-client.ts'

test('a fill of a third token takes shillings of the pool, shows a row of that token, and loses no unit', () => {
  const { model, goLive, get } = modelClient()
  goLive()
  const before = model.book()
  model.inject({ thirdToken: { symbol: 'TGBP', amountIn: '100', ntzs: '340000' } })
  const after = model.book()
  expect(before.ours.pool.NTZS - after.ours.pool.NTZS).toBe(340_000n * 10n ** 18n)
  expect(conservationGap(after)).toEqual(zeroAmounts())
  expect(get('/fills')).toMatchObject({
    fills: [{ fromToken: 'TGBP', toToken: 'NTZS', amountIn: '100', amountOut: '340000' }],
  })
})

test('a fill of a third token that the pool cannot pay is refused, and nothing changes', () => {
  const { model, goLive, get } = modelClient()
  goLive()
  const before = model.book()
  const input = { thirdToken: { symbol: 'ZARP' as const, amountIn: '1', ntzs: '99999999999' } }
  expect(() => model.inject(input)).toThrow('pool holds less')
  expect(model.book()).toEqual(before)
  expect(get('/fills')).toEqual({ fills: [] })
})

test('a theft and a fill of a third token that the pool can pay only one at a time are refused, and nothing changes', () => {
  const { model, goLive } = modelClient()
  goLive()
  const before = model.book()
  const amount = formatTokens(before.ours.pool.NTZS, 'NTZS')
  const steal = { asset: 'NTZS', amount, from: 'pool' } as const
  const input = { steal, thirdToken: { symbol: 'TGBP', amountIn: '1', ntzs: '1' } } as const
  expect(() => model.inject(input)).toThrow('the pool holds less than 1 NTZS')
  expect(model.book()).toEqual(before)
})

test('tokens that arrive in one call can be stolen by it, and no more than those', () => {
  const { model } = modelClient()
  const held = model.book().ours.wallet.USDC
  const externalTransfer = { asset: 'USDC', amount: '5' } as const
  const steal = (amount: string) =>
    ({ externalTransfer, steal: { asset: 'USDC', amount, from: 'wallet' } }) as const
  expect(() => model.inject(steal(formatTokens(held + 5_000_001n, 'USDC')))).toThrow('holds less')
  expect(model.book().ours.wallet.USDC).toBe(held)
  model.inject(steal(formatTokens(held + 5_000_000n, 'USDC')))
  expect(model.book().ours.wallet.USDC).toBe(0n)
  expect(conservationGap(model.book())).toEqual(zeroAmounts())
})

test('a venue that ignores pairs answers a list with null', () => {
  const { model, ask } = modelClient()
  model.inject({ faults: { ignoresPairs: true } })
  const body = { bidBps: 50, askBps: 60, quotePairs: ['USDC', 'USDT'] }
  expect(ask('PATCH', '/spread', body).body).toMatchObject({ bidBps: 50, quotePairs: null })
})
