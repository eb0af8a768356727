import type { Door } from '../src/research/jobs/model/door.ts'
import { DOORS } from '../src/research/jobs/model/doors.ts'
import { parameterRows } from '../src/research/jobs/model/parameter-rows.ts'

const HEADING = `# The models

<!-- Written by \`node scripts/models-docs.ts\` from the models of \`mizani model\`; a test compares. -->

\`mizani model\` with a name and \`--params\` computes one model, so that anybody can check it against the paper or against other
code. \`--params\` is JSON, \`@FILE\`, or \`-\` for standard input; YAML is read as well. With \`--json\` the answer has exactly
the fields shown here, unrounded; without, it is a table. A parameter that a model does not admit is exit code 2 with its
line and column; an answer that no float64 holds is exit code 1. Where a model falls back to a simpler one, stderr has a
warning and the field \`fallback\` names it.

Half-spreads are in bps of the mid, rates in fills a day and side at no spread, volatility in bps per square root of a day,
inventory in lots of dollars above the target. \`bid\` and \`ask\` of \`glft\` are the paper's: \`bid\` is the distance at which we
buy dollars, which the venue calls askBps, and \`ask\` the one at which we sell them, its bidBps ([glossary](glossary.md)).

| Model | Computes |
|---|---|
`

/** docs/models.md: every model with its parameters, their units, and an example. */
export function modelsReference(): string {
  const rows = DOORS.map(({ name, summary }) => `| [${name}](#${name}) | ${cell(summary)} |`)
  return `${HEADING}${rows.join('\n')}\n${DOORS.map(section).join('')}`
}

function section(door: Door): string {
  const rows = parameterRows(door).map(
    ({ name, type, meaning }) => `| \`${name}\` | ${cell(type)} | ${cell(meaning)} |`,
  )
  const answer = door.answer(JSON.parse(door.example), () => undefined)
  return `
## ${door.name}

${sentence(door.summary)}. Source: ${door.source}.

| Parameter | Type and range | Meaning |
|---|---|---|
${rows.join('\n')}

\`\`\`sh
npx mizani model ${door.name} --json --params '${door.example}'
\`\`\`

\`\`\`json
${JSON.stringify(answer.ok ? answer.value : answer.error, shortened)}
\`\`\`
${figureTable(door)}`
}

function figureTable({ figures }: Door): string {
  const rows = Object.entries(figures).map(
    ([path, meaning]) => `| \`${path.replace('*', '<name>')}\` | ${cell(meaning)} |\n`,
  )
  return `\n| Field | Meaning |\n|---|---|\n${rows.join('')}`
}

/** Seven digits are enough to compare with. */
function shortened(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(7)) : value
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
