// Writes the table of docs/tournaments.md that shows the regret in adverse markets, from the results of tournaments;
// rows of markets that these files do not have stay:
//   npx mizani tournament --adverse development --strategies constant,skew,shift-25,optimal-25 --out adverse
//   node scripts/adverse-table.ts adverse/result.json [another/result.json ...]
import { readFileSync, writeFileSync } from 'node:fs'
import { usd } from '../src/research/report/pages/difference-rows.ts'
import type { Regret } from '../src/research/tournament/regret/play-regret.ts'
import { withGeneratedBlock } from './generated-block.ts'

type Cell = Regret['cells'][number] & { readonly trainingSeeds: number; readonly commit: string | null }

const files = process.argv.slice(2)
if (files.length === 0) throw new Error('the path of a result.json is missing')
const cells = files.flatMap((file) => {
  const { cells: found, settings, commit } = JSON.parse(readFileSync(file, 'utf8')) as Regret
  return found.map((cell): Cell => ({
    ...cell,
    trainingSeeds: settings.trainingSeeds,
    commit: commit?.slice(0, 9) ?? null,
  }))
})

const shown = ({ mean, se, lowerUsd, passes }: Cell) =>
  `${usd(mean)} +- ${usd(se)}, above ${usd(lowerUsd)}${passes ? '' : ' **FAIL**'}`

/** A row of the table as it is printed, by market. */
const rows = new Map<string, readonly string[]>()

const page = new URL('../docs/tournaments.md', import.meta.url)
const text = readFileSync(page, 'utf8')
const before = text.slice(text.indexOf('adverse-table.ts -->')).split('<!-- end')[0] ?? ''
for (const line of before.split('\n')) {
  const row = line.split('|').slice(1, -1)
  const market = /^ `([\w-]+)` $/.exec(row[0] ?? '')?.[1]
  if (market !== undefined)
    rows.set(
      market,
      row.map((cell) => cell.trim()),
    )
}
/** The two cells of a market: against the best baseline tuned there, and against the reference tuned in `normal`. */
for (const best of cells.filter(({ market, tunedIn }) => tunedIn === market)) {
  const reference = cells.find(
    ({ market, strategy, tunedIn }) =>
      market === best.market && strategy === best.strategy && tunedIn !== market,
  )
  const kind = best.isDevelopment ? 'development' : 'other'
  rows.set(best.market, [
    `\`${best.market}\``,
    `${kind}, ${best.trainingSeeds}`,
    `${usd(best.bestUsd)} (\`${best.baseline}\`)`,
    shown(best),
    reference === undefined ? '' : shown(reference),
    best.commit === null ? String(best.seeds) : `${best.seeds} of ${best.commit}`,
  ])
}
const lowerOf = (row: readonly string[]) =>
  Number(/above (-?[\d,]+)/.exec(row[3] ?? '')?.[1]?.replaceAll(',', ''))
const sorted = [...rows.values()].toSorted(
  (a, b) => (a[1] ?? '').localeCompare(b[1] ?? '') || lowerOf(a) - lowerOf(b),
)
const head = [
  'Market',
  'Kind, training seeds',
  'Best baseline, USD',
  'less the best',
  'less the `skew` of `normal`',
  'Seeds',
]
const table = [head, head.map(() => '---'), ...sorted].map((line) => `| ${line.join(' | ')} |`)
writeFileSync(page, withGeneratedBlock(text, 'adverse-table.ts', table))
