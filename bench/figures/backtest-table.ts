type Speeds = {
  readonly rows: number
  readonly warm: number
  readonly plainWarm: number
  readonly c: number | null
  readonly toPlain: number
}

type Compared = {
  readonly halfPercent: Speeds
  readonly onePercent: Speeds
  readonly first: { readonly warm: number; readonly plainWarm: number; readonly toPlain: number }
  readonly fillMoreUs: number
  readonly plainFillMoreUs: number
}

/** What `npm run bench -- backtest` prints. Speeds are rows a second of processor time. */
export type BacktestFigures = {
  readonly still: Compared
  readonly walk: Compared
  readonly following: Pick<Speeds, 'rows' | 'warm' | 'toPlain'>
  readonly asRecorded: {
    readonly rows: number
    readonly warm: number
    readonly onePercentWarm: number
    readonly fillMoreUs: number
  }
  readonly longWalk: {
    readonly rows: number
    readonly earlyDay: number
    readonly lateDay: number
    readonly heapMiBEarly: number
    readonly heapMiBLate: number
  }
}

/** Still and walk side by side, and below them what has one figure only. */
export function backtestTable({ still, walk, following, asRecorded, longWalk }: BacktestFigures): string {
  const sides = [still.halfPercent, still.onePercent, walk.halfPercent, walk.onePercent]
  const row = (name: string, cells: readonly string[]) => `| ${name} | ${cells.join(' | ')} |`
  const firsts = (of: (compared: Compared) => string) => [of(still), '', of(walk), '']
  return [
    row('M rows a second', ['still, .5 % fills', 'still, 1 %', 'walk, .5 %', 'walk, 1 %']),
    row('---', ['---', '---', '---', '---']),
    row(
      '**mizani, warm**',
      sides.map(({ warm }) => millions(warm)),
    ),
    row(
      'mizani, first million rows of a process',
      firsts(({ first }) => millions(first.warm)),
    ),
    row(
      'Plain loop with a bigint ledger, warm',
      sides.map(({ plainWarm }) => millions(plainWarm)),
    ),
    row(
      'Plain loop, first million rows',
      firsts(({ first }) => millions(first.plainWarm)),
    ),
    row(
      'C with doubles',
      sides.map(({ c }) => (c === null ? 'no compiler' : millions(c))),
    ),
    row(
      'mizani by the plain loop, warm',
      sides.map(({ toPlain }) => significant(toPlain)),
    ),
    row(
      'mizani by the plain loop, first',
      firsts(({ first }) => significant(first.toPlain)),
    ),
    row(
      'One fill more, mizani / plain loop',
      // On the walk it is the small difference of two large figures, and means nothing.
      [`${significant(still.fillMoreUs)} / ${significant(still.plainFillMoreUs)} us`, '', '', ''],
    ),
    '',
    '| What | Measured |',
    '|---|---|',
    row('Walk with a quote that moves with every mid', [`${millions(following.warm)} M rows/s`]),
    row('A tape as the daemon records it, inventory-skew, .5 % and 1 % fills', [
      `${millions(asRecorded.warm)} and ${millions(asRecorded.onePercentWarm)} M rows/s`,
    ]),
    row(`A walk of ${millions(longWalk.rows)} M rows`, [
      `exact; heap ${longWalk.heapMiBEarly.toFixed(1)} MiB on day ${longWalk.earlyDay}, ${longWalk.heapMiBLate.toFixed(1)} MiB on day ${longWalk.lateDay}`,
    ]),
  ].join('\n')
}

function millions(rowsPerSecond: number): string {
  return significant(rowsPerSecond / 1e6)
}

/** Three figures, never as a power of ten. */
export function significant(value: number): string {
  return String(Number(value.toPrecision(3)))
}
