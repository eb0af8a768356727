import type { Ms } from '../../../src/base/time.ts'
import { seededRandom, type Random } from '../../../src/base/random.ts'
import type { TreasuryEffect } from '../../../src/treasury/model/effect.ts'
import type { ResourceStatus, TreasuryEvent } from '../../../src/treasury/model/event.ts'
import type { Attempt, Leg } from '../../../src/treasury/model/intent.ts'
import type { Holdings, TreasuryPlace, TreasuryAsset } from '../../../src/treasury/model/place.ts'
import type { TreasuryState } from '../../../src/treasury/state.ts'

export type Unplaced = TreasuryEvent extends infer E
  ? E extends TreasuryEvent
    ? Omit<E, 't'>
    : never
  : never
type Placed = { readonly intent: string; readonly leg: number }

/** One money call as the venue knows it, by its key. */
type Call = {
  readonly place: Placed
  readonly kind: Leg['kind']
  readonly body: string
  readonly spend: bigint
  readonly receive: bigint
  readonly at: Ms
  readonly resourceId: string
  status: ResourceStatus
}

/** How bad the world is, 0 to 1 each: chances an effect. */
export type Faults = {
  readonly lost: number
  readonly refused: number
  readonly reverted: number
  readonly reconcileRequired: number
  readonly stuck: number
  readonly doubled: number
  readonly outside: number
  /** A call cannot be built. */
  readonly unbuilt: number
  /** A payout that had arrived comes back. */
  readonly bounced: number
  /** What comes back comes less a fee. */
  readonly kept: number
}

export const CALM: Faults = {
  lost: 0,
  refused: 0,
  reverted: 0,
  reconcileRequired: 0,
  stuck: 0,
  doubled: 0,
  outside: 0,
  unbuilt: 0,
  bounced: 0,
  kept: 0,
}

/**
 * The partner API and the position as one model: executes a key once and replays its outcome, or takes no notice of keys;
 * loses questions and answers, refuses, reverts, keeps calls stuck. It knows what really moved, whatever the treasury was
 * answered.
 */
export class PartnerWorld {
  readonly calls = new Map<string, Call>()
  faults: Faults
  #random: Random
  #next = 0

  readonly #held: Record<'pool' | 'treasury' | 'float', Record<TreasuryAsset, bigint>>

  /** Each sending to the partner API is a payment of its own; the position keys its orders all the same. */
  readonly #isKeyless: boolean

  constructor(seed: number, { pool, treasury, float }: Holdings, faults: Faults, isKeyless = false) {
    this.#isKeyless = isKeyless
    this.#random = seededRandom(seed, 'partner')
    const none = { NTZS: 0n, USDC: 0n, USDT: 0n }
    this.#held = {
      pool: { ...(pool ?? none) },
      treasury: { ...(treasury ?? none) },
      float: { ...(float ?? none) },
    }
    this.faults = faults
  }

  /** What a place really holds: the LP wallet is a part of the pool here. */
  held(place: 'pool' | 'treasury' | 'float'): Record<TreasuryAsset, bigint> {
    return this.#held[place]
  }

  #move(place: TreasuryPlace, asset: TreasuryAsset, amount: bigint): void {
    const at = place === 'lpWallet' ? 'pool' : place
    if (at === 'pool' || at === 'treasury' || at === 'float') this.#held[at][asset] += amount
  }

  /** The events that performing an effect brings, in order; none = it was lost. */
  perform(effect: TreasuryEffect, state: TreasuryState, now: Ms): readonly Unplaced[] {
    if (!('intent' in effect)) return []
    const intent = state.intents[effect.intent]
    const leg = intent?.legs[effect.leg]
    if (leg === undefined) return []
    const place = { intent: effect.intent, leg: effect.leg }
    const events = this.#answer(effect, leg, place, now)
    return this.#happens('doubled') ? [...events, ...events] : events
  }

  #answer(effect: TreasuryEffect, leg: Leg, place: Placed, now: Ms): readonly Unplaced[] {
    if (effect.type === 'quote') return this.#quote(leg, place, now)
    if (effect.type === 'prepare') return this.#prepare(leg, place)
    if (effect.type === 'read') return this.#read(leg, place)
    if (effect.type === 'find') return this.#find(leg, place)
    if (effect.type !== 'transmit' && effect.type !== 'position') return []
    const attempt = leg.attempts.at(-1)
    return attempt === undefined ? [] : this.#transmit(attempt, leg, place, now)
  }

  #quote(leg: Leg, place: Placed, now: Ms): readonly Unplaced[] {
    if (this.#happens('lost')) return []
    if (this.#happens('refused'))
      return [
        {
          type: 'quoteFailed',
          ...place,
          code: 'rate_limited',
          words: 'later',
          isFinal: this.#random() < 0.2,
        },
      ]
    const isOutside = this.#happens('outside')
    const isSame = leg.asset === leg.receiveAsset
    const within = isSame ? (leg.amount + leg.leastReceived) / 2n : leg.amount
    const spend = isOutside ? leg.amount + 7n * (leg.asset === 'NTZS' ? 10n ** 18n : 10n ** 6n) : within
    const isPaid = leg.kind === 'withdrawal' && leg.from === 'treasury'
    const isShort = isPaid && this.#held.treasury[leg.asset] < spend
    const quote = {
      quoteId: isShort ? null : `quote-${++this.#next}`,
      expiresAt: now + 300_000,
      spend,
      receive: leg.leastReceived,
      feeTzs: isSame ? spend - leg.leastReceived : 0n,
      recipientName: null,
    }
    return [{ type: 'quoteSeen', ...place, quote }]
  }

  #prepare(leg: Leg, place: Placed): readonly Unplaced[] {
    if (this.#happens('lost')) return []
    if (this.#happens('unbuilt')) return [{ type: 'prepareFailed', ...place, words: 'it lacks something' }]
    const key = `key-${++this.#next}`
    return [
      {
        type: 'attemptPrepared',
        ...place,
        n: leg.attempts.length + 1,
        key,
        body: JSON.stringify({ amount: String(leg.amount), quoteId: leg.quote?.quoteId ?? null }),
        block: null,
      },
    ]
  }

  #transmit(attempt: Attempt, leg: Leg, place: Placed, now: Ms): readonly Unplaced[] {
    const { key, body, n, sendings } = attempt
    if (this.#happens('lost')) {
      const isHonest = this.#random() < 0.5
      return [
        { type: 'legSilent', ...place, n, sent: isHonest ? 'no' : 'maybe', words: 'the connection broke' },
      ]
    }
    const isKeyed = !this.#isKeyless || leg.kind.startsWith('lp')
    const known = isKeyed ? this.calls.get(key) : undefined
    if (known === undefined && this.#happens('refused')) {
      const retry = this.#random() < 0.5 ? 'backoff' : 'never'
      const code = this.#random() < 0.5 ? 'quote_stale' : 'token_paused'
      return [{ type: 'legRefused', ...place, n, isFirst: sendings === 1, code, words: 'no', retry }]
    }
    const isExpired = leg.quote !== null && leg.quote.expiresAt <= now
    if (known === undefined && isExpired)
      return [
        {
          type: 'legRefused',
          ...place,
          n,
          isFirst: sendings === 1,
          code: 'invalid_quote',
          words: 'expired',
          retry: 'never',
        },
      ]
    const call = known ?? this.#execute(key, body, leg, place, now)
    if (call.body !== body) throw new Error('the same key with another body')
    // The answer may be lost on its way back, though the money moved.
    if (this.#happens('lost'))
      return this.#random() < 0.5 ? [] : [{ type: 'legSilent', ...place, n, sent: 'yes', words: 'timed out' }]
    const { resourceId, status } = call
    // A swap's stream names no amount.
    const isStated = status === 'completed' && leg.kind !== 'swap'
    return [
      {
        type: 'legAnswered',
        ...place,
        n,
        resourceId,
        status,
        reference: null,
        instructions: null,
        received: isStated ? call.receive : null,
        fee: null,
        words: status,
      },
    ]
  }

  #execute(key: string, body: string, leg: Leg, place: Placed, now: Ms): Call {
    const { quote } = leg
    if (quote !== null && (JSON.parse(body) as { quoteId: unknown }).quoteId !== quote.quoteId)
      throw new Error('a body with a price of the past')
    const spend = leg.quote?.spend ?? leg.amount
    const receive = this.#delivered(leg)
    this.#move(leg.from, leg.asset, -spend)
    const isAtOnce = leg.kind === 'transfer' || leg.kind === 'swap' || leg.kind.startsWith('lp')
    const status = isAtOnce ? 'completed' : leg.kind === 'deposit' ? 'waiting_for_payer' : 'in_transit'
    const resourceId = `resource-${++this.#next}`
    const call: Call = { place, kind: leg.kind, body, spend, receive, at: now, resourceId, status }
    // A second payment under the same key is another call of the same leg.
    this.calls.set(this.calls.has(key) ? `${key} again ${this.calls.size}` : key, call)
    if (status === 'completed') this.#arrive(leg, call)
    return call
  }

  /** A swap is priced anew when it runs, never below its floor. */
  #delivered({ kind, quote, amount, leastReceived }: Leg): bigint {
    const quoted = quote?.receive ?? amount
    if (kind !== 'swap') return quoted
    const repriced = (quoted * BigInt(9_960 + Math.floor(this.#random() * 80))) / 10_000n
    return repriced > leastReceived ? repriced : leastReceived
  }

  #arrive(leg: Leg, call: Call): void {
    this.#move(leg.to, leg.receiveAsset, call.receive)
  }

  /** A failed off-ramp comes back as shillings. Source: partner-api.md, ramp settlement. */
  #giveBack(leg: Leg, call: Call): void {
    if (leg.kind === 'offramp')
      this.#move(leg.from, leg.receiveAsset, call.receive + (leg.quote?.feeTzs ?? 0n))
    else this.#move(leg.from, leg.asset, call.spend - this.#fee(leg))
  }

  /** What the rail keeps of a return: whole shillings, and less than half of the least payout. */
  #fee({ asset }: Leg): bigint {
    return asset === 'NTZS' && this.#happens('kept')
      ? BigInt(Math.ceil(this.#random() * 2_000)) * 10n ** 18n
      : 0n
  }

  /** What is not stuck moves on by being looked at. */
  #read(leg: Leg, place: Placed): readonly Unplaced[] {
    if (this.#happens('lost')) return []
    const call = [...this.calls.values()].find(({ resourceId }) => resourceId === leg.resourceId)
    if (call === undefined) return []
    if ((call.status === 'in_transit' || call.status === 'waiting_for_payer') && !this.#happens('stuck')) {
      call.status = this.#happens('reverted')
        ? 'reverted'
        : this.#happens('reconcileRequired')
          ? 'reconcile_required'
          : 'completed'
      if (call.status === 'completed') this.#arrive(leg, call)
      if (call.status === 'reverted') this.#giveBack(leg, call)
    } else if (isArrivedPayout(leg, call) && this.#happens('bounced')) {
      call.status = 'reverted'
      this.#giveBack(leg, call)
    }
    const received = call.status === 'completed' ? call.receive : null
    return [
      {
        type: 'resourceSeen',
        ...place,
        status: call.status,
        received,
        fee: null,
        words: call.status,
        by: 'poll',
      },
    ]
  }

  /** A transfer is found by its amount; nothing else is. */
  #find(leg: Leg, place: Placed): readonly Unplaced[] {
    const n = leg.attempts.at(-1)?.n ?? 1
    const call = this.calls.get(leg.attempts.at(-1)?.key ?? '')
    const isFound = leg.kind === 'transfer' && call !== undefined && !this.#happens('lost')
    const found = isFound ? { reference: `0x${call.resourceId}`, received: call.receive } : null
    return [{ type: 'findingSeen', ...place, n, found, words: 'looked' }]
  }

  #happens(fault: keyof Faults): boolean {
    return this.#random() < this.faults[fault]
  }
}

function isArrivedPayout({ stage, to }: Leg, { status }: Call): boolean {
  return status === 'completed' && stage === 'settled' && (to === 'bank' || to === 'phone')
}
