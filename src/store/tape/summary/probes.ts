import { SIDES, type Side } from '../../../base/money/side.ts'

/**
 * The meaning of a probe's figure. `picked`: the provider that the router would pick now, including ourselves, as the
 * venue's public endpoint reports it (venue.md, Routing). `best other`: the best of the others, even if we are better.
 */
export type ProbeMeaning = 'picked' | 'best other'

type ProbeWatch = {
  /** A probe of that side showed this spread; -1 = no provider. `own`: whether it is ours: 1 yes, 0 no, -1 unknown. */
  readonly shown: (side: Side, bps: number, own: number) => void
  /** Our quote from now on; null = off. */
  readonly quoted: (own: Readonly<Record<Side, number | null>>) => void
  /** What the figures of this tape's probes mean, as far as they have shown it. */
  readonly meaning: () => ProbeMeaning
}

type Probed = {
  ownBps: number | null
  /** The last figure that was not ours, and whether it was shown next to our current quote. */
  otherBps: number | null
  sinceQuote: boolean
}

/**
 * Distinguishes the two kinds of probes by figures that only one of them can show. `picked`: a probe names us, although
 * we are better by more than the tolerance or another provider was shown next to the same quote of ours. `best other`:
 * a probe shows another provider although we are better by more than the tolerance. Without such evidence: `best
 * other`.
 */
export function watchProbes(toleranceBps: number): ProbeWatch {
  const probed: Record<Side, Probed> = { bid: createProbed(), ask: createProbed() }
  const signs = { picked: 0, others: 0 }
  return {
    shown(side, shown, own) {
      const { ownBps, otherBps, sinceQuote } = probed[side]
      if (ownBps === null || shown === -1) return
      if (own === 1) {
        signs.picked += 1
        return
      }
      if (shown === ownBps && own === -1) {
        const isBetter = otherBps !== null && ownBps < otherBps - toleranceBps
        if (isBetter || sinceQuote) signs.picked += 1
        return
      }
      if (ownBps < shown - toleranceBps) signs.others += 1
      probed[side].otherBps = shown
      probed[side].sinceQuote = true
    },
    quoted(own) {
      for (const side of SIDES) {
        if (own[side] === probed[side].ownBps) continue
        probed[side].ownBps = own[side]
        probed[side].sinceQuote = false
      }
    },
    meaning: () => (signs.picked > signs.others ? 'picked' : 'best other'),
  }
}

function createProbed(): Probed {
  return { ownBps: null, otherBps: null, sinceQuote: false }
}
