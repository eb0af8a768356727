import { readFileSync, readdirSync } from 'node:fs'
import { loadStrategy } from '../src/daemon/config/strategy/load-strategy.ts'
import { strategyJsonSchema } from '../src/daemon/config/schema/json-schema.ts'
import { generatedBlock } from './generated-block.ts'
import { schemaKind, tableCell, type Schema } from './schema-kind.ts'
import { strategyHeader, type StrategyHeader } from './strategy-header.ts'
import { tournamentSection } from './tournament-section.ts'

const FOLDER = new URL('../strategies/', import.meta.url)

const WRITTEN = '`node scripts/strategies-docs.ts` writes this page from [strategies/](../strategies).'

/** A page of strategies that work alike. */
type Family = { readonly title: string; readonly lead: string }

const FAMILIES = {
  'rule-strategies.md': {
    title: 'Strategies that follow a rule',
    lead: 'These four need no calibration: a spread, a skew or a ladder that you choose.',
  },
  'model-strategies.md': {
    title: 'Strategies that follow a model',
    lead: 'These derive spread and skew from a model of the takers. Read [calibration.md](calibration.md) first: a guessed k gives a guessed quote.',
  },
  'wrapping-strategies.md': {
    title: 'Strategies that wrap another one',
    lead: 'These take another strategy, `strategy: { use, params }`, and add a term to its quote. [How they compose](strategies.md#wrap-one-strategy-in-another).',
  },
} as const satisfies Readonly<Record<string, Family>>

type PageName = keyof typeof FAMILIES

/** Their spreads are parameters; every other strategy that wraps nothing follows a model. */
const RULES: ReadonlySet<string> = new Set([
  'fixed-spread',
  'inventory-skew',
  'fair-value-skew',
  'rfq-ladder',
])

const TOURNAMENT = {
  page: 'tournament-results.md',
  title: 'What each strategy earned',
  lead: 'After this page you know what each tuned baseline and each shipped strategy earned and lost in the [twelve simulated markets](scenarios.md).',
}

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

/** The pages about the shipped strategies and their tournament, by file name in docs/. */
export async function strategyPages(): Promise<ReadonlyMap<string, string>> {
  const names = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replace(/\.ts$/, ''))
    .toSorted()
  const sections = new Map<PageName, string[]>()
  for (const name of names) {
    const header = strategyHeader(readFileSync(new URL(`${name}.ts`, FOLDER), 'utf8'))
    const page = pageOf(name, header)
    sections.set(page, [...(sections.get(page) ?? []), await section(name, header)])
  }
  const pages = [...sections].map(
    ([name, texts]) => [name, page(FAMILIES[name], [WRITTEN, '', ...texts])] as const,
  )
  return new Map([...pages, [TOURNAMENT.page, page(TOURNAMENT, [tournamentSection('optimal-25')])]])
}

function pageOf(name: string, header: StrategyHeader): PageName {
  if (header.parameters.has('strategy')) return 'wrapping-strategies.md'
  return RULES.has(name) ? 'rule-strategies.md' : 'model-strategies.md'
}

function page({ title, lead }: Family, sections: readonly string[]): string {
  const text = [`# ${title}`, '', lead, '', ...sections].join('\n')
  return `${text.trimEnd()}\n`
}

async function section(name: string, header: StrategyHeader): Promise<string> {
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
    header.idea,
    '',
    ...generatedBlock('strategies-docs.ts', [
      '```yaml',
      `strategy: ${flow({ use: name, params: EXAMPLES[name] ?? defaultsOf(schema) })}`,
      '```',
      '',
      '| Parameter | Kind | Default | Meaning |',
      '|---|---|---|---|',
      ...table,
    ]),
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
