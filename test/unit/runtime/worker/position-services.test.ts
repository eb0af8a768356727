import { describe, expect, test } from 'vitest'
import { answerCall, type PositionServices } from '../../../../src/runtime/worker/position-services.ts'

const HALT = { method: 'command', command: { name: 'halt' }, who: 'ann', why: 'looks odd' } as const

function servicesOf(whenDurable: () => Promise<boolean>, accepted = true): PositionServices {
  const position = { command: () => ({ accepted, answer: 'halted' }), whenDurable }
  return { position } as unknown as PositionServices
}

describe('The answer to a command', () => {
  test('leaves once the journal has the command on disk, so that what a person was told survives kill -9', async () => {
    const disk = Promise.withResolvers<boolean>()
    let answer: unknown = null
    const answering = answerCall(
      HALT,
      servicesOf(() => disk.promise),
    ).then((given) => (answer = given))
    await new Promise((resolve) => setImmediate(resolve))
    expect(answer).toBeNull()
    disk.resolve(true)
    await answering
    expect(answer).toEqual({ accepted: true, answer: 'halted' })
  })

  test('is a refusal where the position ended before the disk had it', async () => {
    const answer = await answerCall(
      HALT,
      servicesOf(() => Promise.resolve(false)),
    )
    expect(answer).toMatchObject({
      accepted: false,
      answer: expect.stringContaining('give the command again') as string,
    })
  })

  test('does not wait where nothing was accepted', async () => {
    const never = () => new Promise<boolean>(() => undefined)
    expect(await answerCall(HALT, servicesOf(never, false))).toEqual({ accepted: false, answer: 'halted' })
  })
})
