import cliTruncate from 'cli-truncate'
import { printable } from '../../base/printable.ts'
import { decimalText } from '../../base/text/numbers.ts'
import { SECOND_MS } from '../../base/time.ts'
import { runEvery } from '../../base/threads/timing.ts'
import type { Host } from '../../daemon/runtime/host/run-host.ts'
import type { PositionSummary } from '../../daemon/view/position-summary.ts'
import { terminalFeatures } from '../output/screen.ts'

/** Where the terminal does not tell its width. */
const USUAL_COLUMNS = 80
const CLEAR_LINE = '\r\u001B[2K'

/**
 * Keeps one line below the log of a daemon that runs on a terminal. The log's lines replace it, and it is drawn again within a second.
 * Returns the function that removes it; elsewhere nothing is drawn.
 */
export function showStatusLine({ summaries }: Pick<Host, 'summaries'>, output = process.stdout): () => void {
  if (!terminalFeatures(output, process.env).live) return () => undefined
  let isShown = true
  const timer = runEvery(async () => {
    const text = statusLine(await summaries())
    if (isShown) output.write(`${CLEAR_LINE}${cliTruncate(text, (output.columns || USUAL_COLUMNS) - 1)}`)
  }, SECOND_MS)
  return () => {
    isShown = false
    clearInterval(timer)
    output.write(CLEAR_LINE)
  }
}

/** A position in a line; of several, how many are in which state, and the names of those that need attention. */
export function statusLine(positions: readonly PositionSummary[]): string {
  const [only] = positions
  if (only === undefined) return 'no position runs'
  if (positions.length === 1) return onePosition(only)
  const states = Map.groupBy(positions, stateOf)
  const counts = Array.from(states, ([state, { length }]) => `${length} ${state}`).join(', ')
  const troubled = positions.filter(({ ready }) => !ready).map(({ name }) => name)
  const rest = troubled.length === 0 ? 'all ready' : `not ready: ${troubled.join(', ')}`
  return printable(`${positions.length} positions: ${counts} | ${rest}`)
}

function onePosition(summary: PositionSummary): string {
  const { name, bidBps, askBps, mid, pnlTodayUsd, fillsToday, ready, why } = summary
  const side = (bps: number | null) => bps ?? '–'
  const known = [
    `bid ${side(bidBps)} ask ${side(askBps)} bps`,
    mid === null ? 'no mid' : `mid ${decimalText(mid, 2)}`,
    pnlTodayUsd === null ? 'PnL unknown' : `PnL today ${decimalText(pnlTodayUsd, 2, 'plus')} USD`,
    `fills today ${fillsToday ?? '–'}`,
    ...(ready ? [] : [`not ready: ${why[0] ?? 'no reason is given'}`]),
  ]
  return printable([`${name} ${stateOf(summary)}`, ...known].join(' | '))
}

function stateOf({ answered, tradingState, paused, mode }: PositionSummary): string {
  if (!answered) return 'SILENT'
  const state = paused && tradingState !== 'HALTED' ? 'PAUSED' : (tradingState ?? 'NOT RUNNING')
  return mode === 'dry-run' ? `${state} (dry run)` : state
}
