import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import type { StartedChain } from '../../../src/simulator/sandbox/chain/start-chain.ts'
import { expectBooksOfChain } from '../custody/books-of-chain.ts'
import { chainTruth, type TrueOrder } from '../custody/chain-truth.ts'
import { openCustodyMarket, type CustodyMarket } from '../custody/custody-market.ts'
import { watchPromises, type PromiseWatch } from '../custody/watch-promises.ts'
import type { RunningDaemon } from '../daemon/running-daemon.ts'
import { replayStore } from '../daemon/replay-store.ts'
import { until } from '../daemon/until.ts'
import { arm, disarm, jump, LONGEST_DELAY_MS, MOMENTS } from './custody-moments.ts'
import { closing, killNow, type KillRun, type KillsSeen } from './kill-run.ts'

/** Whatever a kill waits for may never come: then it comes by itself. */
const PATIENCE_MS = 4_000

const ORDER_FAULTS = {
  'timeout-after': 0.08,
  'reset-after': 0.08,
  'reset-before': 0.05,
  '500-after': 0.06,
  '503': 0.04,
  malformed: 0.05,
  html: 0.04,
}

export type CustodyKills = KillRun & {
  /** What bounds the promises. */
  readonly bound: 'balance' | 'allowance'
  readonly listsFills: boolean
}

/**
 * A maker on a chain of its own is killed while a solver fills parts of its orders, the venue drops and spoils answers, and the mid
 * jumps so that orders are replaced and cancelled all the time. Throws where an order is forgotten, a unit is promised twice, or a
 * fill is not booked once.
 */
export async function killCustody(run: CustodyKills): Promise<KillsSeen> {
  const opened = await openMarketOf(run)
  return closing({ ...opened, folder: opened.folder.path }, async (start) => {
    const market = { ...opened, start }
    if (run.bound === 'allowance') await boundByAllowance(market.chain)
    const watch = watchPromises(market)
    try {
      return await killAndCheck(run, market, watch)
    } finally {
      await watch.stop()
    }
  })
}

function openMarketOf({ seed, listsFills }: CustodyKills): Promise<CustodyMarket> {
  return openCustodyMarket({
    venue: {
      seed,
      solver: { fillEveryMs: 700, parts: 3, listsFills },
      faults: { routes: [{ route: 'POST /rfq/orders', chance: ORDER_FAULTS }] },
    },
    // Nearly all of the wallet: anyone who forgets a promise promises the same tokens again.
    ladder: { levels: 4, usd: 1_150, stepBps: 15 },
    rfq: { cancel: { policy: 'always' }, expiryMs: 90_000 },
    patch: {
      venue: { requestTimeoutMs: 700 },
      risk: {
        unexplainedGraceMs: 60_000,
        errorCyclesThreshold: 1_000,
        maxMidStepBps: null,
        maxMidMoveBpsPerHour: null,
        maxMidMoveBpsPerDay: null,
        maxMidAgeMs: null,
      },
    },
  })
}

async function killAndCheck(
  run: CustodyKills,
  market: CustodyMarket,
  watch: PromiseWatch,
): Promise<KillsSeen> {
  const checked = await killAtMoments(run, market, watch)
  const last = market.start()
  await last.url()
  expect(await knowsItsPromises(market, watch, last)).toBe(true)
  market.venue.model.inject({ faults: { routes: [] } })
  await last.post('halt', { why: 'the end of the test' })
  await until('nothing is owed', async () => (await last.state()).rfq?.orders.length === 0, {
    otherwise: () => last.state(),
  })
  await watch.stop()
  const view = await expectBooksOfChain(market, last)
  expectOwnSalts(market.sent)
  expect(watch.problems()).toEqual([])
  await last.kill('SIGTERM')
  expect((await replayStore(market.config, market.env)).equal).toBe(true)
  return {
    fills: view.fills.total,
    orders: market.sent.length,
    'checks of the outstanding orders': checked,
    'looks at the chain': watch.looks(),
  }
}

/** In how many lives the daemon was asked for its promises. */
async function killAtMoments(
  { seed, kills, bound, onKill }: CustodyKills,
  market: CustodyMarket,
  watch: PromiseWatch,
): Promise<number> {
  const random = seededRandom(seed, 'kill points')
  let startMs = 1_000
  let checked = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const moment = MOMENTS[Math.floor(random() * MOMENTS.length)] ?? 'any'
    if (random() < 0.5) jump(market, random)
    const daemon = market.start()
    const began = performance.now()
    if (moment === 'any') {
      await pause(random() * (startMs + Math.max(LONGEST_DELAY_MS, startMs)))
    } else {
      const reached = arm(moment, market, daemon, random)
      await daemon.url().catch((error: unknown) => {
        if (!daemon.child.killed) throw error
      })
      startMs = performance.now() - began
      if (await knowsItsPromises(market, watch, daemon)) checked += 1
      // A machine that starts slowly signs slowly.
      await Promise.race([reached, pause(Math.max(PATIENCE_MS, startMs))])
    }
    await killNow(daemon, `kill ${kill + 1} of ${kills}, ${moment}`)
    onKill?.()
    disarm(market)
    // No one signs now who could count on less.
    if (bound === 'allowance' && kill % 3 === 2) await boundByAllowance(market.chain)
  }
  return checked
}

/**
 * Every order that arrived anywhere and can be filled on the chain is owed by the daemon. False where it was killed
 * before it could say.
 */
export async function knowsItsPromises(
  { chain }: Pick<CustodyMarket, 'chain'>,
  watch: PromiseWatch,
  daemon: RunningDaemon,
): Promise<boolean> {
  const sent = watch.live()
  const view = await daemon.state().catch((error: unknown) => {
    if (daemon.child.killed) return null
    throw error
  })
  if (view === null) return false
  const owed = new Set(view.rfq?.orders.map(({ salt }) => salt))
  const { orders } = await chainTruth(chain, sent)
  expectOwed(orders, owed)
  return true
}

type SeenOrder = { readonly order: Pick<TrueOrder['order'], 'salt'>; readonly status: TrueOrder['status'] }

/** What can be filled on the chain is outstanding at the daemon, by its salts. */
export function expectOwed(orders: readonly SeenOrder[], owed: ReadonlySet<string>): void {
  const forgotten = orders
    .filter(({ status, order }) => status === 'FILLABLE' && !owed.has(order.salt.toString()))
    .map(({ order }) => order.salt)
  expect(forgotten, 'orders that can be filled and are not owed').toEqual([])
}

/** No two signed orders share a salt. */
export function expectOwnSalts(sent: readonly Pick<SeenOrder, 'order'>[]): void {
  const salts = sent.map(({ order }) => order.salt)
  expect(new Set(salts).size).toBe(salts.length)
}

/** Less than the wallet holds. Fills use it up. */
async function boundByAllowance({ tokens, accounts, exchange }: StartedChain): Promise<void> {
  await tokens.approve('NTZS', accounts.maker.address, exchange, 30_000_000n * 10n ** 18n)
  await tokens.approve('USDC', accounts.maker.address, exchange, 9_000n * 10n ** 6n)
}
