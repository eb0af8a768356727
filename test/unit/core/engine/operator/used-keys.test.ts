import { describe, expect, test } from 'vitest'
import type { OperatorCommand } from '../../../../../src/core/engine/model/event.ts'
import { type Harness, runCore } from '../../../../support/core-harness.ts'
import { accepted, refused } from '../../../../support/answers.ts'

function give(one: Harness, command: OperatorCommand, key: string) {
  const event = { type: 'operator', t: one.now, who: 'amina', why: 'a test', command, key } as const
  return one.give(event).observations.find(({ type }) => type === 'operator')
}

function desk(): Harness {
  return runCore(20_000)
}

describe('a start under a used key', () => {
  test('is never carried out again, also after a restart: it gets its earlier answer', () => {
    const one = desk()
    one.order({ name: 'pause' })
    const first = give(one, { name: 'resume' }, 'k-1')
    expect(first).toMatchObject(accepted('lifted'))
    one.restart()
    const second = give(one, { name: 'resume' }, 'k-1')
    expect(second).toMatchObject(accepted('not repeated'))
    expect(give(one, { name: 'resume' }, 'k-1')).toMatchObject({
      answer: (second as { answer: string }).answer,
    })
  })

  test.each(['halt', 'pause'] as const)(
    'that a %s followed is refused, and the stop stays in force',
    (name) => {
      const one = desk()
      give(one, { name: 'resume' }, 'k-1')
      one.order({ name })
      expect(give(one, { name: 'resume' }, 'k-1')).toMatchObject(refused('undone since'))
      const { halted, paused } = one.state().latch
      expect((halted ?? paused)?.why).toContain('amina')
      expect(give(one, { name: 'resume' }, 'k-2')).toMatchObject({ accepted: true })
    },
  )

  test('an activation that a deactivation followed is refused', () => {
    const one = desk()
    expect(give(one, { name: 'activate' }, 'k-1')).toMatchObject({ accepted: true })
    one.order({ name: 'deactivate' })
    expect(give(one, { name: 'activate' }, 'k-1')).toMatchObject({ accepted: false })
    expect(one.state().activation.wanted).toBe(false)
  })

  test('is refused for another command, and one that was refused may be given again', () => {
    const one = desk()
    give(one, { name: 'resume' }, 'k-1')
    expect(give(one, { name: 'activate' }, 'k-1')).toMatchObject({ accepted: false })
    one.order({ name: 'halt' })
    expect(give(one, { name: 'activate' }, 'k-2')).toMatchObject({ accepted: false })
    one.order({ name: 'resume' })
    expect(give(one, { name: 'activate' }, 'k-2')).toMatchObject({ accepted: true })
  })
})
