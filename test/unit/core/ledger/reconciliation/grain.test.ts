import { expect, test } from 'vitest'
import { grainOf } from '../../../../../src/core/ledger/reconciliation/state.ts'
import { ASSETS, TOKEN_UNIT } from '../../../../../src/base/money/asset.ts'
import { NTZS, openDesk, OPENING, USD } from './harness.ts'

const FINE = Object.fromEntries(ASSETS.map((asset) => [asset, 1n]))

test("the venue's figures are whole units of each token until one balance of dollars is finer, and ever after", () => {
  const desk = openDesk()
  expect(grainOf(desk.state)).toEqual(TOKEN_UNIT)
  desk.quietly({ ...OPENING, NTZS: NTZS + 1n, 'USDT.bnb': 1n })
  expect(grainOf(desk.state)).toEqual(TOKEN_UNIT)
  desk.quietly({ ...OPENING, USDC: 400n * USD + 1n })
  expect(grainOf(desk.state)).toEqual(FINE)
  desk.quietly(OPENING)
  expect(grainOf(desk.state)).toEqual(FINE)
})
