import type { RfqOrder } from '../../../core/rfq/rfq-order.ts'
import { encodeJson } from '../../../base/codec.ts'
import type { Audit } from '../../../core/engine/engine.ts'
import type { Effect } from '../../../core/engine/model/effect.ts'
import type { Event } from '../../../core/engine/model/event.ts'
import { isoText } from '../../../base/text/times.ts'
import { type QuotedSpread, withFlags } from '../../../core/quoting/quote-state.ts'

/** A decision in which the replay differs from the daemon. */
type DecisionDifference = {
  readonly seq: number
  readonly at: string
  /** The daemon's request, from the venue's answer, and the replay's request with the same number. */
  readonly daemon: string
  readonly replay: string
}

export type DecisionComparison = {
  /** The daemon's requests with an answer in the journal, and the writes among them. */
  readonly compared: number
  readonly writes: number
  readonly differing: number
  /** The first differences. */
  readonly differences: readonly DecisionDifference[]
}

const SHOWN = 20

/**
 * Compares a replay with the journal, decision by decision: for every answer in the journal the replay must have
 * decided to send a request with the same number, and a PATCH must have the same spread.
 */
export function createDecisionCheck(): {
  readonly take: (seq: number, event: Event, audit: Audit) => void
  readonly held: () => DecisionComparison
} {
  const sent = new Map<number, Effect>()
  const differences: DecisionDifference[] = []
  let [compared, writes, differing] = [0, 0, 0]

  function compare(seq: number, event: Extract<Event, { request: number }>): void {
    const effect = sent.get(event.request)
    sent.delete(event.request)
    compared += 1
    if (event.type === 'quoteSet' || event.type === 'activation' || event.type === 'withdrawn') writes += 1
    const [daemon, replay] = [daemonSide(event, effect), replaySide(effect, event)]
    if (daemon === replay) return
    differing += 1
    if (differences.length < SHOWN) differences.push({ seq, at: isoText(event.t), daemon, replay })
  }

  return {
    take(seq, event, audit) {
      // Answers to requests in flight at the end of a process never reach the next one.
      if (event.type === 'started') sent.clear()
      if ('request' in event) compare(seq, event)
      for (const effect of audit.effects) sent.set(effect.id, effect)
    },
    held: () => ({ compared, writes, differing, differences }),
  }
}

const ANSWER_OF: Readonly<Record<Effect['type'], Event['type']>> = {
  readAccount: 'account',
  readRate: 'rate',
  readBalances: 'balances',
  readFills: 'fills',
  readQuote: 'quoteRead',
  readBestQuote: 'bestQuote',
  setQuote: 'quoteSet',
  activate: 'activation',
  withdraw: 'withdrawn',
  readSolver: 'solver',
  readChain: 'chainRead',
  reserveOrder: 'orderReserved',
  placeOrder: 'orderPlaced',
  withholdOrder: 'orderWithheld',
  cancelOrders: 'cancelSent',
}

/** A failed request does not show its content, so only its existence is compared. */
function daemonSide(event: Extract<Event, { request: number }>, effect: Effect | undefined): string {
  if (event.type === 'requestFailed') return 'a request'
  if (event.type === 'orderReserved') return orderText(event.reservation.order)
  // Placed or not, the same order was decided.
  if (event.type === 'orderPlaced' || event.type === 'orderFailed') return `order ${event.salt}`
  if (event.type !== 'quoteSet') return event.type
  // The request supplies a flag that the venue does not state.
  const asked = effect?.type === 'setQuote' ? effect.spread : null
  return `quoteSet ${spreadText(withFlags(event.spread, asked))}`
}

function replaySide(effect: Effect | undefined, event: Extract<Event, { request: number }>): string {
  if (effect === undefined) return 'nothing'
  if (event.type === 'requestFailed') return 'a request'
  if (effect.type === 'reserveOrder') return orderText(effect.reservation.order)
  if (effect.type === 'placeOrder') return `order ${effect.order.salt}`
  const type = ANSWER_OF[effect.type]
  return effect.type === 'setQuote' ? `${type} ${spreadText(effect.spread)}` : type
}

function orderText({ salt, makerAmount, takerAmount, expiry }: RfqOrder): string {
  return `order ${salt}: ${makerAmount} for ${takerAmount} until ${expiry}`
}

/** Without the pairs, which venues name differently. */
function spreadText({ bidBps, askBps, quoteBid, quoteAsk }: Omit<QuotedSpread, 'quotePairs'>): string {
  return encodeJson({ bid: quoteBid ? bidBps : null, ask: quoteAsk ? askBps : null })
}
