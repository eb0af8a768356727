import { TAPE_NAMES } from '../peers/plan.ts'
import type { PeerLine, PeerSummary } from '../peers/summarise.ts'
import { significant } from './backtest-table.ts'

/** What `npm run bench -- peers` prints. */
export type PeerFigures = PeerSummary & { readonly missing: readonly string[] }

const SPEED_TAPES = TAPE_NAMES.filter((name) => name !== 'year')

/** One line an engine with its speed on each tape; below it whole processes, ratios, and what is missing. */
export function peersTable({ lines, fillMoreUs, toBestPeer, missing }: PeerFigures): string {
  const inProcess = [...new Set(lines.filter(({ rowsPerSecond }) => rowsPerSecond !== null).map(nameOf))]
  const commands = lines.filter(({ rowsPerSecond }) => rowsPerSecond === null)
  const ratios = SPEED_TAPES.map((tape) => toBestPeer[tape])
  return [
    row('M rows a second', [
      ...SPEED_TAPES,
      'one fill more, us',
      'peak MiB',
      'against the recomputation in whole numbers',
    ]),
    row('---', Array<string>(SPEED_TAPES.length + 3).fill('---')),
    ...inProcess.map((engine) =>
      engineRow(
        lines.filter((line) => line.engine === engine),
        fillMoreUs[engine],
      ),
    ),
    row('**mizani, warm, by the fastest peer**', [
      ...ratios.map((best) => (best === undefined ? '' : `**${significant(best.ratio)}** (${best.peer})`)),
      '',
      '',
      '',
    ]),
    '',
    '| The command as one process, start and reading of the tape included | s of processor time | s on the clock | result |',
    '|---|---|---|---|',
    ...commands.map(({ engine, tape, rows, processCpuSeconds, processWallSeconds, judged }) =>
      row(`${engine}, ${tape === 'year' ? 'a year of mids, one per minute' : tape}, ${rows} rows`, [
        significant(processCpuSeconds),
        significant(processWallSeconds),
        judged,
      ]),
    ),
    ...missing.map((sentence) => `\n${sentence}`),
  ].join('\n')
}

function engineRow(lines: readonly PeerLine[], fillMoreUs: number | undefined): string {
  const speeds = SPEED_TAPES.map((tape) => lines.find((line) => line.tape === tape)?.rowsPerSecond)
  const wrong = lines.find(({ isExact }) => !isExact)
  const peak = Math.max(...lines.map(({ peakMiB }) => peakMiB ?? 0))
  return row(lines[0]?.engine ?? '', [
    ...speeds.map((speed) => (typeof speed === 'number' ? significant(speed / 1e6) : '')),
    fillMoreUs === undefined ? '' : significant(fillMoreUs),
    String(Math.round(peak)),
    wrong === undefined ? 'exact' : `${wrong.tape}: ${wrong.judged}`,
  ])
}

function row(name: string, cells: readonly string[]): string {
  return `| ${name} | ${cells.join(' | ')} |`
}

function nameOf({ engine }: PeerLine): string {
  return engine
}
