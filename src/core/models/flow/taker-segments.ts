import type { TakerTags } from '../../../base/money/side.ts'

/** How takers are grouped. */
export const SEGMENT_KINDS = ['source', 'partner', 'wallet'] as const
export type SegmentKind = (typeof SEGMENT_KINDS)[number]

/** The part of some fills that came from one source, partner or wallet. */
export type TakerShare = {
  /** Null = the venue did not name it. */
  readonly name: string | null
  readonly fills: number
  readonly usd: number
  /** Share of the dollars, 0..1. */
  readonly share: number
}

/** Returns the name of a taker's segment, a wallet shortened: `0x1a2b...9f0e`; null = unknown. */
export function segmentOf(taker: TakerTags | undefined, by: SegmentKind): string | null {
  const name = taker?.[by] ?? null
  return name === null || by !== 'wallet' ? name : `${name.slice(0, 6)}...${name.slice(-4)}`
}

/** Returns the segments of a taker, one of each kind: the kind, a space, and the name; without a name = unknown. */
export function segmentKeys(taker: TakerTags | undefined): readonly string[] {
  return SEGMENT_KINDS.map((by) => `${by} ${segmentOf(taker, by) ?? ''}`)
}

/** Returns the shares of the segments in some fills, `context.recentFills` for example, the most dollars first. */
export function takerMix(
  fills: readonly { readonly usd: number; readonly taker?: TakerTags }[],
  by: SegmentKind,
): readonly TakerShare[] {
  const mix = new Map<string | null, { fills: number; usd: number }>()
  let all = 0
  for (const { usd, taker } of fills) {
    const name = segmentOf(taker, by)
    const before = mix.get(name) ?? { fills: 0, usd: 0 }
    mix.set(name, { fills: before.fills + 1, usd: before.usd + usd })
    all += usd
  }
  return Array.from(mix, ([name, sums]) => ({ name, ...sums, share: all > 0 ? sums.usd / all : 0 })).toSorted(
    (a, b) => b.usd - a.usd,
  )
}
