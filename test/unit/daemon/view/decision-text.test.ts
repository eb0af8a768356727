import { expect, test } from 'vitest'
import { decisionText } from '../../../../src/daemon/view/decision-text.ts'

test.each([
  [{ cause: 'timer', inputs: [] }, 'asked 3s ago (timer); it read nothing that changes'],
  [
    { cause: 'rate', inputs: ['fairValue', 'standing'] },
    'asked 3s ago (rate); it read the fair value, the live quote',
  ],
] as const)('%j reads as "%s"', (question, text) => {
  expect(decisionText({ askedAt: 0, ...question }, '3s')).toBe(text)
})
