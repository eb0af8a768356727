import { decodeJson, encodeJson } from '../../../base/codec.ts'
import type { Event } from '../model/event.ts'
import type { Observation } from '../model/observation.ts'
import type { EngineState } from '../model/state.ts'
import { BOOK_AMOUNTS } from './book-amounts.ts'
import { QUOTE_STATUS_CHANGED } from './quote-status.ts'
import { RECONCILIATION_CHANGED } from './reconciliation-names.ts'
import { upcastState } from './state.ts'
import { upcastThrough, type Upcaster, type Written } from './upcaster.ts'
import { VENUE_WORDS } from './venue-words.ts'

/**
 * What this code writes. Events, observations and snapshots carry it as their first field, `v`; what carries none is of
 * version 1, which 0.1.0 wrote. `upcaster.ts` describes how a name is changed.
 */
export const WRITTEN_VERSION = 4
const FIRST_VERSION = 1
const TODAYS_PREFIX = `{"v":${WRITTEN_VERSION},`

/** One file a renamed event, in the order in which they apply. */
const EVENT_UPCASTERS: readonly Upcaster[] = [...VENUE_WORDS, ...BOOK_AMOUNTS]
const OBSERVATION_UPCASTERS: readonly Upcaster[] = [
  RECONCILIATION_CHANGED,
  ...BOOK_AMOUNTS,
  QUOTE_STATUS_CHANGED,
]

/** An event as the journal keeps it. */
export function writeEvent(event: Event): string {
  return write(event)
}

/** Reads an event of any version. Throws SyntaxError where it is invalid. */
export function readEvent(text: string): Event {
  return isTodays(text) ? (withoutVersion(text) as Event) : upcastEvent(decodeJson(text))
}

/** Lifts an event of any version that was parsed already. */
export function upcastEvent(parsed: unknown): Event {
  const { version, written } = splitVersion(parsed)
  return upcastThrough(EVENT_UPCASTERS, version, written) as Event
}

/** An observation as the notices table keeps it. */
export function writeObservation(observation: Observation): string {
  return write(observation)
}

/** Reads an observation of any version. Throws SyntaxError where it is invalid. */
export function readObservation(text: string): Observation {
  if (isTodays(text)) return withoutVersion(text) as Observation
  const { version, written } = splitVersion(decodeJson(text))
  return upcastThrough(OBSERVATION_UPCASTERS, version, written) as Observation
}

/** The core's state as a snapshot keeps it. */
export function writeState(state: EngineState): string {
  return write(state)
}

/** Reads the state of a snapshot of any version. Throws SyntaxError where it is invalid. */
export function readState(text: string): EngineState {
  if (isTodays(text)) return withoutVersion(text) as EngineState
  const { version, written } = splitVersion(decodeJson(text))
  return upcastState(version, written)
}

function write(record: Event | Observation | EngineState): string {
  return `${TODAYS_PREFIX}${encodeJson(record).slice(1)}`
}

function isTodays(text: string): boolean {
  return text.startsWith(TODAYS_PREFIX)
}

/** Cut from the text: a field that is deleted from the parsed record would make it a slow object. */
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
