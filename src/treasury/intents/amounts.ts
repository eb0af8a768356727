import { formatTokens } from '../../base/money/asset.ts'
import type { TreasuryState } from '../state.ts'
import type { Intent, Leg, LegKind } from '../model/intent.ts'
import type { TreasuryPlace, TreasuryAsset } from '../model/place.ts'
import { isByPosition, isEnded, isUnderWay } from './legs.ts'

/** The smallest amount on a rail: whole shillings, and single base units of the dollars. */
const SMALLEST: Readonly<Record<TreasuryAsset, bigint>> = { NTZS: 10n ** 18n, USDC: 1n, USDT: 1n }

/** Kinds whose request names the amount that arrives; other requests name the amount that leaves. */
const ASKS_FOR_RECEIVED: readonly LegKind[] = ['withdrawal', 'spend', 'offramp']

export function asksForReceived(kind: LegKind): boolean {
  return ASKS_FOR_RECEIVED.includes(kind)
}

/** Returns the amount in the request, which identifies a lost answer. */
export function namedAmount({ kind, asset, amount, receiveAsset, leastReceived }: Leg): {
  readonly asset: TreasuryAsset
  readonly amount: bigint
} {
  return asksForReceived(kind) ? { asset: receiveAsset, amount: leastReceived } : { asset, amount }
}

/** Returns the named amounts of the other open legs and claims of a leg's kind and asset. */
function takenAmounts(state: TreasuryState, leg: Leg): ReadonlySet<bigint> {
  const { asset } = namedAmount(leg)
  const others = Object.values(state.intents).flatMap(({ legs }) =>
    legs.filter(
      (other) => other !== leg && other.kind === leg.kind && (!isEnded(other) || other.stage === 'claim'),
    ),
  )
  const named = others.map(namedAmount).filter((other) => other.asset === asset)
  return new Set(named.map(({ amount }) => amount))
}

/** Lowers a leg's amount by whole units until no open leg of its kind has it. Returns why none is free; null = done. */
export function makeUnique(state: TreasuryState, leg: Leg): string | null {
  if (isByPosition(leg.kind)) return null
  const taken = takenAmounts(state, leg)
  const { asset, amount } = namedAmount(leg)
  for (let free = amount; free > 0n; free -= SMALLEST[asset]) {
    if (taken.has(free)) continue
    const less = amount - free
    if (!asksForReceived(leg.kind)) leg.amount -= less
    if (leg.asset === leg.receiveAsset || asksForReceived(leg.kind))
      leg.leastReceived = difference(leg.leastReceived, less)
    return null
  }
  return amount <= 0n
    ? 'nothing is left to move'
    : `other open ${leg.kind}s have its amount of ${formatTokens(amount, asset)} ${asset} and every smaller one`
}

/** Returns `amount - less`, at least 0. */
function difference(amount: bigint, less: bigint): bigint {
  return amount > less ? amount - less : 0n
}

/**
 * Passes a leg's result to the next one, which moves what the intent has brought to its start minus what it has taken
 * from there, at most the planned amount. Returns the next leg and the reason if it cannot move; null = it can.
 */
export function handOn(
  state: TreasuryState,
  intent: Intent,
  index: number,
): { readonly stuck: Leg; readonly why: string } | null {
  const leg = intent.legs[index]
  const next = lotFrom(intent, index + 1).find((one) => !isEnded(one))
  if (leg === undefined || next === undefined || isUnderWay(next) || leg.amount === 0n) return null
  const lot = lotOf(intent, index)
  // If a cap divides a movement, each transfer after the first takes the remainder.
  const isNextPart =
    leg.kind === 'lpActivation' && next.kind === 'transfer' && lot.some(({ kind }) => kind === 'transfer')
  if (leg.to !== next.from && !isNextPart) return null
  if (leg.receiveAsset !== next.asset || asksForReceived(next.kind)) return null
  const brought = broughtTo(lot, next.from, next.asset)
  // Earlier holdings of the place do not count as brought by the intent.
  if (isNextPart && brought === 0n) return null
  // Sweeps and on-chain tokens have any digits, but the rail moves whole units.
  const arrived = isByPosition(next.kind) ? brought : brought - (brought % SMALLEST[next.asset])
  if (arrived < next.amount) {
    const missing = next.amount - arrived
    next.amount = arrived
    if (next.asset === next.receiveAsset) next.leastReceived = difference(next.leastReceived, missing)
  }
  const why = makeUnique(state, next)
  return why === null ? null : { stuck: next, why }
}

/** Returns the legs of the same lot from this index on; each deposit starts a new lot. */
function lotFrom({ legs }: Intent, index: number): readonly Leg[] {
  const end = legs.findIndex(({ kind }, at) => at >= index && kind === 'deposit')
  return legs.slice(index, end < 0 ? undefined : end)
}

/** Returns the legs of a lot up to this index. */
function lotOf({ legs }: Intent, index: number): readonly Leg[] {
  const first = legs.slice(0, index + 1).findLastIndex(({ kind }) => kind === 'deposit')
  return legs.slice(Math.max(0, first), index + 1)
}

function broughtTo(legs: readonly Leg[], place: TreasuryPlace, asset: TreasuryAsset): bigint {
  let sum = 0n
  for (const leg of legs) {
    if (leg.received === null) continue
    if (leg.to === place && leg.receiveAsset === asset) sum += leg.received
    if (leg.from === place && leg.asset === asset) sum -= leg.quote?.spend ?? leg.amount
  }
  return sum > 0n ? sum : 0n
}
