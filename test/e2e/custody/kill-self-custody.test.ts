import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import { fillOrder } from '../../../src/sandbox/chain/solver.ts'
import type { StartedChain } from '../../../src/sandbox/chain/start-chain.ts'
import { needs } from '../../support/needs.ts'
import { endDaemons, type RunningDaemon } from '../daemon/running-daemon.ts'
import { replayStore } from '../daemon/replay-store.ts'
import { until } from '../daemon/until.ts'
import { expectBooksOfChain } from './books-of-chain.ts'
import { chainTruth } from './chain-truth.ts'
import { openCustodyMarket, type CustodyMarket } from './custody-market.ts'
import { watchPromises, type PromiseWatch } from './watch-promises.ts'

// Two makers, each on a chain of its own, killed 26 times each while a solver fills parts of their orders, the
// venue drops and spoils answers, and the mid jumps so that orders are replaced and cancelled all the time.

afterAll(endDaemons)

const KILLS = 26
const LONGEST_DELAY_MS = 1_500
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

/** What a kill follows. The first waits for nothing, not even for the process to be up. */
const MOMENTS = ['any', 'any', 'submit', 'accepted', 'chainRead', 'cancel', 'fill', 'refused', 'up'] as const
type Moment = (typeof MOMENTS)[number]

describe.skipIf(needs('anvil'))(
  'A signed order is owed until the chain shows its end',
  { timeout: 300_000 },
  () => {
    test.concurrent.each([
      { seed: 21, bound: 'balance', listsFills: true },
      { seed: 22, bound: 'allowance', listsFills: false },
    ] as const)(
      'at 26 random points, promises bound by the $bound: none is forgotten, no unit is promised twice, each fill is booked once',
      async ({ seed, bound, listsFills }) => {
        const market = await openCustodyMarket({
          venue: {
            seed,
            solver: { fillEveryMs: 700, parts: 3, listsFills },
            faults: { routes: [{ route: 'POST /rfq/orders', chance: ORDER_FAULTS }] },
          },
          // Nearly all of the wallet: whoever forgets a promise promises the same tokens again.
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
        const { chain } = market
        if (bound === 'allowance') await boundByAllowance(chain)
        const watch = watchPromises(market)
        const random = seededRandom(seed, 'kill points')
        let startMs = 1_000
        let checked = 0
        for (let kill = 0; kill < KILLS; kill += 1) {
          const moment = MOMENTS[Math.floor(random() * MOMENTS.length)] ?? 'any'
          if (random() < 0.5) jump(market, random)
          const daemon = market.start()
          const began = performance.now()
          if (moment === 'any') {
            await pause(random() * (startMs + LONGEST_DELAY_MS))
          } else {
            const reached = arm(moment, market, daemon, random)
            await daemon.url().catch((error: unknown) => {
              if (!daemon.child.killed) throw error
            })
            startMs = performance.now() - began
            if (await knowsItsPromises(market, watch, daemon)) checked += 1
            await Promise.race([reached, pause(PATIENCE_MS)])
          }
          expect(
            { ...(await daemon.kill('SIGKILL')), said: daemon.errors() },
            `kill ${kill}, ${moment}`,
          ).toEqual({
            code: null,
            signal: 'SIGKILL',
            said: '',
          })
          disarm(market)
          // Nobody signs now who could count on less.
          if (bound === 'allowance' && kill % 3 === 2) await boundByAllowance(chain)
        }

        const last = market.start()
        await last.url()
        expect(await knowsItsPromises(market, watch, last)).toBe(true)
        market.venue.model.inject({ faults: { routes: [] } })
        await last.post('halt', { why: 'the end of the test' })
        await until('nothing is owed', async () => (await last.state()).rfq?.orders.length === 0, {
          withinMs: 30_000,
          otherwise: () => last.state(),
        })
        await watch.stop()
        const view = await expectBooksOfChain(market, last)
        // Enough happened for all of this to mean something.
        expect(view.fills.total).toBeGreaterThan(13)
        expect(market.sent.length).toBeGreaterThan(26)
        expect(checked).toBeGreaterThan(KILLS / 4)
        expect(watch.looks()).toBeGreaterThan(50)
        const salts = market.sent.map(({ order }) => order.salt)
        expect(new Set(salts).size).toBe(salts.length)
        expect(watch.problems()).toEqual([])
        await last.kill('SIGTERM')
        expect((await replayStore(market.config, market.env)).equal).toBe(true)
        await market.close()
      },
    )
  },
)

/**
 * Every order that arrived anywhere and can be filled on the chain is owed by the daemon. False where it was killed
 * before it could say.
 */
async function knowsItsPromises(
  { chain }: CustodyMarket,
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
  const forgotten = orders
    .filter(({ status, order }) => status === 'FILLABLE' && !owed.has(order.salt.toString()))
    .map(({ order }) => order.salt)
  expect(forgotten, 'orders that can be filled and are not owed').toEqual([])
  return true
}

/** Less than the wallet holds. Fills use it up. */
async function boundByAllowance({ tokens, accounts, exchange }: StartedChain): Promise<void> {
  await tokens.approve('NTZS', accounts.maker.address, exchange, 30_000_000n * 10n ** 18n)
  await tokens.approve('USDC', accounts.maker.address, exchange, 9_000n * 10n ** 6n)
}

type Random = () => number

/** Resolves, after a delay of its own, when that moment has come. */
function arm(moment: Moment, market: CustodyMarket, daemon: RunningDaemon, random: Random): Promise<unknown> {
  const { door, wire } = market
  const kill = () => daemon.child.kill('SIGKILL')
  const nth = 1 + Math.floor(random() * 4)
  const delayMs = random() * random() * LONGEST_DELAY_MS
  return new Promise((resolve) => {
    const come = () => setTimeout(resolve, delayMs)
    let orders = 0
    if (moment === 'up') void daemon.url().then(come, resolve)
    if (moment === 'submit' || moment === 'accepted') {
      const isCut = random() < 0.5
      const { onRequest } = door.rules
      door.rules.onRequest = (passing) => {
        const isOrder = passing.path.endsWith('/rfq/orders')
        if (isOrder) orders += 1
        const answer = onRequest(passing)
        if (!isOrder || orders !== nth || moment !== 'submit') return answer
        resolve(kill())
        return isCut ? 'cut' : answer
      }
      door.rules.onAnswer = (passing, answered) => {
        if (moment === 'accepted' && passing.path.endsWith('/rfq/orders') && orders === nth) resolve(kill())
        return answered
      }
    }
    if (moment === 'chainRead' || moment === 'cancel') {
      const isAfter = random() < 0.5
      const method = moment === 'cancel' ? 'eth_sendRawTransaction' : 'eth_getLogs'
      let seen = 0
      wire.rules.onRequest = ({ body }) => {
        if (!body.includes(method)) return 'pass'
        seen += 1
        if (!isAfter && seen === nth) resolve(kill())
        return 'pass'
      }
      wire.rules.onAnswer = ({ body }, answered) => {
        if (isAfter && body.includes(method) && seen === nth) resolve(kill())
        return answered
      }
      if (moment === 'cancel') void daemon.url().then(() => jump(market, random), resolve)
    }
    if (moment === 'fill' || moment === 'refused')
      void daemon.url().then(async () => {
        if (moment === 'refused') refuseOrders(market)
        await pause(random() * 1_000)
        // Somebody else may have been first.
        await fillSome(market, random).catch(() => {})
        come()
      }, resolve)
  })
}

function disarm({ door, wire, venue, noteSent }: CustodyMarket): void {
  door.rules.onRequest = noteSent
  door.rules.onAnswer = wire.rules.onAnswer = (_passing, answered) => answered
  wire.rules.onRequest = () => 'pass'
  venue.model.inject({ orderStatus: { orderHash: '*', status: null } })
}

/** The venue says no to every order, having seen it. */
function refuseOrders({ venue }: CustodyMarket): void {
  venue.model.inject({ orderStatus: { orderHash: '*', status: 'INVALID' } })
}

/** Somebody fills a part of any order that was ever seen, whether or not the venue took it. */
async function fillSome(market: CustodyMarket, random: Random): Promise<void> {
  const { chain } = market
  const sent = [...market.sent]
  const { orders } = await chainTruth(chain, sent)
  const open = orders.flatMap(({ status }, index) => {
    const signed = sent[index]
    return status === 'FILLABLE' && signed !== undefined ? [signed] : []
  })
  const chosen = open[Math.floor(random() * open.length)]
  if (chosen === undefined) return
  const part = BigInt(1 + Math.floor(random() * 999))
  const amount = (chosen.order.takerAmount * part) / 1_000n
  await fillOrder(chain.rpc, chosen, amount, chain.accounts.solver.address)
}

function jump({ venue }: CustodyMarket, random: Random): void {
  venue.model.inject({ jump: { bps: Math.round((random() - 0.5) * 40) } })
}
