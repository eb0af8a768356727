import { readFileSync, readdirSync } from 'node:fs'
import { loadStrategy } from '../src/daemon/config/strategy/load-strategy.ts'
import { strategyJsonSchema } from '../src/daemon/config/schema/json-schema.ts'
import { schemaKind, tableCell, type Schema } from './schema-kind.ts'
import { strategyHeader } from './strategy-header.ts'
import { tournamentSection } from './tournament-section.ts'

const FOLDER = new URL('../strategies/', import.meta.url)

const HEADING = `# Strategies

<!-- Written by \`node scripts/strategies-docs.ts\` from the headers and schemas in strategies/; a test compares. -->

A strategy returns a target: a spread per side, or a side off, with its reasons. It never sends a request. Risk
checks and approves the target, and the quoter sends it to the venue. Each strategy is one file in [strategies/](../strategies),
chosen by \`strategy.use\` in the configuration. [config/schedule.example.yaml](../config/schedule.example.yaml) shows a
calendar of windows. To write your own, see [writing-a-strategy.md](writing-a-strategy.md).

\`bidBps\` is the spread that a taker who brings **shillings** pays us (we buy shillings, we sell dollars);
\`askBps\` is the spread that a taker who brings **dollars** pays us. The venue accepts 10 to 500 bps on each; risk clamps
and counts a spread outside. The imbalance \`d\` is the distance of the inventory from \`inventory.target\`: -1 all shillings,
0 on target, +1 all dollars. mizani refuses an unknown parameter, and a value outside of its range.

## Which one?

| You have | Use | Because |
|---|---|---|
| nothing yet | \`inventory-skew\` | two numbers, no calibration, and it returns to the target by itself |
| a reference feed | \`fair-value-skew\` or \`optimal\` | the mid is yesterday's average, and anyone who knows today's rate takes the side that it leaves cheap |
| a calibration whose fills show k | \`glft\` or \`optimal\` | the spread and the skew follow from the takers that were seen instead of from a guess |
| a desk that thinks in horizons, or in sizes | \`avellaneda-stoikov\`, \`dealer\` | the same ideas with a stated horizon, or with requests of several sizes |
| a wallet of your own | \`rfq-ladder\` | it returns signed orders, and no other one does |
| a figure to compare with | \`fixed-spread\` | it knows nothing: what does not beat it earns by chance |

Four strategies wrap another one, given as \`strategy: { use, params }\`, and add a term to its quote: \`competitive\` moves it beside the
rivals, \`toxicity-guard\` widens the side whose takers knew more, \`weekend\` widens both while the mid stands, and \`schedule\` chooses
parameters by the hour. They compose, each at most once and eight deep:
[config/wrapped.example.yaml](../config/wrapped.example.yaml) is competitive(toxicity-guard(weekend(glft))). The outermost one has the
last word, so \`competitive\` may quote nearer than what it wraps, as far as its reservation; wrap it in \`toxicity-guard\` where the floor
has to hold. A problem in the parameters of a wrapped one is reported with its line and its whole path,
\`strategy.params.strategy.params...\`; a reload that changes a wrapper keeps the states of what it wraps.

Every quote comes with its \`terms\` in bps, which sum to it before rounding: \`half-spread\`, \`inventory\`, \`fair value\`, \`calendar\`,
\`informed takers\`, \`rivals\` and so on.

What each of them earned in twelve simulated markets stands in [the tournament](#the-tournament).
`

/** A choice that loads as it stands, also where a parameter has no default. */
export const EXAMPLES: Readonly<Record<string, object>> = {
  competitive: { strategy: { use: 'glft', params: {} } },
  'fixed-spread': { bidBps: 60, askBps: 60 },
  schedule: {
    strategy: { use: 'inventory-skew', params: { halfSpreadBps: 60 } },
    timezone: 'Africa/Dar_es_Salaam',
    windows: [{ name: 'night', cron: '* 20-23,0-5 * * *', params: { halfSpreadBps: 120 } }],
  },
  'toxicity-guard': { strategy: { use: 'inventory-skew', params: { halfSpreadBps: 45 } } },
  weekend: { strategy: { use: 'inventory-skew', params: { halfSpreadBps: 45 } }, weekendBps: null },
}

/** docs/strategies.md: every strategy of the folder, by name. */
export async function strategiesReference(): Promise<string> {
  const names = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replace(/\.ts$/, ''))
    .toSorted()
  const sections: string[] = []
  for (const name of names) sections.push(await section(name))
  const tournament = ['## The tournament', '', tournamentSection('optimal-25')]
  return `${[HEADING, ...sections, ...tournament].join('\n').trimEnd()}\n`
}

async function section(name: string): Promise<string> {
  const header = strategyHeader(readFileSync(new URL(`${name}.ts`, FOLDER), 'utf8'))
  const schema = await schemaOf(name)
  const rows = rowsOf(schema, '')
  const unknown = [...header.parameters.keys()].filter((path) => !rows.some((row) => row.path === path))
  const untold = rows.filter(({ path }) => !header.parameters.has(path)).map(({ path }) => path)
  if (unknown.length + untold.length > 0)
    throw new Error(
      `${name}: the header tells of ${unknown.join(', ') || 'nothing'} that the schema has not, and not of ${untold.join(', ') || 'nothing'} that it has`,
    )
  const table = rows.map(({ path, of, isRequired }) => {
    const meaning = header.parameters.get(path) ?? ''
    return `| \`${path}\` | ${kindOf(of)} | ${defaultOf(of, isRequired)} | ${tableCell(sentence(meaning))} |`
  })
  return [
    `## ${name}`,
    '',
    header.what,
    '',
    '```yaml',
    `strategy: ${flow({ use: name, params: EXAMPLES[name] ?? defaultsOf(schema) })}`,
    '```',
    '',
    header.idea,
    '',
    '| Parameter | Kind | Default | Meaning |',
    '|---|---|---|---|',
    ...table,
    '',
    ...(header.remark === '' ? [] : [header.remark, '']),
    `**When it loses**: ${header.whenItLoses}`,
    '',
  ].join('\n')
}

async function schemaOf(name: string): Promise<Schema> {
  const folder = FOLDER.pathname
  const params = EXAMPLES[name] ?? {}
  const loaded = await loadStrategy({ use: name, params }, { folder, baseFolder: folder })
  if (!loaded.ok) throw new Error(`${name} cannot be loaded: ${JSON.stringify(loaded.error)}`)
  return strategyJsonSchema(loaded.value.strategy) ?? {}
}

type Row = { readonly path: string; readonly of: Schema; readonly isRequired: boolean }

/** A group or a list of groups is followed by what is in it. */
function rowsOf(schema: Schema, prefix: string): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, of]): Row[] => {
    const path = `${prefix}${name}`
    const row = { path, of, isRequired: schema.required?.includes(name) === true }
    return [row, ...rowsOf(of.items ?? of, `${path}.`)]
  })
}

function kindOf(schema: Schema): string {
  const group = (of: Schema | undefined) =>
    of?.properties === undefined ? null : `{ ${Object.keys(of.properties).join(', ')} }`
  if (group(schema.items) !== null) return `list of ${group(schema.items)}`
  return group(schema) ?? schemaKind(schema)
}

function defaultOf(schema: Schema, isRequired: boolean): string {
  if (isRequired) return '**required**'
  return schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``
}

function defaultsOf({ properties = {} }: Schema): object {
  const known = Object.entries(properties).filter(([, of]) => of.default !== undefined)
  return Object.fromEntries(known.map(([name, of]) => [name, of.default]))
}

/** YAML on one line. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' && !/^[\w./-]+$/.test(value) ? `'${value}'` : String(value)
  const inside = Object.entries(value).map(([name, of]) => `${name}: ${flow(of)}`)
  return inside.length === 0 ? '{}' : `{ ${inside.join(', ')} }`
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(first) ? first : `${first}.`
}
