import { significant, type BacktestFigures } from './backtest-table.ts'
import type { TapeName } from '../peers/plan.ts'
import { OURS } from '../peers/summarise.ts'
import type { PeerFigures } from './peers-table.ts'

/** What the decision bench prints, as far as a target is about it. Microseconds. */
export type DecisionFigures = { readonly decision: { readonly p50: number; readonly p99: number } }

/** What the play bench prints: seconds of processor time by strategy. */
export type PlayFigures = { readonly seconds: Readonly<Record<string, number>> }

/** What the command bench prints: seconds of whole processes. */
export type CommandFigures = {
  readonly seconds: Readonly<
    Record<'year' | 'week' | 'sweep', { readonly wall: number; readonly cpu: number }>
  >
}

export type TargetFigures = {
  readonly backtest: BacktestFigures | null
  readonly peers: PeerFigures | null
  readonly decision: DecisionFigures | null
  readonly play: PlayFigures | null
  readonly command: CommandFigures | null
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

const CRATE = 'hftbacktest, crate'
const FOLLOWING = 'mizani, quote follows the mid'

function targetsOf({ backtest, peers, decision, play, command }: TargetFigures): readonly Target[] {
  const seconds = command?.seconds
  const speed = (name: string, on: TapeName) =>
    peers?.lines.find(({ engine, tape }) => engine === name && tape === on)?.rowsPerSecond ?? null
  const byCrate = (name: string, on: TapeName) => {
    const [ours, theirs] = [speed(name, on), speed(CRATE, on)]
    return ours === null || theirs === null ? null : ours / theirs
  }
  return [
    least('Walk: a new mid in every row, by the crate', 2, byCrate(OURS, 'walk, .5 %')),
    least('The same by the plain loop', 0.28, backtest?.walk.halfPercent.toPlain ?? null),
    least('Walk, quote follows the mid, by the crate', 0.5, byCrate(FOLLOWING, 'walk, .5 %')),
    least('Still, warm, by the crate', 2, byCrate(OURS, 'still, .5 %')),
    rows('Still, warm', 30, backtest?.still.halfPercent.warm ?? null),
    rows('Still, first million rows of a process', 8, backtest?.still.first.warm ?? null),
    most('One fill more', 4, 'us', backtest?.still.fillMoreUs ?? null),
    most(`${YEAR}, on the clock`, 1.2, 's', seconds?.year.wall ?? null),
    most(`${YEAR}, of processor`, 1.5, 's', seconds?.year.cpu ?? null),
    // Half of what commit 50727ed2 needed beside it.
    most(
      '`mizani backtest` over `examples/week`, as a process, on the clock',
      0.93,
      's',
      seconds?.week.wall ?? null,
    ),
    most(
      '`mizani sweep` of 200 variants over `examples/week`, two threads, on the clock',
      2.25,
      's',
      seconds?.sweep.wall ?? null,
    ),
    most('A play of 90 days in a tournament, `optimal`', 0.3, 's', play?.seconds.optimal ?? null),
    most('The same, `fair-value-skew`', 0.15, 's', play?.seconds['fair-value-skew'] ?? null),
    most('A decision on the live path, core alone, p99', 60, 'us', decision?.decision.p99 ?? null),
  ]
}

const YEAR = '`mizani backtest` over a year of mids, one per minute, as a process'

function rows(what: string, millions: number, value: number | null): Target {
  return {
    what,
    target: `${millions} M rows/s`,
    value,
    text: (speed) => `${significant(speed / MILLION)} M rows/s`,
    isMet: (speed) => speed >= millions * MILLION,
  }
}

function least(what: string, ratio: number, value: number | null): Target {
  return { what, target: `${ratio} times`, value, text: significant, isMet: (times) => times >= ratio }
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
