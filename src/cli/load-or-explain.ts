import { existsSync } from 'node:fs'
import { type Contact, contactAt, readContact } from '../daemon/config/load/contact.ts'
import { loadConfig, type LoadConfigOptions } from '../daemon/config/load/load-config.ts'
import type { LoadedConfig } from '../daemon/config/load/loaded-config.ts'
import { TRIAL_MS } from '../daemon/config/strategy/probe-strategy.ts'
import { formatProblem } from '../daemon/config/source/problem.ts'
import { strategiesFolder } from '../daemon/runtime/position/strategy-registry.ts'
import { EXIT_CODE } from '../base/exit-code.ts'
import { contactOf } from '../daemon/config/load/contact.ts'
import type { DaemonOptions } from './options.ts'
import { fail, type OutputFormat } from './output/print.ts'

const LOADING = {
  load: { evaluatesHere: true },
  try: { evaluatesHere: true, probe: { timeLimitMs: TRIAL_MS } },
  'load-apart': { probe: { timeLimitMs: TRIAL_MS, only: 'load' } },
  'ask-apart': { probe: { timeLimitMs: TRIAL_MS, only: 'ask' } },
} as const satisfies Record<string, Pick<LoadConfigOptions, 'probe' | 'evaluatesHere'>>

const WITHOUT_FILE =
  'nothing was stopped. A running daemon is reached without this file: give --store FOLDER (its store) or --url URL in place of --config, with the token (http.token) in MIZANI_OPERATOR_TOKEN'

type StrategyNeed = keyof typeof LOADING

/**
 * Returns a validated configuration. Returns null after printing every problem with its position and setting exit
 * code 2. Without `strategy` the strategy's file is not read, so it may be broken or missing. `load` evaluates it
 * here after a trial in a process that can be killed; `try` also calls it once in a thread first; `load-apart` and
 * `ask-apart` evaluate or call it only in a thread.
 */
export async function loadOrExplain(
  file: string,
  voice: OutputFormat,
  {
    strategy,
    isStop = false,
    ...options
  }: Pick<LoadConfigOptions, 'offline' | 'changes' | 'forTrading'> & {
    readonly strategy?: StrategyNeed
    /** Adds to the message how to reach a running daemon without a file. */
    readonly isStop?: boolean
  } = {},
): Promise<LoadedConfig | null> {
  const loaded = await loadConfig(file, process.env, {
    strategiesFolder: strategiesFolder(),
    ...options,
    ...(strategy === undefined ? { skipStrategy: true } : LOADING[strategy]),
  })
  if (loaded.ok) return loaded.value
  const lines = [...loaded.error.map(formatProblem), ...(isStop ? [WITHOUT_FILE] : [])]
  fail(voice, EXIT_CODE.usage, lines.join('\n'), { problems: loaded.error })
  return null
}

/**
 * Returns how to reach a daemon: by its store or URL, or by its configuration, even if other parts of the file are wrong or
 * missing. Returns null after printing the problems: the file does not exist, or the position has no readable name, which
 * only a stop can do without.
 */
export async function contactOrExplain(
  { config: file = '', store, url, position, ...voice }: OutputFormat & DaemonOptions,
  { isStop = false }: { readonly isStop?: boolean } = {},
): Promise<Contact | null> {
  if (url !== undefined) return contactAt({ url }, position ?? null)
  if (store !== undefined) return contactAt({ store }, position ?? null)
  const contact = existsSync(file) ? readContact(file, process.env) : null
  if (contact !== null && (isStop || contact.name !== null)) return contact
  const config = await loadOrExplain(file, voice, { isStop })
  return config === null ? null : contactOf(config)
}
