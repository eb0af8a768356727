import { peersTable, type PeerFigures } from './peers-table.ts'
import { backtestTable, type BacktestFigures } from './backtest-table.ts'

export type Kept = {
  readonly machine: Readonly<Record<string, unknown>>
  readonly result: Readonly<Record<string, unknown>>
}

/** The results of the benches by name, as bench/figures.json has them. */
export type Figures = Readonly<Record<string, Kept>>

const TABLES: Readonly<Record<string, (result: Kept['result']) => string>> = {
  backtest: (result) => backtestTable(result as BacktestFigures),
  peers: (result) => peersTable(result as PeerFigures),
}

/**
 * The page with every block `<!-- bench NAME -->` to `<!-- end of NAME -->` rendered from the figures of that bench.
 * Throws where a block's bench has no table or no figures: the page shows nothing that was not measured.
 */
export function renderPage(page: string, figures: Figures): string {
  return page.replaceAll(
    /<!-- bench ([a-z]+) -->\n[^]*?<!-- end of \1 -->/g,
    (_block, name: string) => `<!-- bench ${name} -->\n\n${render(name, figures)}\n\n<!-- end of ${name} -->`,
  )
}

function render(name: string, figures: Figures): string {
  const [table, kept] = [TABLES[name], figures[name]]
  if (table === undefined || kept === undefined) {
    const lacks = table === undefined ? 'no table' : 'no figures'
    throw new Error(`the page of the figures has a block of the bench ${name}, which has ${lacks}`)
  }
  const { cpu, cores, memoryGiB, node, loadAverage } = kept.machine
  const where = `${String(cpu)}, ${String(cores)} cores, ${String(memoryGiB)} GiB, Node ${String(node)}, load average ${String(loadAverage)}.`
  return `${table(kept.result)}\n\nMeasured in one run on: ${where}`
}
