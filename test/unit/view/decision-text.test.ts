import { expect, test } from 'vitest'
import { decisionText } from '../../../src/view/decision-text.ts'

const ASKED = { askedAt: 0, cause: 'timer', changed: 'first', inputs: [], unaskedSince: 0 } as const

test.each([
  [{}, 'asked 3s ago (timer) for the first time; it read nothing that changes'],
  [
    { changed: 'memory', inputs: ['time'] },
    'asked 3s ago (timer) because its memory changed; it read the time',
  ],
  [
    { cause: 'rate', changed: 'fairValue', inputs: ['fairValue', 'standing'], unaskedSince: 1 },
    'asked 3s ago (rate) because the fair value changed; it read the fair value, the live quote; not asked at 1 decision since, as none of it changed',
  ],
] as const)('%j reads as "%s"', (changes, text) => {
  expect(decisionText({ ...ASKED, ...changes }, '3s')).toBe(text)
})
