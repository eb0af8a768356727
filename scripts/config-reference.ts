import { isMap, isPair, isScalar, parseDocument, type YAMLMap } from 'yaml'
import { configJsonSchema, fleetDefaultsJsonSchema } from '../src/daemon/config/schema/json-schema.ts'
import { schemaKind, tableCell, type Schema } from './schema-kind.ts'

const HEADING = `# The configuration file

<!-- Written by \`node scripts/config-docs.ts\` from the schema that the daemon itself uses; a test compares. -->

One YAML file is one position. Every key is here; a key that is not is refused with file, line, column and the
nearest right name, and nothing is started. [config/live.example.yaml](../config/live.example.yaml) has all of
them, commented, to copy from, and [config/self-custody.example.yaml](../config/self-custody.example.yaml) those of \`rfq\`; [config/mizani.schema.json](../config/mizani.schema.json) gives them to an editor.

- **Units are in the names**: \`...Ms\` milliseconds, \`...Bps\` basis points, \`...Tzs\` and \`...Usd\` money. An amount may be
  written in quotes, so that no digit is lost; it is kept exactly.
- **Secrets** (\`venue.apiKey\`, \`http.token\`, and in \`notify\` tokens, addresses and the key, in \`feeds\` headers, in \`treasury\` the partner key and the webhook secrets) are \`!env NAME\` or \`!file PATH\`. One in plain text is refused.
  \`rfq.rpc.urls\` and the address of a feed may be either: an endpoint with a key in its path belongs behind a tag.
- **A changed file is taken over while running** (or on SIGHUP), as a whole or not at all: \`strategy\`, \`inventory\`,
  \`risk\`, \`quote\`, \`activation\`, \`pacing\`, \`withdraw\`, of \`treasury\` the policy, payees, approvals and times, and of \`rfq\` the prices, sizes and times. A change of \`name\`, \`mode\`, \`isolate\`,
  \`venue\`, \`store\`, \`http\`, \`log\`, \`record\`, \`notify\`, \`feeds\`, or of \`risk.priceCorridor\`, or of the chain, wallet, tokens, endpoints, key and gas in \`rfq\`, needs a restart, and the reload says so.
- A limit that is \`null\` is off.
`

/** What neither the schema nor a comment of the example says, or the comment says for several keys at once. */
const MEANINGS: Readonly<Record<string, string>> = {
  'venue.prefix': 'Path of the LP API below `baseUrl`.',
  'venue.custodyBody':
    'The name of the one boolean in the body of `PUT /custody`, which the contract does not show.',
  'risk.maxMidAgeMs':
    'An older mid means the safe quote. The default of four days lasts over a long weekend.',
  'risk.maxFillsPerMinute':
    'More fills than this in a minute leave only the side that reduces the inventory.',
  'risk.errorCyclesThreshold':
    'So many requests failed in a row mean the safe quote until the venue answers again.',
  'risk.dust': 'Unreconciled inflows up to this many tokens are booked as dust. Outflows never are.',
  'quote.minRequoteIntervalMs': 'Pause between two PATCHes, except for safety moves.',
  'pacing.fillsIntervalMs': 'GET /fills; sooner when fills come fast, so that 100 rows never pass unseen.',
  'pacing.rateIntervalMs': 'GET /rate; a new mid is mostly seen on the public endpoint first.',
  'pacing.balancesIntervalMs': 'GET /balances; at once after a fill.',
  'pacing.accountIntervalMs': 'GET /account: whether the position is active.',
  'pacing.quoteCheckIntervalMs': 'GET /quote on both sides, though the quote is known.',
  'store.keepJournalDays':
    'Older events are dropped; fills, quotes, rates and the ledger are kept without a limit in time.',
  'http.host': 'Away from loopback a token is needed, for reading too (except `/healthz` and `/readyz`).',
  'http.token':
    'Guards the POSTs. On loopback without one, a fresh one is written to `operator.token` in the store, for this user only.',
  'log.level': 'One JSON object a line.',
  rfq: 'Self-custody: orders are signed from our own wallet and nothing is pooled. Absent or `null` = off.',
  feeds:
    'A list, empty by default: other sources of the rate than the venue, see [feeds.md](feeds.md). Each entry has exactly one of `http`, `csv`, `file` and `fixed`.',
  notify:
    'Whom the daemon notifies, see [notifications.md](notifications.md). `telegram`, `slack` and `webhook` are each `null` (the default) or a map; without any of them the daemon notifies no one.',
  treasury:
    'Capital that moves by policy: the wallet of one partner user, bands per token, who approves, and the listener for [webhooks](webhooks.md). Absent or `null` = off.',
  'withdraw.enabled': 'Withdrawals are refused unless this is true.',
}

/**
 * docs/configuration.md: every key of the schema with its kind, its default and its meaning. A key that the
 * schema does not describe is explained by the comment above it in an example file, whose texts are given; later ones win.
 */
export function configReference(exampleYamls: readonly string[]): string {
  const schema = configJsonSchema() as Schema
  const comments = new Map(exampleYamls.flatMap((yaml) => [...commentsOf(yaml)]))
  const top = Object.entries(schema.properties ?? {}).map(([name, of]): [string, Schema] => [
    name,
    topSectionOf(of),
  ])
  const plain = top.filter(([, of]) => of.properties === undefined)
  const sections = top.filter(([, of]) => of.properties !== undefined)
  const parts = [HEADING, '## At the top', '', table(plain, '', schema.required ?? [], comments)]
  for (const [name, section] of sections) {
    const intro = MEANINGS[name] ?? comments.get(name)
    parts.push(`## ${name}`, '', ...(intro === undefined ? [] : [intro, '']))
    const isList = schema.properties?.[name]?.type === 'array'
    // With the name before them: an entry's `http.url` is none of the section `http`.
    const rows = leavesOf(section, isList ? `${name}[].` : '')
    const required = (section.required ?? []).map((key) => (isList ? `${name}[].${key}` : key))
    parts.push(table(rows, name, required, comments))
  }
  const { fleet = {} } = (fleetDefaultsJsonSchema() as Schema).properties ?? {}
  parts.push('## fleet', '', FLEET, '', table(leavesOf(fleet, ''), 'fleet', [], comments))
  return `${parts.join('\n').trimEnd()}\n`
}

const FLEET =
  'In defaults.yaml of a fleet alone, see [fleet.md](fleet.md): there every other key may stand too, but the name.'

/** A section that may be null is a section all the same, and so is each entry of a list at the top. */
function topSectionOf(schema: Schema): Schema {
  const { items } = schema
  return items?.properties === undefined ? sectionOf(schema) : items
}

function sectionOf(schema: Schema): Schema {
  const inside = schema.anyOf?.find((one) => one.properties !== undefined)
  return inside === undefined ? schema : { ...inside, default: schema.default }
}

/** Keys with the dotted names of what is below them; a group whose members are all alike is one row. */
function leavesOf(section: Schema, prefix: string): [string, Schema][] {
  return Object.entries(section.properties ?? {}).flatMap(([name, of]): [string, Schema][] => {
    const path = `${prefix}${name}`
    const inside = Object.entries(sectionOf(of).properties ?? {})
    if (inside.length === 0) return [[path, of]]
    const [first] = inside
    const shape = (one: Schema | undefined) => JSON.stringify({ ...one, default: undefined })
    const alike = inside.every(([, one]) => shape(one) === shape(first?.[1]))
    return alike ? [[path, of]] : leavesOf(sectionOf(of), `${path}.`)
  })
}

function table(
  rows: readonly [string, Schema][],
  section: string,
  required: readonly string[],
  comments: ReadonlyMap<string, string>,
): string {
  const lines = rows.map(([name, of]) => {
    const path = section === '' ? name : `${section}.${name}`
    const meaning = MEANINGS[path] ?? of.description ?? comments.get(path) ?? ''
    return `| \`${name}\` | ${schemaKind(of)} | ${defaultOf(of, required.includes(name))} | ${tableCell(meaning)} |`
  })
  return ['| Key | Kind | Default | Meaning |', '|---|---|---|---|', ...lines, ''].join('\n')
}

function defaultOf(schema: Schema, isRequired: boolean): string {
  if (isRequired) return '**required**'
  // An optional key may stand for another one's value; the description says which.
  if (schema.description?.includes('Default: ') === true)
    return schema.description.replace(/^.*Default: (\w+).*$/, '`$1`')
  const inside = Object.entries(schema.properties ?? {}).filter(([, one]) => one.default !== undefined)
  if (inside.length > 0) return inside.map(([name, one]) => `${name} ${defaultOf(one, false)}`).join(', ')
  if (schema.default === undefined) {
    const nullable = JSON.stringify(schema.type ?? schema.anyOf ?? '').includes('"null"')
    return nullable ? '`null`' : ''
  }
  return `\`${typeof schema.default === 'string' ? schema.default : JSON.stringify(schema.default)}\``
}

/** The comment above each key of the example, by dotted path. */
function commentsOf(yaml: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const { contents } = parseDocument(yaml, { logLevel: 'silent' })
  if (isMap(contents)) collect(contents, '', found)
  return found
}

function collect(map: YAMLMap, prefix: string, found: Map<string, string>): void {
  map.items.forEach((pair, index) => {
    if (!isPair(pair) || !isScalar(pair.key)) return
    const path = `${prefix}${String(pair.key.value)}`
    // The comment above a map's first key belongs, for the parser, to the map.
    const comment = pair.key.commentBefore ?? (index === 0 ? map.commentBefore : undefined)
    if (typeof comment === 'string' && (prefix !== '' || index > 0)) found.set(path, comment.trim())
    if (isMap(pair.value)) collect(pair.value, `${path}.`, found)
  })
}
