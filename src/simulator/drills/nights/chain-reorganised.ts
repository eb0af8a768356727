import { setTimeout as pause } from 'node:timers/promises'
import { boundCost, readSooner } from '../model/advice.ts'
import type { Drill } from '../drill.ts'
import { whyNoChain } from '../stage/chain.ts'
import type { Stage } from '../stage/stage.ts'
import { agreesWithChain } from './safety.ts'

const FILLS = 2
const BOOKED_MS = 60_000
const NOTICED_BY = ['fill-undone', 'orderFillUndone'] as const
const LOOK_MS = 200
/** Blocks beyond which no one expects a reorganisation. */
const USUAL_CONFIRMATIONS = 12

/** Blocks with fills that are booked are replaced by blocks without them. */
export function chainReorganised(): Drill {
  return {
    name: 'chain-reorganised',
    what: `the chain is reorganised: ${FILLS} fills that were booked are no longer on it`,
    safeMeans:
      "the books have taken them back and equal the wallet's balances on the chain, and orders are open",
    whyNot: ({ config }) => whyNoChain(config),
    mustBeNoticed: true,
    // A busy machine has other things to report first.
    noticedBy: () => NOTICED_BY,
    async strike({ stage }) {
      const { chain } = stage.market
      if (chain === null) throw new Error('the venue of this night has no chain')
      const before = await fillsOf(stage)
      const undo = await chain.fork()
      const filled = await filledOrders(stage)
      const until = performance.now() + BOOKED_MS
      while ((await fillsOf(stage)) < before + filled) {
        if (performance.now() > until) throw new Error('the daemon did not book the fills of its orders')
        await pause(LOOK_MS)
      }
      await undo()
    },
    // No one fills anything meanwhile: the books are compared with a chain that stands still.
    async goOn() {},
    isSafe: ({ stage }) => agreesWithChain(stage),
    advise: (position, failure) => {
      if (failure.kind === 'cost') return boundCost(position, failure)
      const now = position.config.rfq?.confirmations ?? 0
      return now < USUAL_CONFIRMATIONS
        ? {
            settings: [{ path: 'rfq.confirmations', value: USUAL_CONFIRMATIONS }],
            why: 'keeps a fill open to be taken back until that many blocks are on top of it',
          }
        : { settings: readSooner(position, failure), why: 'reads the chain and compares the balances sooner' }
    },
  }
}

async function fillsOf(stage: Stage): Promise<number> {
  return (await stage.view())?.fills.total ?? 0
}

/** How many of the open orders someone has filled. */
async function filledOrders(stage: Stage): Promise<number> {
  const orders = (await stage.view())?.rfq?.orders ?? []
  let filled = 0
  for (const { hash, phase } of orders) {
    if (filled === FILLS) break
    if (hash !== null && phase === 'open' && (await stage.market.chain?.fill(hash)) != null) filled += 1
  }
  if (filled === 0) throw new Error('no order could be filled before the night began')
  return filled
}
