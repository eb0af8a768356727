import { expect } from 'vitest'
import type { Event } from '../../src/core/engine/model/event.ts'

type Answer<Type extends Event['type']> = Extract<Event, { readonly type: Type }>

/** Returns a function that completes an answer of the venue; what it adds are the figures that most tests have. */
function answerOf<Type extends Event['type'], Usual extends Partial<Answer<Type>>>(type: Type, usual: Usual) {
  return <const Change extends Partial<Answer<Type>>>(
    change: Change,
  ): { type: Type } & Omit<Usual, keyof Change> & Change => ({ type, ...usual, ...change })
}

export const rateAnswer = answerOf('rate', { problem: null, quotable: true })
export const fillsAnswer = answerOf('fills', { fills: [], quarantined: [], repeated: 0, windowFull: false })
export const activationAnswer = answerOf('activation', { partial: false, returned: [] })
export const quoteReadAnswer = answerOf('quoteRead', { mid: null, protocolFeeBps: null, formula: null })
export const bestQuoteAnswer = answerOf('bestQuote', { bestBps: 70, protocolFeeBps: 10, lowLiquidity: false })

/** Matches the answer to a command that was accepted, with this part of its sentence. */
export function accepted(text: string) {
  return { accepted: true, answer: expect.stringContaining(text) as string }
}

/** Matches the answer to a command that was refused, with this part of its sentence. */
export function refused(text: string) {
  return { accepted: false, answer: expect.stringContaining(text) as string }
}
