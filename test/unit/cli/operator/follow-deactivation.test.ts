import { expect, test } from 'vitest'
import { followDeactivation } from '../../../../src/cli/operator/follow-deactivation.ts'

const LATER = () => 'run it again'

const show = () => undefined

/** Shows these answers in turn, the last one from then on. */
function shows(...answers: readonly (string | null)[]): () => string | null {
  let at = 0
  return () => answers[Math.min(at++, answers.length - 1)] ?? null
}

test('a deactivation shows each thing that is missing once, and is done when nothing is', async () => {
  const shown: string[] = []
  const waits = { lookMs: 1, withoutProgressMs: 60_000, inAllMs: 60_000 }
  const ended = await followDeactivation(shows('NTZS', 'NTZS', 'USDC', null), LATER, {
    waits,
    show: (missing) => void shown.push(missing),
  })
  expect([ended.exitCode, shown]).toEqual([0, ['NTZS', 'USDC']])
})

test('a deactivation without progress is NOT confirmed, with what is missing and exit code 4', async () => {
  const waits = { lookMs: 1, withoutProgressMs: 5, inAllMs: 60_000 }
  const ended = await followDeactivation(shows('USDT stays'), LATER, { waits, show })
  expect([ended.exitCode, ended.answer.includes('USDT stays')]).toEqual([4, true])
})

test('a deactivation that makes progress without end is NOT confirmed after the time in all', async () => {
  let looks = 0
  const waits = { lookMs: 1, withoutProgressMs: 60_000, inAllMs: 20 }
  const ended = await followDeactivation(() => `step ${looks++}`, LATER, { waits, show })
  expect([ended.exitCode, looks > 1]).toEqual([4, true])
})
