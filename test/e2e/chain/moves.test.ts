import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readBook, transfer } from '../../../src/simulator/sandbox/market/book.ts'
import { conservationGap } from '../../support/conservation-gap.ts'
import { shortenMoves } from '../../../src/simulator/sandbox/chain/moves.ts'
import { createVenueModel } from '../../../src/simulator/sandbox/model.ts'
import type { VenueState } from '../../../src/simulator/sandbox/state.ts'
import { scriptedWorld } from '../../unit/simulator/sandbox/scripted-world.ts'

const KINDS = ['sweep-to-pool', 'withdrawal', 'stolen-from-wallet'] as const
const ASSETS = ['NTZS', 'USDC', 'USDT'] as const
type Kind = (typeof KINDS)[number]
type Asset = (typeof ASSETS)[number]

function venue(): VenueState {
  return createVenueModel({}, scriptedWorld()).state
}

/** The books begin to move so much out of the wallet. */
function move(state: VenueState, kind: Kind, asset: Asset, amount: bigint): void {
  const { wallet, pool, transfers } = state.ours
  transfers.push(transfer(state, kind, asset, amount))
  wallet[asset] -= amount
  const receiver = kind === 'sweep-to-pool' ? pool : state.external
  receiver[asset] += amount
}

/** A fill of an order that the books learn of after they began to move. */
function fill(state: VenueState, asset: Asset, amount: bigint): void {
  state.ours.wallet[asset] -= amount
  state.takers[asset] += amount
}

describe('movements out of the wallet after a fill that no one knew of', () => {
  test('the last one takes less, and what it did not take is back where it came from', () => {
    const state = venue()
    const { wallet, pool } = state.ours
    wallet.USDC = 100n
    const pooled = pool.USDC
    move(state, 'sweep-to-pool', 'USDC', 100n)
    fill(state, 'USDC', 30n)
    shortenMoves(state, 0)
    expect(state.ours.transfers.map(({ amount }) => amount)).toEqual([70n])
    expect([wallet.USDC, pool.USDC - pooled]).toEqual([0n, 70n])
  })

  test('those that are on the chain already stay as they are', () => {
    const state = venue()
    state.ours.wallet.USDC = 100n
    move(state, 'withdrawal', 'USDC', 60n)
    move(state, 'withdrawal', 'USDC', 40n)
    fill(state, 'USDC', 50n)
    shortenMoves(state, 1)
    expect(state.ours.transfers.map(({ amount }) => amount)).toEqual([60n, 0n])
    expect(state.ours.wallet.USDC).toBe(-10n)
  })

  test('whatever was begun and filled: no unit appears or is lost, and no movement grows', () => {
    const asset = fc.constantFrom(...ASSETS)
    const amount = fc.bigInt({ min: 0n, max: 1_000n })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...KINDS), asset, amount), { maxLength: 8 }),
        fc.array(fc.tuple(asset, amount), { maxLength: 4 }),
        fc.nat({ max: 8 }),
        (moves, fills, from) => {
          const state = venue()
          for (const token of ASSETS) state.ours.wallet[token] = 1_000n
          for (const [kind, token, units] of moves) move(state, kind, token, units)
          for (const [token, units] of fills) fill(state, token, units)
          const before = state.ours.transfers.map((moved) => moved)
          const gap = conservationGap(readBook(state))
          const short = { ...state.ours.wallet }
          shortenMoves(state, from)
          expect(conservationGap(readBook(state))).toEqual(gap)
          for (const [at, { kind, asset: token, amount: units }] of state.ours.transfers.entries()) {
            expect([kind, token]).toEqual([before[at]?.kind, before[at]?.asset])
            expect(units).toBeGreaterThanOrEqual(0n)
            expect(units).toBeLessThanOrEqual(before[at]?.amount ?? 0n)
            if (at < from) expect(units).toBe(before[at]?.amount)
          }
          for (const token of ASSETS) {
            // What is not below zero is left alone; what is, comes up to zero or as far as the movements reach.
            if (short[token] >= 0n) expect(state.ours.wallet[token]).toBe(short[token])
            else {
              expect(state.ours.wallet[token]).toBeLessThanOrEqual(0n)
              const rest = state.ours.transfers.slice(from).filter((moved) => moved.asset === token)
              if (rest.some((moved) => moved.amount > 0n)) expect(state.ours.wallet[token]).toBe(0n)
            }
          }
        },
      ),
    )
  })
})
