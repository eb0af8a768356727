// Writes the table of docs/tournaments.md that shows the regret in adverse markets, from the results of tournaments:
//   npx mizani tournament --adverse development --strategies constant,skew,shift-25,optimal-25 --out adverse
//   node scripts/adverse-table.ts adverse/result.json [another/result.json ...]
import { readFileSync, writeFileSync } from 'node:fs'
import { usd } from '../src/research/report/pages/difference-rows.ts'
import type { Regret } from '../src/research/tournament/regret/play-regret.ts'
import { withGeneratedBlock } from './generated-block.ts'

type Cell = Regret['cells'][number] & { readonly trainingSeeds: number }

const files = process.argv.slice(2)
if (files.length === 0) throw new Error('the path of a result.json is missing')
const cells = files.flatMap((file) => {
  const { cells: found, settings } = JSON.parse(readFileSync(file, 'utf8')) as Regret
  return found.map((cell): Cell => ({ ...cell, trainingSeeds: settings.trainingSeeds }))
})

const shown = ({ mean, se, lowerUsd, passes }: Cell) =>
  `${usd(mean)} +- ${usd(se)}, above ${usd(lowerUsd)}${passes ? '' : ' **FAIL**'}`

/** The two cells of a market: against the best baseline tuned there, and against the reference tuned in `normal`. */
const rows = cells
  .filter(({ market, tunedIn }) => tunedIn === market)
  .toSorted((a, b) => Number(b.isDevelopment) - Number(a.isDevelopment) || a.lowerUsd - b.lowerUsd)
  .map((best) => {
    const reference = cells.find(
      ({ market, strategy, tunedIn }) =>
        market === best.market && strategy === best.strategy && tunedIn !== market,
    )
    const kind = best.isDevelopment ? 'development' : 'other'
    return [
      `\`${best.market}\``,
      `${kind}, ${best.trainingSeeds}`,
      `${usd(best.bestUsd)} (\`${best.baseline}\`)`,
      shown(best),
      reference === undefined ? '' : shown(reference),
      String(best.seeds),
    ]
  })
const head = [
  'Market',
  'Kind, training seeds',
  'Best baseline, USD',
  'less the best',
  'less the `skew` of `normal`',
  'Seeds',
]
const table = [head, head.map(() => '---'), ...rows].map((line) => `| ${line.join(' | ')} |`)
const page = new URL('../docs/tournaments.md', import.meta.url)
writeFileSync(page, withGeneratedBlock(readFileSync(page, 'utf8'), 'adverse-table.ts', table))
