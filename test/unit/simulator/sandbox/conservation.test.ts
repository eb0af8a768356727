import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ASSETS,
  TOKEN_DECIMALS,
  zeroAmounts,
  type Asset,
  type TokenAmounts,
} from '../../../../src/base/money/asset.ts'
import type { ProviderBook } from '../../../../src/simulator/sandbox/market/book.ts'
import { conservationGap } from '../../../support/conservation-gap.ts'
import { FILL_SOURCES } from '../../../../src/simulator/sandbox/market/measured-price.ts'
import { createVenueModel } from '../../../../src/simulator/sandbox/model.ts'
import { modelClient, type ModelClient } from './model-client.ts'
import { rival, scriptedWorld, START } from './scripted-world.ts'

/** What the provider must hold by its own fills and transfers: the sum a ledger would make. */
function owed({ opening, fills, transfers }: ProviderBook): TokenAmounts {
  const sum = { ...opening }
  for (const { from, to, amountIn, debit } of fills) {
    sum[from] += amountIn
    sum[to] -= debit
  }
  for (const { kind, asset, amount } of transfers) {
    if (kind === 'deposit') sum[asset] += amount
    if (kind === 'withdrawal' || kind.startsWith('stolen')) sum[asset] -= amount
  }
  return sum
}

function expectConserved(model: ModelClient['model']): void {
  const book = model.book()
  expect(conservationGap(book)).toEqual(zeroAmounts())
  const { pool, wallet } = book.ours
  const held = Object.fromEntries(ASSETS.map((asset) => [asset, pool[asset] + wallet[asset]]))
  expect(held).toEqual(owed(book.ours))
  // The reserve stands for the pool where the pool bears the fee, and for nothing else.
  const isBorneByPool = model.options.feeFrom === 'pool'
  for (const asset of ASSETS) expect(book.reserve[asset]).toBe(isBorneByPool ? -book.fees[asset] : 0n)
  for (const provider of [book.ours, ...book.competitors]) {
    for (const asset of ASSETS) {
      expect(provider.pool[asset]).toBeGreaterThanOrEqual(0n)
      expect(provider.wallet[asset]).toBeGreaterThanOrEqual(0n)
    }
  }
}

const asset = fc.constantFrom<Asset>(...ASSETS)
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('swap' as const),
      from: asset,
      to: asset,
      units: fc.bigInt(1n, 10n ** 13n),
      source: fc.constantFrom(...FILL_SOURCES),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('activate' as const), isActive: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('withdraw' as const),
      token: fc.constantFrom('ntzs', 'usdc'),
      amount: fc.integer({ min: 1, max: 20_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('deposit' as const),
      asset,
      amount: fc.integer({ min: 1, max: 1_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('steal' as const),
      asset,
      from: fc.constantFrom('pool' as const, 'wallet' as const),
      amount: fc.integer({ min: 1, max: 10 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('jump' as const), bps: fc.integer({ min: -900, max: 900 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('spread' as const), bps: fc.integer({ min: 10, max: 500 }) }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function perform({ ask, model }: ModelClient, wanted: Step): void {
  switch (wanted.do) {
    case 'swap': {
      // Shillings and bnb dollars have 18 decimals: the same number of units would be dust.
      const scale = wanted.from === 'NTZS' || wanted.from === 'USDT.bnb' ? 10n ** 10n : 1n
      const { from, to, source } = wanted
      model.swap({ from, to, amountIn: wanted.units * scale, source })
      return
    }
    case 'activate':
      ask(model.options.venue === 'measured' ? 'PATCH' : 'POST', '/activate', { isActive: wanted.isActive })
      return
    case 'withdraw':
      ask('POST', '/withdraw', {
        token: wanted.token,
        amount: String(wanted.amount),
        toAddress: model.options.rfq.solverWallet,
      })
      return
    case 'deposit':
      model.inject({ externalTransfer: { asset: wanted.asset, amount: String(wanted.amount) } })
      return
    case 'steal':
      if (model.state.ours[wanted.from][wanted.asset] >= 10n * 10n ** BigInt(TOKEN_DECIMALS[wanted.asset])) {
        model.inject({ steal: { asset: wanted.asset, amount: String(wanted.amount), from: wanted.from } })
      }
      return
    case 'jump':
      model.inject({ jump: { bps: wanted.bps } })
      return
    case 'spread':
      ask('PATCH', '/spread', { bidBps: wanted.bps, askBps: wanted.bps })
  }
}

test('no unit is made or lost whatever takers, owner, thief, mid and faults do', () => {
  const settings = fc.record({
    seed: fc.integer(),
    feeFrom: fc.constantFrom('position' as const, 'pool' as const),
    bidFormula: fc.constantFrom('divide' as const, 'multiply' as const),
    paysSlippageFloor: fc.boolean(),
    protocolFeeBps: fc.integer({ min: 0, max: 30 }),
  })
  const chance = fc.double({ min: 0, max: 0.5, noNaN: true })
  const faults = fc.record({
    partialDeactivation: chance,
    busyActivation: chance,
    lost: chance,
    ambiguous: chance,
    wrong: chance,
  })
  fc.assert(
    fc.property(
      settings,
      faults,
      fc.array(fc.tuple(step, fc.integer({ min: 0, max: 6_000 })), { maxLength: 60 }),
      (options, odds, steps) => {
        const client = modelClient(
          {
            ...options,
            isActive: true,
            opening: { 'USDT.bnb': '3000' },
            faults: {
              partialDeactivation: odds.partialDeactivation,
              busyActivation: odds.busyActivation,
              lostPatch: { chance: odds.lost },
              ambiguousWithdraw: { chance: odds.ambiguous },
              fills: { late: 0.2, missing: 0.1, duplicate: 0.2, reordered: 0.2 },
              routes: [
                {
                  route: '*',
                  chance: { 'timeout-after': odds.wrong, '500-after': odds.wrong, '500': odds.wrong },
                },
              ],
            },
          },
          scriptedWorld([], [rival('near', 60, 60, 2_000n), rival('far', 300, 300)]),
        )
        for (const [wanted, pauseMs] of steps) {
          perform(client, wanted)
          client.model.advanceTo(client.model.state.now + pauseMs)
          expectConserved(client.model)
        }
      },
    ),
    { numRuns: 50 },
  )
})

test('the measured venue makes and loses nothing down to the 18th decimal, rests and void fills included', () => {
  const faults = { halfActivation: 0.3, partialDeactivation: 0.3, ambiguousWithdraw: { chance: 0.3 } }
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.integer({ min: 0, max: 20_000 })), { maxLength: 60 }), (steps) => {
      const opening = { 'USDT.bnb': '3000' }
      const client = modelClient(
        { venue: 'measured', isActive: true, opening, faults, measured: { pairBps: { USDT: 41 } } },
        scriptedWorld([], [rival('near', 60, 60, 2_000n), rival('far', 300, 300)]),
      )
      for (const [wanted, pauseMs] of steps) {
        perform(client, wanted)
        client.model.advanceTo(client.model.state.now + pauseMs)
        expect(conservationGap(client.model.book())).toEqual(zeroAmounts())
      }
    }),
    { numRuns: 50 },
  )
})

test.each(['normal', 'toxic-taker', 'devaluation', 'undercut'] as const)(
  'a week of the %s world keeps every unit',
  (scenario) => {
    const model = createVenueModel({
      scenario,
      seed: 5,
      startMs: START,
      isActive: true,
      spread: { bidBps: 40, askBps: 40 },
    })
    for (let hour = 1; hour <= 7 * 24; hour++) {
      model.advanceTo(START + hour * 3_600_000)
      if (hour % 24 === 0) expectConserved(model)
    }
    expect(model.book().ours.fills.length).toBeGreaterThan(0)
  },
)
