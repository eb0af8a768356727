import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiKeyOf } from './venue-messages.ts'

export type FleetForm = {
  readonly positions: number
  readonly venueUrl: string
  readonly port: number
  /** `rest`: the default budget and intervals. `second`: one request a second and position. */
  readonly pace: 'rest' | 'second'
  /** As the configuration has it. Default: one that quotes every mid, whose file is evaluated in a process of its own. */
  readonly strategy?: string
}

/** What a folder of a fleet leads to. */
export type FleetPaths = { readonly folder: string; readonly stores: string; readonly log: string }

export const READ_TOKEN = 'the-bench-reads-with-this-token'

const FOLLOWS_MIDS = `{ use: '${join(import.meta.dirname, '../live/mid-follower.ts')}' }`

/**
 * With these intervals a position sends 30 polls of fills, 25 of the rate, 4 of the balances and one of the account a
 * minute; the budget leaves room for a PATCH and its read-back.
 */
const ONE_A_SECOND = `pacing: { rateIntervalMs: 2400 }\n`
const BUDGET = { rest: '', second: ', requestsPerMinute: 100' } as const

/** Writes the folder of a fleet of so many positions, each with a key of its own, into `root`. */
export function writeFleet(
  root: string,
  { positions, venueUrl, port, pace, strategy = FOLLOWS_MIDS }: FleetForm,
): FleetPaths {
  const paths = { folder: join(root, 'fleet'), stores: join(root, 'stores'), log: join(root, 'log') }
  const secrets = join(root, 'secrets')
  for (const folder of [paths.folder, secrets]) mkdirSync(folder)
  const secret = (name: string, text: string) => writeFileSync(join(secrets, name), text, { mode: 0o600 })
  secret('http_token', 'the-bench-commands-with-this-token')
  secret('http_read_token', READ_TOKEN)
  const defaults = `fleet: { limits: { maxLossUsd: '1000000', maxDeployedUsd: '100000000' } }
venue: { baseUrl: '${venueUrl}', publicUrl: null${BUDGET[pace]} }
strategy: ${strategy}
risk: { maxMidAgeMs: null, priceCorridor: { min: '1000', max: '10000' } }
store: { path: '${paths.stores}' }
http: { port: ${port}, token: !file ../secrets/http_token, readToken: !file ../secrets/http_read_token }
log: { file: '${paths.log}' }
${pace === 'second' ? ONE_A_SECOND : ''}`
  writeFileSync(join(paths.folder, 'defaults.yaml'), defaults)
  for (let index = 0; index < positions; index++) {
    const name = positionName(index)
    secret(name, apiKeyOf(index))
    writeFileSync(
      join(paths.folder, `${name}.yaml`),
      `name: ${name}\nvenue: { apiKey: !file ../secrets/${name} }\n`,
    )
  }
  return paths
}

export function positionName(index: number): string {
  return `p${String(index).padStart(5, '0')}`
}
