import { backtestTable, type BacktestFigures } from './backtest-table.ts'
import { peersTable, type PeerFigures } from './peers-table.ts'
import { targetsTable, type CommandFigures, type DecisionFigures, type PlayFigures } from './targets-table.ts'
import { fleetTable, type FleetFigures } from './fleet-table.ts'

export type Kept = {
  readonly machine: Readonly<Record<string, unknown>>
  readonly result: Readonly<Record<string, unknown>>
}

/** The results of the benches by name, as bench/figures.json has them. */
export type Figures = Readonly<Record<string, Kept>>

const TABLES: Readonly<Record<string, (result: Kept['result']) => string>> = {
  backtest: (result) => backtestTable(result as BacktestFigures),
  peers: (result) => peersTable(result as PeerFigures),
  fleet: (result) => fleetTable(result as FleetFigures),
}

/**
 * The page with every block `<!-- bench NAME -->` to `<!-- end of NAME -->` rendered from the figures of that bench, or a
 * sentence that names the command where none exist; `<!-- bench targets -->` is rendered from all of them. Throws
 * where a block's bench has no table.
 */
export function renderPage(page: string, figures: Figures): string {
  return page.replaceAll(
    /<!-- bench ([a-z]+) -->\n[^]*?<!-- end of \1 -->/g,
    (_block, name: string) => `<!-- bench ${name} -->\n\n${render(name, figures)}\n\n<!-- end of ${name} -->`,
  )
}

function render(name: string, figures: Figures): string {
  if (name === 'targets') return renderTargets(figures)
  const [table, kept] = [TABLES[name], figures[name]]
  if (table === undefined)
    throw new Error(`the page of the figures has a block of ${name}, which has no table`)
  if (kept === undefined) return `Not measured yet: \`npm run bench -- --figures ${name}\` does.`
  const { cpu, cores, memoryGiB, platform, node, loadAverage } = kept.machine
  const where = `${String(cores)} cores of ${String(cpu)}, ${String(memoryGiB)} GiB, ${String(platform)}, Node ${String(node)}`
  return `${table(kept.result)}\n\nOne run on ${where}, load average ${String(loadAverage)} at its end.`
}

function renderTargets({ backtest, peers, decision, play, command }: Figures): string {
  return targetsTable({
    backtest: backtest === undefined ? null : (backtest.result as BacktestFigures),
    peers: peers === undefined ? null : (peers.result as PeerFigures),
    decision: decision === undefined ? null : (decision.result as DecisionFigures),
    play: play === undefined ? null : (play.result as PlayFigures),
    command: command === undefined ? null : (command.result as CommandFigures),
  })
}
