import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeJson } from '../../../../../src/base/codec.ts'
import { loadConfig } from '../../../../../src/daemon/config/load/load-config.ts'
import { ENV, folderWith, STRATEGIES } from '../../../../unit/daemon/config/config-fixture.ts'

type Tree = { readonly [key: string]: Tree | string | number | boolean | null | readonly string[] }

/** A configuration by its single values; `!env` stands for the tag. */
const WHOLE = [
  [['mode'], 'dry-run'],
  [['venue', 'baseUrl'], 'https://venue.example'],
  [['venue', 'apiKey'], '!env MIZANI_API_KEY'],
  [['venue', 'requestsPerMinute'], 50],
  [['strategy', 'use'], 'plain'],
  [['strategy', 'params', 'halfSpreadBps'], 75],
  [['inventory', 'target'], 0.4],
  [['inventory', 'limits', 'NTZS', 'max'], '5000000'],
  [['inventory', 'limits', 'USDC', 'min'], '10.5'],
  [['risk', 'priceCorridor', 'min'], '2300'],
  [['risk', 'priceCorridor', 'max'], '2900'],
  [['risk', 'maxMidAgeMs'], null],
  [['risk', 'maxLossTzs'], '123.45'],
  [['quote', 'onExit'], 'deactivate'],
  [['quote', 'pairs'], ['USDT']],
  [['http', 'token'], '!env MIZANI_HTTP_TOKEN'],
  [['store', 'keepJournalDays'], 12],
] as const satisfies readonly (readonly [readonly string[], Tree[string]])[]

type Entry = (typeof WHOLE)[number]

/** Other values of the same kinds, which stand in the defaults under what the file sets. */
const OVERRIDDEN: Readonly<Record<string, Tree[string]>> = {
  mode: 'live',
  'venue.requestsPerMinute': 60,
  'inventory.target': 0.9,
  'risk.maxMidAgeMs': 86_400_000,
  'quote.pairs': ['USDC', 'USDT'],
  'quote.onExit': 'keep',
}

const FOLDER = folderWith({})

async function configOf(name: string, text: string, defaults: string): Promise<unknown> {
  const file = join(FOLDER, name)
  writeFileSync(file, text)
  writeFileSync(join(FOLDER, 'defaults.yaml'), defaults)
  const loaded = await loadConfig(file, ENV, { strategiesFolder: STRATEGIES })
  if (!loaded.ok) throw new Error(loaded.error.map(({ path, message }) => `${path}: ${message}`).join('\n'))
  const { core, venue, store, http, log, record, isolate, apiKey } = loaded.value
  const secrets = [apiKey.reveal(), http.token?.reveal()]
  return JSON.parse(
    encodeJson({ core, venue, store: store.keepJournalDays, http, log, record, isolate, secrets }),
  )
}

test('a file and its defaults make the configuration that one file with both written by hand makes', async () => {
  const whole = await configOf('whole.yaml', yamlOf([[['name'], 'west'], ...WHOLE]), 'risk: {}\n')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('own', 'defaults', 'both'), {
        minLength: WHOLE.length,
        maxLength: WHOLE.length,
      }),
      async (places) => {
        const inOwn = WHOLE.filter((_, index) => places[index] !== 'defaults')
        const inDefaults = WHOLE.flatMap((entry, index) => defaultOf(entry, places[index] ?? 'own'))
        const own = yamlOf([[['name'], 'west'], ...inOwn])
        const defaults = yamlOf([[['fleet', 'limits', 'maxLossUsd'], 1], ...inDefaults])
        expect(await configOf('west.yaml', own, defaults)).toEqual(whole)
      },
    ),
    { numRuns: 25 },
  )
})

/** What the defaults have of it: the value, another one that the file overrides, or nothing. */
function defaultOf(
  [path, value]: Entry,
  place: string,
): readonly (readonly [readonly string[], Tree[string]])[] {
  if (place === 'own') return []
  const other = OVERRIDDEN[path.join('.')]
  return [[path, place === 'both' && other !== undefined ? other : value]]
}

/** As JSON, which is YAML; only the tags have to stand outside of quotes. */
function yamlOf(entries: readonly (readonly [readonly string[], unknown])[]): string {
  const root: Record<string, unknown> = {}
  for (const [path, value] of entries) {
    let at = root
    for (const key of path.slice(0, -1)) at = (at[key] ??= {}) as Record<string, unknown>
    at[path.at(-1) ?? ''] = value
  }
  return JSON.stringify(root, null, 2).replaceAll(/"(!env [^"]+)"/g, '$1')
}
