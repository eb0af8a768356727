import { significant, type BacktestFigures } from './backtest-table.ts'
import type { PeerFigures } from './peers-table.ts'

/** What the decision bench prints, as far as a target is about it. Microseconds. */
export type DecisionFigures = { readonly decision: { readonly p50: number; readonly p99: number } }

export type TargetFigures = {
  readonly backtest: BacktestFigures | null
  readonly peers: PeerFigures | null
  readonly decision: DecisionFigures | null
}

type Target = {
  readonly what: string
  /** Shown as it stands here; `isMet` judges. */
  readonly target: string
  /** Null where it was not measured. */
  readonly value: number | null
  readonly text: (value: number) => string
  readonly isMet: (value: number) => boolean
}

const MILLION = 1e6

/** What was aimed for, what was measured, and whether it is met. */
export function targetsTable(figures: TargetFigures): string {
  const rows = targetsOf(figures).map(({ what, target, value, text, isMet }) => {
    const [measured, met] =
      value === null ? ['not measured', ''] : [text(value), isMet(value) ? 'yes' : '**no**']
    return `| ${what} | ${target} | ${measured} | ${met} |`
  })
  return ['| What | Target | Measured | Met |', '|---|---|---|---|', ...rows].join('\n')
}

function targetsOf({ backtest, peers, decision }: TargetFigures): readonly Target[] {
  const year = peers?.lines.find(({ tape }) => tape === 'year')?.processCpuSeconds ?? null
  return [
    rows('Walk: a new mid in every row', 1.5, backtest?.walk.halfPercent.warm ?? null),
    ratio('The same by the fastest peer', peers?.toBestPeer['walk, .5 %']?.ratio ?? null),
    rows('Walk with a quote that moves with every mid', 0.7, backtest?.following.warm ?? null),
    rows('Still, warm', 15, backtest?.still.halfPercent.warm ?? null),
    rows('Still, first million rows of a process', 8, backtest?.still.first.warm ?? null),
    ratio('Still, warm, by the fastest peer', peers?.toBestPeer['still, .5 %']?.ratio ?? null),
    most('One fill more', 5, 'us', backtest?.still.fillMoreUs ?? null),
    most('`mizani backtest` over a year of mids, one per minute, as a process', 1.5, 's', year),
    most('A decision on the live path, core alone, p99', 50, 'us', decision?.decision.p99 ?? null),
  ]
}

function rows(what: string, millions: number, value: number | null): Target {
  return {
    what,
    target: `${millions} M rows/s`,
    value,
    text: (speed) => `${significant(speed / MILLION)} M rows/s`,
    isMet: (speed) => speed >= millions * MILLION,
  }
}

function ratio(what: string, value: number | null): Target {
  return { what, target: 'over 1', value, text: significant, isMet: (times) => times > 1 }
}

function most(what: string, limit: number, unit: string, value: number | null): Target {
  return {
    what,
    target: `${limit} ${unit} at most`,
    value,
    text: (measured) => `${significant(measured)} ${unit}`,
    isMet: (measured) => measured <= limit,
  }
}
