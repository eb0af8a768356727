import { setTimeout as pause } from 'node:timers/promises'
import type { Drill } from '../drill.ts'
import { readSooner, shorter } from '../model/advice.ts'
import { whyNoChain } from '../stage/chain.ts'
import type { Stage } from '../stage/stage.ts'
import {
  agreesWithChain,
  boundCostOr,
  boundCostOrReadSooner,
  holdsSafeQuote,
  IN_HAND,
  isInHand,
  isOutOfMarket,
  night,
  OUT_OF_MARKET,
  tradeBothSides,
} from './safety.ts'

const DOWN_MS = 30_000
/** The market's movement while the quote cannot be changed. */
const MOVE_BPS = 100
const USUAL_CYCLES = 5

/** The LP API resets every connection for half a minute, and takers continue at the live quote. */
export function venueDown(): Drill {
  let isBack = false
  return night({
    what: `the venue's API is down for ${DOWN_MS / 1_000} s while the market moves by ${MOVE_BPS} bps and takers go on`,
    safeMeans: `after its return ${IN_HAND}`,
    faultMs: () => DOWN_MS,
    async disrupt({ stage: { market } }) {
      const chance = { 'reset-before': 1 } as const
      const routes = ['GET *', 'PATCH *', 'POST *'].map((route) => ({ route, chance }))
      await market.inject({ faults: { routes } })
      market.moveTruth(MOVE_BPS)
    },
    async eachSecond({ stage: { market }, sinceMs, takerUsd }) {
      if (!isBack && sinceMs >= DOWN_MS) {
        isBack = true
        await market.inject({ faults: { routes: [] } })
        await market.publishTruth()
      }
      await market.exploit(takerUsd)
    },
    isSafe: async (course) => isBack && (await isInHand(course)),
    advise: boundCostOr((position, failure) => {
      if (failure.kind === 'safety')
        return {
          settings: readSooner(position, failure),
          why: 'reads fills and balances sooner after the return',
        }
      const { errorCyclesThreshold } = position.config.risk
      const fewer =
        errorCyclesThreshold > USUAL_CYCLES ? USUAL_CYCLES : Math.max(1, Math.floor(errorCyclesThreshold / 2))
      return {
        settings: [{ path: 'risk.errorCyclesThreshold', value: fewer }],
        why: 'reports sooner that nothing is answered',
      }
    }),
  })
}

/** The venue answers 401 to the key: no holder of the key can change anything. */
export function keyLost(): Drill {
  return night({
    what: 'the venue rejects the key (401) while the quote stands',
    safeMeans:
      'the daemon has halted and a critical notification has arrived: without a key only the venue can take the quote down',
    disrupt: ({ stage }) => stage.market.inject({ faults: { keyRejected: true } }),
    async isSafe({ stage }) {
      const view = await stage.view()
      return (
        view?.tradingState === 'HALTED' && stage.receiver.told.some(({ severity }) => severity === 'critical')
      )
    },
    isDown: holdsSafeQuote,
    advise: boundCostOrReadSooner(
      'makes a request sooner that shows the rejected key; a critical notification waits for no group',
    ),
  })
}

const LEAK_BPS = 200

/** A part of the proceeds of every fill never reaches the position, and no row of the venue shows it. */
export function leak(): Drill {
  return night({
    what: `${LEAK_BPS / 100} % of what each fill brings never reaches the position; only balances show it`,
    safeMeans: OUT_OF_MARKET,
    disrupt: ({ stage }) => stage.market.leak(LEAK_BPS),
    eachSecond: tradeBothSides,
    isSafe: isOutOfMarket,
    advise: adviseBalances,
  })
}

const SHARE = 5n

/** A fifth of the dollars leaves by a foreign hand. The withdrawn sum does not count as the cost of the night. */
export function foreignWithdrawal(): Drill {
  return night({
    what: 'a fifth of the dollars leaves the pool, or the wallet of signed orders, by a foreign hand; its sum is not counted as cost',
    safeMeans: OUT_OF_MARKET,
    async disrupt({ stage: { market } }) {
      const { USDC, USDT } = market.holdings()
      const asset = USDC >= USDT ? 'USDC' : 'USDT'
      await market.steal(asset, (asset === 'USDC' ? USDC : USDT) / SHARE)
    },
    eachSecond: tradeBothSides,
    isSafe: isOutOfMarket,
    advise: adviseBalances,
  })
}

/** Only balances show missing tokens: the advice shortens their interval, and the time for which a difference is investigated. */
const adviseBalances = boundCostOr((position, failure) => ({
  settings: [
    shorter(position, failure, 'risk.unexplainedGraceMs', 30_000),
    shorter(position, failure, 'pacing.balancesIntervalMs', 15_000),
  ],
  why: 'shows a difference of the balances sooner, and ends sooner the time for which it is looked into',
}))

const FILLS = 2
const BOOKED_MS = 60_000
const UNDONE_NOTICES = ['fill-undone', 'orderFillUndone'] as const
const POLL_MS = 200
/** Depth in blocks beyond which a reorganisation is not expected. */
const USUAL_CONFIRMATIONS = 12

/** Blocks without fills replace blocks whose fills are booked. */
export function chainReorganised(): Drill {
  return night({
    what: `the chain is reorganised: ${FILLS} fills that were booked are no longer on it`,
    safeMeans:
      "the books have taken them back and equal the wallet's balances on the chain, and orders are open",
    whyUnplayable: ({ config }) => whyNoChain(config),
    // A busy machine has other things to report first.
    noticedBy: () => UNDONE_NOTICES,
    async disrupt({ stage }) {
      const { chain } = stage.market
      if (chain === null) throw new Error('the venue of this night has no chain')
      const before = await fillsOf(stage)
      const undo = await chain.fork()
      const filled = await fillOrders(stage)
      const until = performance.now() + BOOKED_MS
      while ((await fillsOf(stage)) < before + filled) {
        if (performance.now() > until) throw new Error('the daemon did not book the fills of its orders')
        await pause(POLL_MS)
      }
      await undo()
    },
    // No one fills an order meanwhile: the books are compared with a chain that does not change.
    async eachSecond() {},
    isSafe: ({ stage }) => agreesWithChain(stage),
    advise: boundCostOr((position, failure) => {
      const now = position.config.rfq?.confirmations ?? 0
      return now < USUAL_CONFIRMATIONS
        ? {
            settings: [{ path: 'rfq.confirmations', value: USUAL_CONFIRMATIONS }],
            why: 'keeps a fill open to be taken back until that many blocks are on top of it',
          }
        : { settings: readSooner(position, failure), why: 'reads the chain and compares the balances sooner' }
    }),
  })
}

async function fillsOf(stage: Stage): Promise<number> {
  return (await stage.view())?.fills.total ?? 0
}

/** Fills open orders as takers and returns their number. */
async function fillOrders(stage: Stage): Promise<number> {
  const orders = (await stage.view())?.rfq?.orders ?? []
  let filled = 0
  for (const { hash, phase } of orders) {
    if (filled === FILLS) break
    if (hash !== null && phase === 'open' && (await stage.market.chain?.fill(hash)) != null) filled += 1
  }
  if (filled === 0) throw new Error('no order could be filled before the night began')
  return filled
}
