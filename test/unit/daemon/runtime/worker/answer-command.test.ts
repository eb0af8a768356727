import { expect, test } from 'vitest'
import type { EngineState } from '../../../../../src/core/engine/model/state.ts'
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
