import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import type { PositionView } from '../../../src/view/position-view.ts'
import { endDaemons, HTTP_TOKEN } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { openTreasuryMarket } from './open-treasury-market.ts'

afterAll(endDaemons)

const TOKEN = 10n ** 18n
/** Two markets beside each other: a hundred in all. */
const KILLS = 50
/** A life is a start and a few movements: from before the treasury runs to after a payout has arrived. */
const LONGEST_LIFE_MS = 900

describe('A payment is never sent twice', () => {
  test.concurrent.each([7, 8])(
    `by a daemon that is killed with -9 at ${KILLS} random moments of seed %i: no payout and no refill is lost or repeated`,
    async (seed) => {
      const market = await openTreasuryMarket(
        {
          policy: {
            bands: { NTZS: { target: '4000000', refillBelow: '3000000', skimAbove: '90000000' } },
            routes: ['rebalance', 'payout'],
          },
          approval: { people: 1, coolOffMs: 0, freeRefill: { NTZS: '10000000' } },
          payees: [{ name: 'house', phone: '0754000777', admitted: true }],
        },
        { partner: { owner: { NTZS: '20000000' }, settings: { settleMs: 200 } } },
      )
      const random = seededRandom(seed, 'kill -9')
      const order = (amount: number) => ({
        position: 'desk-1',
        payee: 'house',
        asset: 'NTZS',
        amount: String(amount),
        why: 'test',
      })
      for (let kill = 0; kill < KILLS; kill += 1) {
        const daemon = market.start()
        const life = random() * LONGEST_LIFE_MS
        const isEarly = random() < 0.2
        if (!isEarly) {
          await daemon.url()
          void daemon.post('treasury/payout', order(10_000 + 37 * kill), HTTP_TOKEN).catch(() => null)
        }
        await pause(life)
        await daemon.kill('SIGKILL')
      }
      const last = market.start()
      const intents = () => Object.values(market.state()?.intents ?? {})
      await until('every intent has ended', () => intents().every(({ endedAt }) => endedAt !== null), {
        withinMs: 90_000,
        otherwise: () => [intents().filter(({ endedAt }) => endedAt === null), last.output().slice(-2_000)],
      })
      const payouts = intents().filter(({ rule }) => rule === 'payout')
      const paid = [...market.partner.withdrawals.values()].map(({ receiveTzs }) => receiveTzs)
      expect(payouts.length).toBeGreaterThan(KILLS / 5)
      expect(intents().filter(({ stage }) => stage === 'claim')).toEqual([])
      // Nothing twice, and nothing that the journal does not have.
      expect(new Set(paid).size).toBe(paid.length)
      const settled = payouts.filter(({ stage }) => stage === 'settled')
      expect(settled.map(({ legs }) => (legs.at(-1)?.received ?? 0n) / TOKEN).toSorted(byValue)).toEqual(
        paid.toSorted(byValue),
      )
      const transfers = intents().flatMap(({ legs }) =>
        legs.filter(({ kind, stage }) => kind === 'transfer' && stage === 'settled'),
      )
      expect(transfers.length).toBeGreaterThan(0)
      expect(new Set(transfers.map(({ reference }) => reference)).size).toBe(transfers.length)
      // A refill that was booked twice, or not at all, would be a difference between the ledger and the venue.
      expect((await until('reconciled', async () => reconciled(await last.state()))).state).toBe('reconciled')
      await last.kill('SIGTERM')
      await market.close()
    },
    600_000,
  )
})

function reconciled({ reconciliation }: PositionView) {
  return reconciliation.state === 'reconciled' ? reconciliation : null
}

function byValue(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
