import { readFileSync } from 'node:fs'
import { decodeJson } from '../../../base/codec.ts'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { neutralContext } from '../../../daemon/config/strategy/try-strategy.ts'
import { inventoryShare } from '../../../core/engine/decision/inventory-share.ts'
import { ContextProvider } from '../../../core/engine/decision/strategy-context.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'
import { position } from '../../../core/ledger/book/book.ts'
import { createCalendar } from '../../../daemon/runtime/position/calendar.ts'
import { openReader } from '../../../store/open-reader.ts'
import { timeText } from '../../../base/text/times.ts'
import { storedPosition } from '../../../daemon/runtime/position/stored-position.ts'
import { type Situation, situationOf, situationSchema } from './situation.ts'
import { parsePlace, placeText } from '../../../store/place.ts'

/** A situation, its source, and the core's state behind it; null = no state. */
export type SituationRead = {
  readonly situation: Situation
  readonly from: string
  readonly state: EngineState | null
}

export type MomentOptions = {
  /** A file with the situation. */
  readonly at?: string
  /** A store option, which replaces the configuration's store; it is an error if it has no situation. */
  readonly store?: string
}

/**
 * Returns the situation from a file, else the last one of the named store, else the last one of the configuration's
 * store, else an example: a calm market on target. Throws StoreReadError if a store cannot be read.
 */
export async function readSituation(
  config: LoadedConfig,
  { at, store }: MomentOptions,
): Promise<Result<SituationRead, string>> {
  if (at !== undefined) return readFile(at)
  const named = parsePlace(store ?? '')
  if (!named.ok) return named
  const place = store === undefined ? config.store.place : named.value
  const without = (why: string) =>
    store === undefined ? ok(example(config, `an example, because ${why}`)) : err(`no moment: ${why}`)
  const reader = openReader(place)
  if (!reader.ok) return without(reader.error.message)
  try {
    const stored = await storedPosition(config, reader.value)
    const situation = stored === null ? null : lastSituation(stored.state, stored.seq)
    if (stored === null || situation === null)
      return without(`the store in ${placeText(place)} has no mid yet`)
    const from = `the store in ${placeText(place)}, as of ${timeText(stored.state.now)}`
    return ok({ situation, from, state: stored.state })
  } finally {
    reader.value.close()
  }
}

function readFile(path: string): Result<SituationRead, string> {
  let data: unknown
  try {
    data = decodeJson(readFileSync(path, 'utf8'))
  } catch (thrown) {
    const isJson = thrown instanceof SyntaxError
    return err(`--at ${path}: ${isJson ? `not JSON (${thrown.message})` : errorText(thrown)}; ${HOW}`)
  }
  const parsed = situationSchema.safeParse(data)
  if (parsed.success) return ok({ situation: parsed.data, from: path, state: null })
  const problems = parsed.error.issues.map(
    ({ path: keys, message }) => `${keys.join('.') || 'it'}: ${message}`,
  )
  return err(`--at ${path}: ${problems.slice(0, 5).join('; ')}; ${HOW}`)
}

const HOW = "expected what `mizani explain --json` prints under 'inputs'"

function lastSituation(state: EngineState, seq: number): Situation | null {
  const { mid } = state.market
  if (mid === null) return null
  const share = inventoryShare(position(state.book), mid, state.config.inventory.target)
  const contexts = new ContextProvider()
  const source = { state, now: state.now, seq, calendar: createCalendar(), polling: 'engine' } as const
  const context = contexts.show(source, share, 'timer')
  return situationOf(context, seq, state.strategy.memory)
}

function example({ core }: LoadedConfig, from: string): SituationRead {
  const neutral = situationOf(neutralContext(), 1, null)
  const { target, capitalCost = neutral.inventory.capitalCost } = core.inventory
  return {
    situation: { ...neutral, inventory: { ...neutral.inventory, target, capitalCost } },
    from,
    state: null,
  }
}
