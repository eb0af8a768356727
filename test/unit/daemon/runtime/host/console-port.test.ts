import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { OperatorAnswer } from '../../../../../src/daemon/console/position-port.ts'
import type { OperatorCommand } from '../../../../../src/core/engine/model/event.ts'
import {
  createAbsentPort,
  createStopQueue,
  createConsolePort,
} from '../../../../../src/daemon/runtime/host/console-port.ts'
import type { Supervisor } from '../../../../../src/daemon/runtime/host/supervisor.ts'
import { readSavedStops } from '../../../../../src/daemon/runtime/position/saved-stops.ts'
import { freshFolder } from '../../../store/store-fixture.ts'

const HALT = { name: 'halt' } as const
const KEPT = { accepted: true, confirmed: false, exitCode: 4 }
const DONE: OperatorAnswer = { accepted: true, answer: 'done' }

/** A position whose worker is played by the test: it answers commands only while `runs.now`. */
function desk(store: string) {
  const runs: { now: boolean; answer: OperatorAnswer; onCommand?: () => void } = { now: false, answer: DONE }
  const taken: OperatorCommand['name'][] = []
  const stops = createStopQueue(store)
  const openThen: number[] = []
  const ask = async ({ command }: { readonly command: OperatorCommand }) => {
    openThen.push(stops.open().length)
    if (!runs.now) return null
    taken.push(command.name)
    runs.onCommand?.()
    return runs.answer
  }
  const supervisor = {
    name: 'desk',
    standby: () => null,
    health: () => (runs.now ? { alive: true, why: null } : { alive: false, why: 'crashed again' }),
    ask,
  } as unknown as Supervisor
  const port = createConsolePort(supervisor, {} as never, null, stops)
  const give = (command: OperatorCommand) => port.command(command as never, 'ann', 'odd')
  return { runs, taken, stops, openThen, supervisor, give }
}

describe('a stop for a position that does not run', () => {
  test.each([
    ['halt', HALT, 'Trading will be halted'],
    ['pause', { name: 'pause' }, 'Trading will be paused'],
    ['deactivate', { name: 'deactivate', insists: true }, 'The position will be deactivated'],
    ['cancelOrders', { name: 'cancelOrders', salts: [7n] }, 'The orders will be cancelled'],
  ] as const)('%s is kept on disk, and its answer states that', async (_name, command, will) => {
    const store = join(freshFolder(), 'new')
    const answer = await desk(store).give(command)
    expect(answer).toMatchObject(KEPT)
    expect(answer.answer).toContain(`Saved. ${will} before quoting resumes. NOT confirmed at the venue`)
    expect(readSavedStops(store)).toMatchObject([{ command, who: 'ann', why: 'odd' }])
  })

  test('is kept once however often it is given, also by a process that ends', async () => {
    const store = freshFolder()
    for (const one of [desk(store), desk(store)]) await one.give(HALT)
    await desk(store).give({ name: 'pause' })
    expect(readSavedStops(store).map(({ command }) => command.name)).toEqual(['halt', 'pause'])
  })

  test('is given again once the position runs, and then forgotten', async () => {
    const store = freshFolder()
    const { runs, taken, stops, supervisor, give } = desk(store)
    await give(HALT)
    await stops.deliver(supervisor)
    expect(readSavedStops(store)).toHaveLength(1)
    runs.now = true
    await stops.deliver(supervisor)
    expect([taken, readSavedStops(store)]).toEqual([['halt'], []])
  })

  test('is given once by two deliveries at the same time', async () => {
    const { runs, taken, stops, supervisor, give } = desk(freshFolder())
    for (const name of ['halt', 'pause'] as const) await give({ name })
    runs.now = true
    await Promise.all([stops.deliver(supervisor), stops.deliver(supervisor)])
    expect(taken).toEqual(['halt', 'pause'])
  })

  test('is not given after a resume that lifts it while the stop before it is given', async () => {
    const { runs, taken, stops, supervisor, give } = desk(freshFolder())
    for (const name of ['halt', 'pause'] as const) await give({ name })
    Object.assign(runs, { now: true, onCommand: () => stops.dropLiftedBy({ name: 'resume' }) })
    await stops.deliver(supervisor)
    expect(taken).toEqual(['halt'])
  })

  test('is handed to a worker that starts before it was answered', async () => {
    const { openThen, stops, give } = desk(freshFolder())
    await give(HALT)
    expect([openThen[0], stops.open()]).toEqual([1, []])
  })

  test('that the position took late is lifted by a resume', async () => {
    const store = freshFolder()
    const { runs, give } = desk(store)
    const kept = await give(HALT)
    expect(kept).toMatchObject(KEPT)
    // Nothing of the first one is left under way.
    await new Promise(setImmediate)
    runs.now = true
    await give({ name: 'resume' })
    expect(readSavedStops(store)).toEqual([])
  })

  test('that the position does not accept stays for the next start', async () => {
    const store = freshFolder()
    const { runs, stops, supervisor, give } = desk(store)
    await give({ name: 'stopSigning' })
    Object.assign(runs, { now: true, answer: { accepted: false, answer: 'the file is locked', exitCode: 1 } })
    await stops.deliver(supervisor)
    expect(readSavedStops(store)).toHaveLength(1)
    runs.answer = DONE
    await stops.deliver(supervisor)
    expect(readSavedStops(store)).toEqual([])
  })

  test.each([
    ['resume', ['cancelWithdrawal', 'deactivate', 'stopSigning']],
    ['activate', ['cancelWithdrawal', 'halt', 'pause', 'stopSigning']],
  ] as const)('only what %s lifts is removed: %j stay', async (start, left) => {
    const store = freshFolder()
    const { runs, give } = desk(store)
    const stops = ['pause', 'deactivate', 'stopSigning'] as const
    for (const command of [
      HALT,
      ...stops.map((name) => ({ name })),
      { name: 'cancelWithdrawal', key: null },
    ] as const)
      await give(command)
    await new Promise(setImmediate)
    runs.now = true
    await give({ name: start })
    expect(
      readSavedStops(store)
        .map(({ command }) => command.name)
        .sort(),
    ).toEqual(left)
  })

  test('that lies in a folder that cannot be read is a halt, and no folder holds no stop', () => {
    const file = join(freshFolder(), 'file')
    expect(readSavedStops(file)).toEqual([])
    writeFileSync(file, '')
    expect(readSavedStops(file)).toMatchObject([{ command: { name: 'halt' } }])
  })

  test('that cannot be kept is not accepted', async () => {
    const store = join(freshFolder(), 'file')
    writeFileSync(store, '')
    expect(await desk(store).give(HALT)).toMatchObject({ accepted: false, exitCode: 1 })
  })

  test('that cannot be read again is a halt', async () => {
    const store = freshFolder()
    await desk(store).give({ name: 'pause' })
    const [file = ''] = readdirSync(store)
    writeFileSync(join(store, file), '{"command":')
    expect(readSavedStops(store)).toMatchObject([{ command: HALT }])
  })

  test('is never said to have an unknown outcome, and neither is a start', async () => {
    const answer = await desk(freshFolder()).give({ name: 'activate' })
    expect(answer).toMatchObject({ accepted: false, exitCode: 1 })
    expect(answer.answer).toBe('the position does not run (crashed again), so nothing was done')
  })
})

test('a position whose file makes none keeps stops and refuses the rest', async () => {
  const store = freshFolder()
  const port = createAbsentPort('b', store, 'b.yaml:3:1 quote: unknown key\nmore')
  expect(await port.command(HALT, 'ann', 'odd')).toMatchObject(KEPT)
  expect(await port.command({ name: 'resume' }, 'ann', 'odd')).toMatchObject({ accepted: false })
  expect(await port.treasuryOrder({ name: 'stop', why: 'odd' }, 'ann', 'ann')).toMatchObject({
    accepted: false,
  })
  expect(readSavedStops(store)).toHaveLength(1)
})
