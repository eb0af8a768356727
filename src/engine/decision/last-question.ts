import type { Ms } from '../../base/time.ts'
import type { Cause } from '../../strategy/context.ts'
import {
  CHANGES,
  type ChangeName,
  INPUT_NAMES,
  INPUTS,
  type InputName,
  type InputsRead,
} from './inputs-read.ts'

/** When and why the strategy was asked last, what it read, and at how many decisions it was left out since. */
export type LastQuestion = {
  readonly askedAt: Ms
  /** What asked for the decision. */
  readonly cause: Cause
  /** What the strategy was asked for: the first input that it had read before and that was another one. */
  readonly changed: ChangeName
  readonly inputs: readonly InputName[]
  /** Decisions since then that left the strategy out, because none of these inputs had changed. */
  readonly unaskedSince: number
}

const CHANGE_NAMES = Object.keys(CHANGES) as ChangeName[]

/**
 * Remembers the last question to a strategy as numbers, which become words when somebody reads them. No part of the state:
 * it follows from the events that this core has processed, so it begins anew with every process.
 */
export class QuestionLog {
  #askedAt: Ms = 0
  #cause: Cause = 'start'
  #changed = 0
  #unaskedSince = 0
  /** What the next question is asked for. An answer that cannot stand is one whose memory has changed. */
  #next: number = CHANGES.first

  ask(now: Ms, cause: Cause): void {
    this.#askedAt = now
    this.#cause = cause
    this.#changed = this.#next
    this.#unaskedSince = 0
    this.#next = CHANGES.memory
  }

  /** The next question is asked for this change, one of CHANGES. */
  noteChange(change: number): void {
    this.#next = change
  }

  noteUnasked(): void {
    this.#unaskedSince += 1
  }

  /** Null = this core has not asked its strategy yet. */
  read(reads: InputsRead): LastQuestion | null {
    const changed = CHANGE_NAMES.find((name) => CHANGES[name] === this.#changed)
    if (changed === undefined) return null
    return {
      askedAt: this.#askedAt,
      cause: this.#cause,
      changed,
      inputs: INPUT_NAMES.filter((name) => reads.has(INPUTS[name])),
      unaskedSince: this.#unaskedSince,
    }
  }
}
