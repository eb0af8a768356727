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

/** Returns the open legs and claims; a new leg's amount must differ from those of its kind. */
function openAmounts(state: TreasuryState, except: Leg | null = null): readonly Leg[] {
  return Object.values(state.intents).flatMap(({ legs }) =>
    legs.filter((leg) => leg !== except && (!isEnded(leg) || leg.stage === 'claim')),
  )
}

/** Lowers a leg's amount by whole units until no open leg of its kind has it. */
export function makeUnique(state: TreasuryState, leg: Leg): void {
  if (isByPosition(leg.kind)) return
  const others = openAmounts(state, leg).filter(({ kind }) => kind === leg.kind)
  const isTaken = () => {
    const { asset, amount } = namedAmount(leg)
    return others.some((other) => {
      const named = namedAmount(other)
      return named.asset === asset && named.amount === amount
    })
  }
  while (isTaken()) lower(leg, SMALLEST[namedAmount(leg).asset])
}

function lower(leg: Leg, by: bigint): void {
  if (!asksForReceived(leg.kind)) leg.amount -= by
  if (leg.asset === leg.receiveAsset || asksForReceived(leg.kind)) leg.leastReceived -= by
}

/**
 * Passes a leg's result to the next one, which moves what the intent has brought to its start minus what it has taken
 * from there, at most the planned amount.
 */
export function handOn(state: TreasuryState, intent: Intent, index: number): void {
  const leg = intent.legs[index]
  const next = lotFrom(intent, index + 1).find((one) => !isEnded(one))
  if (leg === undefined || next === undefined || isUnderWay(next) || leg.amount === 0n) return
  const lot = lotOf(intent, index)
  // If a cap divides a movement, each transfer after the first takes the remainder.
  const isNextPart =
    leg.kind === 'lpActivation' && next.kind === 'transfer' && lot.some(({ kind }) => kind === 'transfer')
  if (leg.to !== next.from && !isNextPart) return
  if (leg.receiveAsset !== next.asset || asksForReceived(next.kind)) return
  const brought = broughtTo(lot, next.from, next.asset)
  // Earlier holdings of the place do not count as brought by the intent.
  if (isNextPart && brought === 0n) return
  // Sweeps and on-chain tokens have any digits, but the rail moves whole units.
  const arrived = isByPosition(next.kind) ? brought : brought - (brought % SMALLEST[next.asset])
  if (arrived < next.amount) {
    const missing = next.amount - arrived
    next.amount = arrived
    if (next.asset === next.receiveAsset)
      next.leastReceived = next.leastReceived > missing ? next.leastReceived - missing : 0n
  }
  makeUnique(state, next)
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
