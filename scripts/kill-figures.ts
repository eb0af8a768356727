import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { chanceText } from '../test/campaign/summary.ts'
import { generatedBlock } from './generated-block.ts'
import { clockFigures, stopFigures } from './guard-outcomes.ts'

/** What killing real processes measured: docs/kills.json, kept by scripts/reliability-page.ts. */
export const KILLS = new URL('../docs/kills.json', import.meta.url)

const guardFigures = z.object({
  kills: z.number(),
  p50Ms: z.number(),
  p95Ms: z.number(),
  worstMs: z.number(),
  overLimit: z.number(),
  desks: z.number(),
  node: z.string(),
})
const KINDS = ['SIGKILL', 'SIGTERM', 'SIGSTOP', 'partition', 'cut'] as const
const timesOfKind = z.object({ count: z.number(), p50Ms: z.number(), p95Ms: z.number(), worstMs: z.number() })
const handoverFigures = z.object({
  handovers: z.number(),
  overLimit: z.number(),
  byKind: z.record(z.enum(KINDS), timesOfKind),
  desks: z.number(),
  node: z.string(),
  postgres: z.string(),
})
const killFigures = z.strictObject({
  guard: guardFigures,
  handover: handoverFigures,
  stops: stopFigures,
  clocks: clockFigures,
})
export type KillFigures = z.infer<typeof killFigures>

/** The kept figures, with those that new results of `guard-kills` (each of its modes) and `handover-kills` replace. */
export function killFiguresWith(
  files: Readonly<Partial<Record<keyof KillFigures, string | undefined>>>,
): KillFigures {
  const kept = JSON.parse(readFileSync(KILLS, 'utf8')) as Record<string, unknown>
  for (const [part, file] of Object.entries(files))
    if (file !== undefined) kept[part] = JSON.parse(readFileSync(file, 'utf8'))
  // What is not asked for here, such as each single time, is left out of the page's figures.
  return killFigures.parse(kept)
}

const ENDS: Readonly<Record<(typeof KINDS)[number], string>> = {
  SIGKILL: 'kill -9',
  SIGTERM: 'SIGTERM',
  SIGSTOP: 'SIGSTOP',
  partition: 'a partition between holder and PostgreSQL',
  cut: 'connections to PostgreSQL that are cut',
}

/** The section of docs/reliability.md. */
export function killSection({ guard, handover }: KillFigures): string[] {
  const row = (what: string, count: number, p50: number, p95: number, worst: number) =>
    `| ${what} | ${count} | ${seconds(p50)} | ${seconds(p95)} | ${seconds(worst)} |`
  const figures = [
    '| What ends the daemon | Times | p50 | p95 | Worst |',
    '|---|---|---|---|---|',
    row('kill -9, with a guard: the safe quote', guard.kills, guard.p50Ms, guard.p95Ms, guard.worstMs),
    ...KINDS.map((kind) => {
      const { count, p50Ms, p95Ms, worstMs } = handover.byKind[kind]
      return row(`${ENDS[kind]}, with a standby: its own quote`, count, p50Ms, p95Ms, worstMs)
    }),
    '',
    `Beyond the limits of 10 s (3 s for SIGTERM and cut connections): ${guard.overLimit} of ${guard.kills} with a guard, ${handover.overLimit} of`,
    `${handover.handovers} with a standby. The chance of one, at 95 %: ${chanceText(guard.kills, guard.overLimit)} and ${chanceText(handover.handovers, handover.overLimit)} (3/n).`,
    `Measured on two cores, ${guard.desks} and ${handover.desks} desks at a time, Node ${handover.node}, PostgreSQL ${handover.postgres.split(' ')[0]}:`,
    `\`npm run guard-kills -- --kills ${guard.kills} --desks ${guard.desks}\`, \`npm run handover-kills -- --kills ${handover.handovers} --desks ${handover.desks}\`.`,
  ]
  return [
    '## Real processes that die',
    '',
    'Daemons, guards and PostgreSQL run as separate processes against a venue over real HTTP, with constant fills. Times end with the next confirmed',
    'quote. After each hand-over every fill of the venue was booked once, and no two daemons had written at once. Any other result ends the measurement.',
    '',
    ...generatedBlock('reliability-page.ts', figures),
  ]
}

/** A row of a table in a page that people write, of which only the last cell is a figure. */
export type FigureRow = { readonly page: string; readonly begins: string; readonly figure: string }

export function killRows({ guard, handover: { byKind } }: KillFigures): readonly FigureRow[] {
  const [killed, ended] = [byKind.SIGKILL, byKind.SIGTERM]
  const rowOf = (begins: string, kind: (typeof KINDS)[number]) => ({
    page: 'docs/high-availability.md',
    begins,
    figure: `${seconds(byKind[kind].p50Ms)}, ${seconds(byKind[kind].worstMs)}`,
  })
  return [
    {
      page: 'README.md',
      begins: 'From death to a confirmed safe quote',
      figure: `median ${seconds(guard.p50Ms)}, worst ${seconds(guard.worstMs)} of ${guard.kills}`,
    },
    {
      page: 'README.md',
      begins: 'From death to the quote of a standby',
      figure: `median ${seconds(killed.p50Ms)}, worst ${seconds(killed.worstMs)} of ${killed.count}; from SIGTERM ${seconds(ended.p50Ms)}, worst ${seconds(ended.worstMs)} of ${ended.count}`,
    },
    rowOf('kill -9, a dead machine', 'SIGKILL'),
    rowOf('a partition between', 'partition'),
    rowOf('SIGTERM', 'SIGTERM'),
    rowOf('SIGSTOP', 'SIGSTOP'),
    rowOf('connections to PostgreSQL that are cut', 'cut'),
  ]
}

/** The text of a page with the figure of one row; throws where the row is not there once. */
export function withFigure(text: string, { page, begins, figure }: FigureRow): string {
  const found = text.split('\n').filter((line) => line.startsWith(`| ${begins}`))
  const [row] = found
  if (row === undefined || found.length > 1)
    throw new Error(`${page} has ${found.length} rows that begin with "${begins}"`)
  return text.replace(row, `${row.slice(0, row.lastIndexOf('|', row.length - 2))}| ${figure} |`)
}

function seconds(ms: number): string {
  return `${ms < 1_000 ? (ms / 1_000).toFixed(2) : (ms / 1_000).toFixed(1)} s`
}
