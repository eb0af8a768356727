// Writes the table of docs/market-checks.md that shows in which scenarios the best constant loses, from the result of a tournament:
//   npx mizani tournament --strategies constant,skew --seeds 60 --first-seed 2000001 --out outcome
//   node scripts/scenarios-table.ts outcome/result.json
import { readFileSync, writeFileSync } from 'node:fs'
import type { TournamentResult } from '../src/research/tournament/summarise.ts'
import { withGeneratedBlock } from './generated-block.ts'

type Standing = TournamentResult['scenarios'][number]['standings'][number]

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('the path of a result.json is missing')
const result = JSON.parse(readFileSync(file, 'utf8')) as TournamentResult
const whole = (usd: number) => Math.round(usd).toLocaleString('en-US')
const percent = (share: number) => Math.round(100 * share)

/** PnL with its error, and the share of losing seeds with its. */
function columns({ tuning, pnl, losing, parts }: Standing): readonly string[] {
  const chosen = tuning === null ? '' : tuning.chosen.replaceAll(/[a-zA-Z=]+Bps(=\w+)? /g, '')
  const share = `${percent(losing.share)} +- ${percent(losing.se)} %`
  return [chosen, `${whole(pnl.mean)} +- ${whole(pnl.se)}`, share, whole(parts.informedUsd)]
}

const titles = ['Best', 'PnL, USD', 'Losing seeds', 'Informed, USD']
const names = result.scenarios[0]?.standings.map(({ strategy }) => strategy) ?? []
const head = ['Scenario', ...names.flatMap((name) => titles.map((title) => `${title}, \`${name}\``))]
const lines = result.scenarios.map(({ name, standings }) => [`\`${name}\``, ...standings.flatMap(columns)])
const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`)
const page = new URL('../docs/market-checks.md', import.meta.url)
writeFileSync(page, withGeneratedBlock(readFileSync(page, 'utf8'), 'scenarios-table.ts', table))
