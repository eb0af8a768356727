import { setTimeout as pause } from 'node:timers/promises'
import { fillOrder } from '../../../src/simulator/sandbox/chain/solver.ts'
import { chainTruth } from '../custody/chain-truth.ts'
import type { CustodyMarket } from '../custody/custody-market.ts'
import type { RunningDaemon } from '../daemon/running-daemon.ts'

/** After its moment, and after a start, a kill waits no longer. */
export const LONGEST_DELAY_MS = 1_500

/** What a kill follows. The first waits for nothing, not even for the process to be up. */
export const MOMENTS = [
  'any',
  'any',
  'submit',
  'accepted',
  'chainRead',
  'cancel',
  'fill',
  'refused',
  'up',
] as const
export type Moment = (typeof MOMENTS)[number]

type Random = () => number

/** Resolves, after a delay of its own, when that moment has come. */
export function arm(
  moment: Moment,
  market: CustodyMarket,
  daemon: RunningDaemon,
  random: Random,
): Promise<unknown> {
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
        // Someone else may have been first.
        await fillSome(market, random).catch(() => {})
        come()
      }, resolve)
  })
}

export function disarm({ door, wire, venue, noteSent }: CustodyMarket): void {
  door.rules.onRequest = noteSent
  door.rules.onAnswer = wire.rules.onAnswer = (_passing, answered) => answered
  wire.rules.onRequest = () => 'pass'
  venue.model.inject({ orderStatus: { orderHash: '*', status: null } })
}

/** The venue says no to every order, having seen it. */
function refuseOrders({ venue }: CustodyMarket): void {
  venue.model.inject({ orderStatus: { orderHash: '*', status: 'INVALID' } })
}

/** Someone fills a part of any order that was ever seen, whether or not the venue took it. */
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

export function jump({ venue }: CustodyMarket, random: Random): void {
  venue.model.inject({ jump: { bps: Math.round((random() - 0.5) * 40) } })
}
