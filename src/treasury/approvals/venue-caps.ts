import { DAY_MS, type Ms } from '../../base/time.ts'
import { formatTokens } from '../../base/money/asset.ts'
import type { TreasuryState } from '../state.ts'
import type { VenueCaps } from '../model/config.ts'
import type { Leg } from '../model/intent.ts'
import { civilDayOf, civilMomentOf } from '../policy/calendar/civil-day.ts'

/** Returns the venue's caps on transfers of the shilling: the lower of the configured and the learned one. */
export function transferCaps({ config, transferCaps: learned }: TreasuryState): VenueCaps {
  const lower = (field: keyof VenueCaps) => {
    const known = [config.transferCaps?.[field] ?? null, learned?.[field] ?? null].filter(
      (cap) => cap !== null,
    )
    return known.length === 0 ? null : known.reduce((least, cap) => (cap < least ? cap : least))
  }
  return { perTransaction: lower('perTransaction'), perDay: lower('perDay') }
}

/** Returns the transfers of the shilling of the last 24 hours, oldest first, without refused ones. */
function sentToday({ intents, now }: TreasuryState): readonly { readonly at: Ms; readonly amount: bigint }[] {
  return Object.values(intents)
    .flatMap(({ legs }) => legs)
    .filter(isCapped)
    .flatMap(({ sentAt, amount }) =>
      sentAt === null || now - sentAt >= DAY_MS ? [] : [{ at: sentAt, amount }],
    )
    .toSorted((a, b) => a.at - b.at)
}

function isCapped({ kind, asset, stage }: Leg): boolean {
  return kind === 'transfer' && asset === 'NTZS' && stage !== 'refused'
}

export function transferredToday(state: TreasuryState): bigint {
  return sentToday(state).reduce((sum, { amount }) => sum + amount, 0n)
}

/** Returns what the day's cap still allows for transfers of the shilling; null = no cap is known. */
export function transfersLeft(state: TreasuryState): bigint | null {
  const { perDay } = transferCaps(state)
  if (perDay === null) return null
  const used = transferredToday(state)
  return perDay > used ? perDay - used : 0n
}

/** Returns when a transfer fits the day's cap again; null = now, or it exceeds the whole cap and is tried anyway. */
export function transferWaits(
  state: TreasuryState,
  leg: Leg,
): { readonly until: Ms; readonly why: string } | null {
  const { perDay } = transferCaps(state)
  const left = transfersLeft(state)
  if (!isCapped(leg) || perDay === null || left === null || leg.amount <= left || leg.amount > perDay)
    return null
  let freed = left
  const until = sentToday(state).find(({ amount }) => (freed += amount) >= leg.amount)?.at ?? state.now
  const text = (units: bigint) => `${formatTokens(units, 'NTZS')} NTZS`
  return {
    until: until + DAY_MS,
    why: `it waits: the venue accepts ${text(perDay)} of transfers a day, of which ${text(left)} are left`,
  }
}

/** The figures of a limit in a refusal, in base units; `used` null = the limit applies to one transaction. */
type RefusedLimit = { readonly limit: bigint; readonly used: bigint | null }

/**
 * Learns a cap of the venue from a refusal. Returns when the transfer may be tried again, the next day if the day's cap
 * is used up; null = it is too large, or was refused for another reason.
 */
export function learnTransferCap(state: TreasuryState, leg: Leg, limit: RefusedLimit | undefined): Ms | null {
  if (limit === undefined || !isCapped(leg)) return null
  const field = limit.used === null || leg.amount > limit.limit ? 'perTransaction' : 'perDay'
  const known = state.transferCaps ?? { perTransaction: null, perDay: null }
  state.transferCaps = { ...known, [field]: limit.limit }
  return field === 'perDay' ? civilMomentOf(civilDayOf(state.now) + 1, 0) : null
}
