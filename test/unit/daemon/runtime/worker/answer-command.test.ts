import { expect, test } from 'vitest'
import type { EngineState } from '../../../../../src/core/engine/model/state.ts'
import { ENDED } from '../../../../../src/daemon/runtime/position/run-position.ts'
import { answerCommand } from '../../../../../src/daemon/runtime/worker/answer-command.ts'
import { coreHarness } from '../../../../support/core-harness.ts'
import { failureOf } from '../../../../support/failure-of.ts'

function resumeAt(state: EngineState) {
  const given = { accepted: true, answer: 'nothing was held back' }
  const position = {
    command: () => given,
    now: () => state.now,
    state: () => state,
    whenDurable: () => Promise.resolve(true),
  }
  const call = { method: 'command', command: { name: 'resume' }, who: 'amina', why: 'a test' } as const
  return answerCommand({ config: null as never, position, treasury: null }, call)
}

test('a resume reports that trading continues only where it does, and else the state with its rule', async () => {
  const one = coreHarness()
  one.run(60_000)
  expect(await resumeAt(one.state())).toMatchObject({ answer: 'nothing was held back; trading continues' })
  one.venue.answers = { readRate: () => failureOf('server'), readFills: () => failureOf('server') }
  one.run(120_000)
  one.order({ name: 'resume' })
  const answer = await resumeAt(one.state())
  expect(answer).toMatchObject({
    accepted: true,
    answer: expect.stringContaining('REDUCING (error-cycles: '),
  })
  one.order({ name: 'halt' })
  expect(await resumeAt(one.state())).toMatchObject({ accepted: false, exitCode: 3 })
})

test.each([
  ['the position has ended', false, true],
  ['its journal failed before the stop was on disk', true, false],
])('a halt is not answered if %s, and the treasury is halted anyway', async (_what, accepted, isDurable) => {
  const one = coreHarness()
  const halts: string[] = []
  const position = {
    command: () => (accepted ? { accepted, answer: 'trading is halted' } : ENDED),
    now: () => one.now,
    state: () => one.state(),
    whenDurable: () => Promise.resolve(isDurable),
  }
  const treasury = { halt: (_t: number, why: string) => void halts.push(why), held: () => [] }
  const give = (name: 'halt' | 'acceptMid') => {
    const command = name === 'halt' ? ({ name } as const) : ({ name, mid: 1n } as const)
    const call = { method: 'command', command, who: 'amina', why: 'a test' } as const
    return answerCommand({ config: null as never, position, treasury }, call)
  }
  expect(await give('halt')).toBeNull()
  expect(halts).toEqual(['halted by amina: a test'])
  expect(await give('acceptMid')).toMatchObject({ accepted: false, answer: expect.stringMatching(/ended/) })
})
