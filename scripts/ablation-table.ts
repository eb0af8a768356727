// Writes the table of docs/tournaments.md that shows what each ingredient of a strategy contributes:
//   npx mizani tournament --ablate optimal --seeds 20 --first-seed 7000001 --out ablation
//   node scripts/ablation-table.ts ablation/result.json
import { readFileSync, writeFileSync } from 'node:fs'
import { usd } from '../src/research/report/pages/difference-rows.ts'
import type { TournamentResult } from '../src/research/tournament/summarise.ts'
import { withGeneratedBlock } from './generated-block.ts'

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('the path of a result.json is missing')
const { settings, ablation } = JSON.parse(readFileSync(file, 'utf8')) as TournamentResult
if (ablation === undefined) throw new Error('this result is not of --ablate')

const shown = ({ mean, se }: { readonly mean: number; readonly se: number }) => `${usd(mean)} +- ${usd(se)}`
const { of, contributions } = ablation
const scenarios = contributions[0]?.scenarios ?? []
const table = [
  ['Scenario', ...contributions.map(({ ingredient }) => ingredient)],
  ['---', ...contributions.map(() => '---')],
  ['**all**', ...contributions.map(({ overall }) => `**${shown(overall)}**`)],
  ...scenarios.map(({ name }, place) => [
    `\`${name}\``,
    ...contributions.map((one) => shown(one.scenarios[place]!)),
  ]),
].map((cells) => `| ${cells.join(' | ')} |`)
const seeds = `\`${of}\`: ${settings.seeds} seeds from ${settings.firstSeed}, ${settings.days} days.`

const page = new URL('../docs/tournaments.md', import.meta.url)
writeFileSync(
  page,
  withGeneratedBlock(readFileSync(page, 'utf8'), 'ablation-table.ts', [...table, '', seeds]),
)
