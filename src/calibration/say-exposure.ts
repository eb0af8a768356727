import { DAY_MS } from '../base/time.ts'
import type { ExposureAccount } from './exposure-account.ts'
import type { ProbeMeaning } from '../tape/summary/probes.ts'
import type { Barrier } from './standing-side.ts'

const BARRIERS: Readonly<Record<Barrier, string>> = {
  unknown: 'before the first quote row',
  off: 'while that side was off',
  closed: 'while the venue did not quote',
  short: 'while we could not have paid them',
  beaten: 'while another provider was better by more than the tolerance',
  'their turn': 'while it was the turn of another provider within the tolerance',
}

/** What a tape did not show of our standing among takers, in sentences. */
export function sayExposure(account: ExposureAccount, meaning: ProbeMeaning): readonly string[] {
  return [
    ...sayUnknown(account),
    ...sayUnexpected(account),
    ...sayCompetition(account, meaning),
    ...saySilence(account),
  ]
}

function sayUnknown({ quoteRows, exposedMs, limitedMs }: ExposureAccount): readonly string[] {
  if (quoteRows === 0) {
    return [
      'No quote rows on this tape: without our own spreads nothing can be learned about takers. Record with `mizani run` or `mizani record`, which write them.',
    ]
  }
  if (exposedMs === 0) return ['At no time could a taker reach our quote: nothing was learned about takers.']
  if (limitedMs === 0) return []
  return [
    `Our quote was limited to some pairs for ${shareText(limitedMs, exposedMs)} of the time; A is that of those pairs.`,
  ]
}

function sayUnexpected({ unexpected, strangeFills }: ExposureAccount): readonly string[] {
  const left = (Object.keys(BARRIERS) as Barrier[])
    .filter((barrier) => unexpected[barrier] > 0)
    .map((barrier) => `${unexpected[barrier]} ${BARRIERS[barrier]}`)
  const strange = strangeFills === 0 ? [] : [`${strangeFills} not dollars against shillings`]
  if (left.length + strange.length === 0) return []
  return [`Fills left out of A and k: ${[...left, ...strange].join(', ')}.`]
}

function sayCompetition(account: ExposureAccount, meaning: ProbeMeaning): readonly string[] {
  const { competitionRows, quoteRows, exposedMs, hiddenMs } = account
  if (quoteRows === 0 || exposedMs === 0) return []
  if (competitionRows === 0) {
    return [
      'No competition rows on this tape: it is taken that nobody else quoted. If others did, A is too high and k is wrong.',
    ]
  }
  // A probe that shows ourselves says that it is our turn, whoever stands behind us.
  if (hiddenMs === 0 || meaning === 'picked') return []
  return [
    `For ${shareText(hiddenMs, exposedMs)} of the exposure the best provider was ourselves and the others were hidden; there we are taken to be alone.`,
  ]
}

function saySilence({ silentMs }: ExposureAccount): readonly string[] {
  if (silentMs === 0) return []
  return [`${(silentMs / DAY_MS).toFixed(1)} days in silences longer than a day are not counted.`]
}

function shareText(part: number, whole: number): string {
  const percent = (100 * part) / whole
  return `${percent < 1 ? 'less than 1' : Math.round(percent)} %`
}
