import type { Event } from '../../src/core/engine/model/event.ts'
import type { PostedStore } from '../../src/store/journal/posted-store.ts'
import { shortOr } from '../harness/short.ts'

export const TURNS = shortOr(50, 2_000)
const BULK = shortOr(5_000, 200_000)
const BULK_TURN = 1_000
const MAX_WAITING = 50_000

/** One event and its observation a turn, as the live loop does it. */
export async function timeTurns(store: PostedStore, turns = TURNS): Promise<Record<string, number>> {
  const appendUs: number[] = []
  const turnUs: number[] = []
  const durableMs: number[] = []
  for (let seq = 1; seq <= turns; seq++) {
    const event = rateEvent(seq)
    const startedAt = performance.now()
    store.append(seq, event)
    const appended = performance.now()
    // The message leaves in a microtask: waiting for one measures what the turn pays in all.
    await Promise.resolve()
    turnUs.push((performance.now() - startedAt) * 1_000)
    appendUs.push((appended - startedAt) * 1_000)
    await durable(store, seq)
    durableMs.push(performance.now() - startedAt)
  }
  return {
    appendUsP50: quantile(appendUs, 0.5),
    appendUsP99: quantile(appendUs, 0.99),
    appendAndPostUsP50: quantile(turnUs, 0.5),
    appendAndPostUsP99: quantile(turnUs, 0.99),
    durableMsP50: quantile(durableMs, 0.5),
    durableMsP99: quantile(durableMs, 0.99),
  }
}

/** Events a second until the last of many is durable. */
export async function timeBulk(store: PostedStore, from: number, events = BULK): Promise<number> {
  const startedAt = performance.now()
  let seq = from
  while (seq < from + events) {
    for (let i = 0; i < BULK_TURN; i++) store.append(++seq, rateEvent(seq))
    if (store.backlog() > MAX_WAITING) await durable(store, seq - MAX_WAITING)
    else await Promise.resolve()
  }
  await durable(store, seq)
  return Math.round(events / ((performance.now() - startedAt) / 1_000))
}

let waiting: { readonly seq: number; readonly resolve: () => void } | null = null
const listening = new WeakSet<PostedStore>()

function durable(store: PostedStore, seq: number): Promise<void> {
  if (!listening.has(store)) {
    listening.add(store)
    store.onDurable((now) => {
      if (waiting !== null && now >= waiting.seq) waiting.resolve()
    })
    store.onFailure((failure) => {
      throw new Error(failure.message)
    })
  }
  if (store.durableSeq() >= seq) return Promise.resolve()
  return new Promise((resolve) => (waiting = { seq, resolve }))
}

function rateEvent(seq: number): Event {
  const mid = 2_612_340_000_000_000_000_000n + BigInt(seq)
  const rest = { problem: null, rateUpdatedAt: seq, quotable: true, venueTime: seq }
  return { type: 'rate', t: 1_700_000_000_000 + seq, request: seq, mid, ...rest }
}

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return round(sorted[Math.floor(q * (sorted.length - 1))] ?? Number.NaN)
}

export function round(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
