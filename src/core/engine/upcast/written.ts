import { decodeJson, encodeJson } from '../../../base/codec.ts'
import type { Event } from '../model/event.ts'
import type { Observation } from '../model/observation.ts'
import type { EngineState } from '../model/state.ts'
import { BOOK_AMOUNTS, upcastBookAmounts } from './book-amounts.ts'
import { RENAMED_EVENTS, RENAMED_OBSERVATIONS, renameState } from './names.ts'
import { completeConfig, WHOLE_CONFIG } from './config.ts'
import { recordOf, upcastThrough, type Upcaster, type Written } from './upcaster.ts'

/**
 * The version that this code writes. Events, observations and snapshots have it as their first field `v`; a record without `v`
 * is of version 1, which 0.1.0 wrote. `upcaster.ts` describes how to change a name.
 */
export const WRITTEN_VERSION = 5
const FIRST_VERSION = 1
const TODAYS_PREFIX = `{"v":${WRITTEN_VERSION},`

/** Until version 5 only the raw rows showed how the venue names the tokens of its fills. */
const FILL_TOKENS: Upcaster = {
  type: 'fills',
  below: 5,
  upcast(written) {
    const raw = recordOf((written['fills'] as readonly unknown[]).at(-1))['raw']
    if (typeof raw !== 'string' || raw === '') return written
    return { ...written, tokenForm: /"(?:fromToken|toToken)"\s*:\s*"0x/.test(raw) ? 'address' : 'symbol' }
  },
}
/** In the order in which they apply. */
const EVENT_UPCASTERS = [...RENAMED_EVENTS, ...BOOK_AMOUNTS, ...WHOLE_CONFIG, FILL_TOKENS]
const OBSERVATION_UPCASTERS = [...RENAMED_OBSERVATIONS, ...BOOK_AMOUNTS]

/** Returns an event as the text that the journal keeps. */
export function writeEvent(event: Event): string {
  return write(event)
}

/** Reads an event of any version. Throws SyntaxError where it is invalid. */
export function readEvent(text: string): Event {
  return isTodays(text) ? (withoutVersion(text) as Event) : upcastEvent(decodeJson(text))
}

/** Lifts an event of any version that is already parsed. */
export function upcastEvent(parsed: unknown): Event {
  const { version, written } = splitVersion(parsed)
  return upcastThrough(EVENT_UPCASTERS, version, written) as Event
}

/** Returns an observation as the text that the notices table keeps. */
export function writeObservation(observation: Observation): string {
  return write(observation)
}

/** Reads an observation of any version. Throws SyntaxError where it is invalid. */
export function readObservation(text: string): Observation {
  if (isTodays(text)) return withoutVersion(text) as Observation
  const { version, written } = splitVersion(decodeJson(text))
  return upcastThrough(OBSERVATION_UPCASTERS, version, written) as Observation
}

/** Returns the core's state as the text that a snapshot keeps. */
export function writeState(state: EngineState): string {
  return write(state)
}

/** Reads the state of a snapshot of any version. Throws SyntaxError where it is invalid. */
export function readState(text: string): EngineState {
  if (isTodays(text)) return withoutVersion(text) as EngineState
  const { version, written } = splitVersion(decodeJson(text))
  let state = written
  if (version < 2) state = addRefusal(renameState(2, state))
  if (version < 3) state = upcastBookAmounts(state)
  if (version < 4) state = renameState(4, state)
  if (version < 5) state = completeConfig(state)
  return state as EngineState
}

/** Version 1 had no rule of a refused mid. */
function addRefusal(written: Written): Written {
  const { market } = written as EngineState
  const isUndated = market?.everDated && market.problem?.includes('dating')
  return isUndated
    ? { ...written, market: { ...market, refusal: { rule: 'mid-undated', mid: null } } }
    : written
}

function write(record: Event | Observation | EngineState): string {
  return `${TODAYS_PREFIX}${encodeJson(record).slice(1)}`
}

function isTodays(text: string): boolean {
  return text.startsWith(TODAYS_PREFIX)
}

/** Cuts the version from the text, because deleting it from the parsed record would make that a slow object. */
function withoutVersion(text: string): unknown {
  return decodeJson(`{${text.slice(TODAYS_PREFIX.length)}`)
}

function splitVersion(parsed: unknown): { readonly version: number; readonly written: Written } {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new SyntaxError('not a written record')
  const { v, ...written } = parsed as Written
  const version = typeof v === 'number' ? v : FIRST_VERSION
  if (version > WRITTEN_VERSION)
    throw new SyntaxError(`a record of version ${version}; this code reads versions up to ${WRITTEN_VERSION}`)
  return { version, written }
}
