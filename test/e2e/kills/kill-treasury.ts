import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import type { PositionView } from '../../../src/daemon/view/position-view.ts'
import { HTTP_TOKEN, type RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { openTreasuryMarket, type TreasuryMarket } from '../treasury/open-treasury-market.ts'
import { closing, killNow, type KillRun, type KillsSeen } from './kill-run.ts'

const TOKEN = 10n ** 18n
/** A life is a start and a few movements: from before the treasury runs to after a payout has arrived. */
const LONGEST_LIFE_MS = 900

/** A daemon with a treasury is killed while it refills and pays. Throws where a payout or a refill is lost, or sent or booked twice. */
export async function killTreasury(run: KillRun): Promise<KillsSeen> {
  const { seed, kills, onKill } = run
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
  return closing({ ...market, folder: market.folder.path }, async (start) => {
    for (let kill = 0; kill < kills; kill += 1) {
      const daemon = start()
      const life = random() * LONGEST_LIFE_MS
      const isEarly = random() < 0.2
      if (!isEarly) {
        await daemon.url()
        void daemon.post('treasury/payout', orderOf(10_000 + 37 * kill), HTTP_TOKEN).catch(() => null)
      }
      await pause(life)
      await killNow(daemon, `kill ${kill + 1} of ${kills}`)
      onKill?.()
    }
    const last = start()
    const seen = await expectPaidOnce(market, last)
    // A refill that was booked twice, or not at all, would be a difference between the ledger and the venue.
    expect((await until('reconciled', async () => reconciled(await last.state()))).state).toBe('reconciled')
    await last.kill('SIGTERM')
    return seen
  })
}

function orderOf(amount: number): object {
  return { position: 'desk-1', payee: 'house', asset: 'NTZS', amount: String(amount), why: 'test' }
}

/** Once every intent has ended: the partner has paid what the journal has as settled, each once, and no transfer has gone twice. */
export async function expectPaidOnce(
  market: Pick<TreasuryMarket, 'state' | 'partner'>,
  last: Pick<RunningDaemon, 'output'>,
): Promise<KillsSeen> {
  const intents = () => Object.values(market.state()?.intents ?? {})
  await until('every intent has ended', () => intents().every(({ endedAt }) => endedAt !== null), {
    withinMs: 90_000,
    otherwise: () => [intents().filter(({ endedAt }) => endedAt === null), last.output().slice(-2_000)],
  })
  const payouts = intents().filter(({ rule }) => rule === 'payout')
  const paid = [...market.partner.withdrawals.values()].map(({ receiveTzs }) => receiveTzs)
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
  expect(new Set(transfers.map(({ reference }) => reference)).size).toBe(transfers.length)
  return { payouts: payouts.length, transfers: transfers.length }
}

function reconciled({ reconciliation }: PositionView) {
  return reconciliation.state === 'reconciled' ? reconciliation : null
}

function byValue(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
