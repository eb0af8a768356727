import { expect, test } from 'vitest'
import { startReceiver } from '../../../../../src/simulator/drills/stage/receiver.ts'

test('a notification is kept with its severity, and anything else is answered with 400', async () => {
  const receiver = await startReceiver()
  const post = async (body: string) => (await fetch(receiver.url, { method: 'POST', body })).status
  try {
    expect(
      await post(JSON.stringify({ severity: 'critical', code: 'halted', what: 'it is halted', more: 1 })),
    ).toBe(200)
    expect(await post('{"severity":"critical"}')).toBe(400)
    expect(await post('no JSON')).toBe(400)
    expect(receiver.told.map(({ at: _at, ...message }) => message)).toEqual([
      { severity: 'critical', code: 'halted', what: 'it is halted' },
    ])
  } finally {
    await receiver.close()
  }
})
