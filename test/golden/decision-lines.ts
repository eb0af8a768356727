import { createHash } from 'node:crypto'
import type { Audit } from '../../src/core/engine/engine.ts'
import type { Observation } from '../../src/core/engine/model/observation.ts'
import type { EngineState } from '../../src/core/engine/model/state.ts'
import type { JournalRecord } from '../../src/store/store.ts'
import { inTokenUnits } from './token-units.ts'
import { writtenWord } from './written-words.ts'

/** Observations that the code of the recordings did not make. */
const NEWER: ReadonlySet<string> = new Set<Observation['type']>(['withdrawalMoved'])

function isNewer(one: Observation): boolean {
  return (
    NEWER.has(one.type) || (one.type === 'alert' && one.code === 'quote-stuck' && one.severity === 'info')
  )
}

/** What the core made of one event: what it decided, and what it noticed. */
export type DecisionLine = { readonly decided: string; readonly noticed: string }

/**
 * The decisions of one event without the names of fields, so that a renamed field compares equal: the kind
 * of the event; each effect as its kind and the values of its fields; the trading state and the approved
 * quote; when the core asks to be woken. Sentences are left out: their wording is not a decision.
 */
export function decisionLine(
  { seq, event }: JournalRecord,
  { effects, observations, wakeAt }: Audit,
  state: EngineState | null,
): DecisionLine {
  const head = `${seq} ${writtenWord(event.type)}`
  const approved = state?.approvedTarget ?? null
  const standing =
    approved === null
      ? 'none'
      : `${writtenWord(approved.kind)} ${approved.bidBps} ${approved.askBps} ${approved.orders.length}`
  const known = observations.filter((one) => !isNewer(one))
  const done = effects.map((effect) => kindAndValues(effect, valuesOf)).join(' ')
  return {
    decided: `${head} | ${done} | ${state?.decision?.tradingState ?? 'none'} ${standing} | ${wakeAt}`,
    noticed: `${head} | ${known.map((one) => kindAndValues(inTokenUnits(one), numbersOf)).join(' ')}`,
  }
}

/** One line after the other: equal journals give equal chains. */
export function chainLine(digest: string, line: string): string {
  return createHash('sha256').update(digest).update(line).digest('hex').slice(0, 16)
}

/** The kind and the values of something, without the names of its fields and in no order of theirs. */
export function kindAndValues(thing: { readonly type: string }, read: (value: unknown) => string[]): string {
  const { type, ...fields } = thing
  return `${writtenWord(type)}(${read(fields).toSorted().join(' ')})`
}

/** Every value at the end of a path, whatever the path is called; what is absent or null has none. */
export function valuesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesOf)
  if (typeof value === 'string') return /\s/.test(value) ? [] : [writtenWord(value)]
  return typeof value === 'boolean' ? [String(value)] : numbersOf(value)
}

function numbersOf(value: unknown): string[] {
  if (typeof value === 'bigint' || typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersOf) : []
}
