import { SIDES, type Side } from '../../../base/money/side.ts'

/**
 * What a probe's figure means. `picked`: anyone who the router would pick now, ourselves too, as the venue's
 * public endpoint has it (venue.md, Routing). `best other`: the best of the others, whether or not we are better.
 */
export type ProbeMeaning = 'picked' | 'best other'

export type ProbeWatch = {
  /** A probe of that side showed this spread; -1 = no one. `own`, whether it is ours: 1 yes, 0 no, -1 not known. */
  readonly shown: (side: Side, bps: number, own: number) => void
  /** Ours from now on, as the tape has it; null = off. */
  readonly quoted: (own: Readonly<Record<Side, number | null>>) => void
  /** What the figures of this tape's probes mean, as far as they have shown it. */
  readonly meaning: () => ProbeMeaning
}

type Probed = {
  ownBps: number | null
  /** The last figure that was not ours, and whether it was shown beside our quote of now. */
  otherBps: number | null
  sinceQuote: boolean
}

/**
 * Tells the two kinds of probes apart by what only one of them can show. Ourselves, where the tape names us, where
 * we are better by more than the tolerance, or where another one was shown beside the same quote of ours: anyone who is picked.
 * Another one, where we are better by more than the tolerance: the best of the others. Without such a sign
 * they are taken for the best of the others.
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
