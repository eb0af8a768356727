import { readFileSync } from 'node:fs'
import { type GuardClient, openGuardClient } from '../../daemon/guard/protocol/ask-guard.ts'
import { DRAIN_PATH, RELEASE_PATH, STATUS_PATH } from '../../daemon/guard/protocol/renewal.ts'
import type { PositionStatus } from '../../daemon/guard/process/position-status.ts'
import type { UnwatchedFile } from '../../daemon/guard/process/settings.ts'
import { readSecret } from '../../daemon/config/source/secret.ts'
import { tokenFileOf } from '../../daemon/runtime/operator-token.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { fail, type OutputFormat, print, type Outcome } from '../output/print.ts'
import { type GuardedConfig, readGuardedConfig } from '../../daemon/guard/process/guarded-configs.ts'
import type { Contact } from '../../daemon/config/load/contact.ts'
import { ACK_PATH, type AckAnswer, type AckRequest } from '../../daemon/guard/protocol/acknowledge.ts'

const TIMEOUT_MS = 5_000
const STATUS_TIMEOUT_MS = 2_000

export type AskOptions = OutputFormat & { readonly config: string; readonly position?: string }

/** Fields that the status of an older guard may lack. */
type LaterStatus = 'blind' | 'isDrained' | 'alerts'
type ShownStatus = Omit<PositionStatus, LaterStatus> & Partial<Pick<PositionStatus, LaterStatus>>

/** Sends a request to the guard of this configuration and prints its answer. */
export async function askRunningGuard(
  what: 'status' | 'drain' | 'release',
  options: AskOptions,
): Promise<void> {
  const config = readGuardedConfig(options.config, process.env)
  if (!config.ok) return fail(options, EXIT_CODE.usage, config.error)
  const { guard } = config.value
  const client = clientOf(config.value)
  if (client === null)
    return fail(options, EXIT_CODE.usage, 'http.port is 0, so guard.url or guard.port has to be named')
  try {
    const only = options.position === undefined ? {} : { positions: [options.position] }
    const answer =
      what === 'status'
        ? await client.ask('GET', STATUS_PATH, undefined, TIMEOUT_MS)
        : await client.ask('POST', what === 'drain' ? DRAIN_PATH : RELEASE_PATH, only, TIMEOUT_MS)
    if (!answer.ok)
      return fail(options, EXIT_CODE.failed, `no guard answers at ${guard.url}: ${answer.error.words}`)
    const { status, body } = answer.value
    if (status !== 200) {
      const { error } = (body ?? {}) as { readonly error?: unknown }
      return fail(
        options,
        EXIT_CODE.refused,
        typeof error === 'string' ? error : `the guard answers ${status}`,
      )
    }
    if (what === 'status') return printStatus(options, body as { readonly positions: readonly ShownStatus[] })
    const { positions } = body as { readonly positions: readonly string[] }
    if (positions.length === 0) return fail(options, EXIT_CODE.usage, 'the guard has no such position')
    const done = what === 'drain' ? 'drained' : 'released'
    print(options, positions.map((name) => `${name}: ${done}`).join('\n'), { positions, done })
  } finally {
    client.close()
  }
}

/** Returns what the guard of a configuration does about a position now, as a sentence for `status`. Never throws. */
export async function guardText(path: string, position: string): Promise<string> {
  const config = readGuardedConfig(path, process.env)
  if (!config.ok) return `no guard was asked: ${config.error}`
  const client = clientOf(config.value)
  if (client === null)
    return 'no guard was asked: http.port is 0, and neither guard.url nor guard.port is set'
  try {
    const answer = await client.ask('GET', STATUS_PATH, undefined, STATUS_TIMEOUT_MS)
    if (!answer.ok) return `no guard answers at ${config.value.guard.url}: no one watches this position`
    const { positions = [] } = (answer.value.body ?? {}) as { readonly positions?: readonly ShownStatus[] }
    const status = positions.find(({ name }) => name === position)
    if (status !== undefined) return `guard: ${lineOf(status)}`
    return `the guard at ${config.value.guard.url} does not watch this position (status ${answer.value.status})`
  } finally {
    client.close()
  }
}

/** Returns a client of the configured guard; null = its address is unknown. */
function clientOf(config: GuardedConfig): GuardClient | null {
  const { url, ca } = config.guard
  return url === null ? null : openGuardClient(url, () => tokenOf(config), { ca })
}

function printStatus(
  options: AskOptions,
  {
    positions,
    // A guard of an earlier version shows none.
    unwatched = [],
  }: { readonly positions: readonly ShownStatus[]; readonly unwatched?: readonly UnwatchedFile[] },
): void {
  const shown = positions.filter(({ name }) => options.position === undefined || name === options.position)
  const files = options.position === undefined ? unwatched : []
  const lines = [...shown.map(lineOf), ...files.map(({ file, why }) => `${file}: NOT WATCHED: ${why}`)]
  print(options, lines.join('\n'), { positions: shown, unwatched: files })
  const isWell = (status: ShownStatus) => status.state !== 'guarding' && (status.blind ?? null) === null
  if (!shown.every(isWell) || files.length > 0) process.exitCode = EXIT_CODE.failed
}

function lineOf(status: ShownStatus): string {
  // A guard of an earlier version shows none.
  return [ownLineOf(status), ...(status.rows == null ? [] : [rowsLineOf(status.rows)])].join('\n')
}

/** Returns the line on the position's state in PostgreSQL. */
function rowsLineOf({ holder, movedMs, hasStandby, unread }: NonNullable<PositionStatus['rows']>): string {
  if (unread !== null) return `  PostgreSQL: its rows cannot be read (${unread})`
  const held =
    holder === null
      ? 'no one holds it'
      : `held by ${holder}, ${movedMs === null ? 'not seen to move' : `moved ${(movedMs / 1_000).toFixed(1)} s ago`}`
  return `  PostgreSQL: ${held}${hasStandby ? ', another daemon stands by' : ''}`
}

function ownLineOf(status: ShownStatus): string {
  const { latched, powerless, blind = null, isDrained = false, alerts = [] } = status
  const more = [
    latched,
    powerless,
    blind === null ? null : `THE GUARD COULD NOT ACT: ${blind}`,
    isDrained ? 'DRAINED: no one watches until the guard is started again' : null,
    ...alerts.map(
      ({ code, acknowledgedBy: who }) => `${code}: ${who === null ? 'open' : `${who} has it in hand`}`,
    ),
  ].filter((one) => one !== null)
  return [`${status.name}: ${stateOf(status)}`, ...more].join('; ')
}

function stateOf({ state, fence, silentMs, rung, safeSinceMs, actsNot }: ShownStatus): string {
  const seconds = (ms: number | null) => ((ms ?? 0) / 1_000).toFixed(1)
  if (state === 'unwatched') return 'no lease; no one has renewed since the guard started, or it has ended'
  if (state === 'held') return `lease ${fence} is held; last renewed ${seconds(silentMs)} s ago`
  const safe = safeSinceMs === null ? 'NOT confirmed safe' : `confirmed safe for ${seconds(safeSinceMs)} s`
  return `THE GUARD ACTS: ${actsNot ?? `${rung}, ${safe}`}`
}

/** Returns `guard.token`, the token of http, or the one that the running daemon has created. */
function tokenOf({ path, parsed: { file }, guard }: GuardedConfig): string | null {
  const place = guard.tokenPlace ?? file.http.token
  if (place !== null) {
    const read = readSecret(place, path, process.env)
    return read.ok ? read.value.reveal() : null
  }
  try {
    return readFileSync(tokenFileOf(file.store.path), 'utf8')
  } catch {
    // No daemon has run on this machine.
    return null
  }
}

/**
 * Acknowledges open alerts of this position's guard: one by its code, or all (null). Returns null if no guard answers, or
 * the configuration has no guard.
 */
export async function acknowledgeAtGuard(
  { file, name }: Contact,
  { code, who, why }: Pick<AckRequest, 'code' | 'who' | 'why'>,
): Promise<Outcome | null> {
  const guarded = readGuardedConfig(file, process.env)
  const client = guarded.ok ? clientOf(guarded.value) : null
  if (client === null) return null
  const position = name ?? file
  const common = { command: 'ack', position, via: 'guard' } as const
  try {
    const request: AckRequest = { positions: [position], code, who, why }
    const answer = await client.ask('POST', ACK_PATH, request, TIMEOUT_MS)
    if (!answer.ok) return null
    const { status, body } = answer.value
    if (status !== 200)
      return {
        ...common,
        exitCode: EXIT_CODE.refused,
        answer: `the guard answers ${status}: ${errorOf(body)}`,
      }
    const [own] = (body as AckAnswer).positions
    return own === undefined ? null : { ...common, ...resultOf(own, code) }
  } finally {
    client.close()
  }
}

function resultOf(
  { acknowledged, open }: AckAnswer['positions'][number],
  code: string | null,
): Pick<Outcome, 'exitCode' | 'answer'> {
  const all = open.join(', ')
  if (acknowledged.length > 0)
    return { exitCode: EXIT_CODE.ok, answer: `acknowledged at the guard: ${acknowledged.join(', ')}` }
  if (code !== null && !open.includes(code))
    return {
      exitCode: EXIT_CODE.refused,
      answer: `no alert ${code} is open at the guard; open: ${all || 'none'}`,
    }
  const answer = open.length === 0 ? 'no alert of the guard is open' : `acknowledged before: ${all}`
  return { exitCode: EXIT_CODE.ok, answer }
}

function errorOf(body: unknown): string {
  const { error } = (body ?? {}) as { readonly error?: unknown }
  return typeof error === 'string' ? error : 'no reason'
}
