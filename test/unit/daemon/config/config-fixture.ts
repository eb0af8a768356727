import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig, type LoadConfigOptions } from '../../../../src/daemon/config/load/load-config.ts'
import { expectGolden } from '../../../support/expect-golden.ts'

export const STRATEGIES = new URL('../../../support/strategies', import.meta.url).pathname
export const ENV = { MIZANI_API_KEY: 'mm_live_4f9a8b7c6d5e', MIZANI_HTTP_TOKEN: 'token-5521-aa-0f3e9b7c61d2' }

/** The configuration of the issue, to the letter but for the strategy. */
export const VALID = `name: desk-1
mode: live                      # or dry-run
venue:
  baseUrl: http://127.0.0.1:8787        # /api/v1/mm is appended
  publicUrl: http://127.0.0.1:8787      # null turns it off
  apiKey: !env MIZANI_API_KEY           # or !file /run/secrets/mm_key
  requestsPerMinute: 60
strategy: { use: plain, params: { halfSpreadBps: 60 } }
inventory: { target: 0.5 }
risk: { maxMidAgeMs: 172800000, maxMidStepBps: 150, maxLossTzs: null, maxDrawdownTzs: null, errorCyclesThreshold: 5 }
quote: { requoteThresholdBps: 2, minRequoteIntervalMs: 2000, safeBps: 500, onExit: widen }
activation: auto
store: { path: ./data }
http: { host: 127.0.0.1, port: 9464, token: !env MIZANI_HTTP_TOKEN }
log: { level: info }
`

/** A fresh folder with the given files; returns its path. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-config-'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

/** Loads a text as a file named live.yaml. */
export function load(
  text: string | Uint8Array,
  options: Partial<LoadConfigOptions> = {},
  env: Record<string, string> = ENV,
) {
  const file = join(folderWith({ 'live.yaml': text }), 'live.yaml')
  return loadConfig(file, env, { strategiesFolder: STRATEGIES, ...options })
}

/** `line:col path: message` of each problem; throws when none exists, so no test passes by accident. */
export async function problemsOf(
  text: string | Uint8Array,
  env: Record<string, string> = ENV,
): Promise<readonly string[]> {
  const loaded = await load(text, {}, env)
  if (loaded.ok) throw new Error('the configuration was accepted')
  return loaded.error.map(
    (problem) => `${problem.line}:${problem.column} ${problem.path}: ${problem.message}`,
  )
}

/** Compares the problems of each case, with their places, with test/golden/refusals/NAME.txt; returns them. */
export async function expectRefusals<Case = string>(
  name: string,
  cases: Readonly<Record<string, Case>>,
  problems: (one: Case) => Promise<readonly string[]>,
): Promise<string> {
  const found: string[] = []
  for (const [claim, one] of Object.entries(cases)) found.push([claim, ...(await problems(one))].join('\n  '))
  await expectGolden(`refusals/${name}`, found.join('\n'))
  return found.join('\n')
}

/** The valid text with one piece replaced. */
export function changed(from: string, to: string): string {
  if (!VALID.includes(from)) throw new Error(`the fixture has no ${from}`)
  return VALID.replace(from, to)
}
