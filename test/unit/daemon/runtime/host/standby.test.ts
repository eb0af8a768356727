import { describe, expect, test, vi } from 'vitest'
import type { CarriedPosition, WorkerPool } from '../../../../../src/daemon/runtime/host/worker-pool.ts'
import { createStopQueue, createConsolePort } from '../../../../../src/daemon/runtime/host/console-port.ts'
import { supervisePosition } from '../../../../../src/daemon/runtime/host/supervisor.ts'
import type { PositionCall, PositionMessage } from '../../../../../src/daemon/runtime/worker/messages.ts'

/** A position in a worker that answers each call with its name, until it stands by. */
function supervised() {
  let carried: CarriedPosition | null = null
  const asked: string[] = []
  const logged: string[] = []
  const onRunning = vi.fn<() => void>()
  const handle = {
    ask(call: PositionCall) {
      asked.push(call.method)
      return Promise.resolve(call.method === 'shutdown' ? null : (call.method as never))
    },
    restart: () => void logged.push('restarted'),
    leave: () => Promise.resolve(),
  }
  const workers = {
    handle(position: CarriedPosition) {
      carried = position
      return handle
    },
  } as unknown as WorkerPool
  const supervisor = supervisePosition(
    {
      name: 'desk',
      isolate: false,
      withChain: false,
      init: () => ({ configFile: 'desk.yaml' }),
      onRunning,
      onLog: (_, message) => void logged.push(message),
      makeSafe: () => Promise.resolve('safe'),
      onFatal: () => undefined,
    },
    workers,
  )
  const say = (message: PositionMessage) => carried?.onMessage(message)
  return {
    supervisor,
    say,
    asked,
    logged,
    onRunning,
    port: createConsolePort(supervisor, {} as never, null, createStopQueue('/nowhere')),
  }
}

const HELD = { type: 'standby', held: 'it is held by process 7 on there' } as const
const WORDS = 'this daemon stands by for the position: it is held by process 7 on there'

describe('A position that stands by', () => {
  test('has started, is alive and not ready, and is asked nothing; each says who holds it', async () => {
    const { supervisor, say, asked, port, onRunning } = supervised()
    say(HELD)
    expect(await supervisor.running).toBe(true)
    expect(onRunning).not.toHaveBeenCalled()
    expect(supervisor.standby()).toBe(WORDS)
    expect(supervisor.health()).toEqual({ alive: true, why: WORDS })
    expect(await port.view()).toBeNull()
    expect(await port.ready()).toEqual({ ready: false, why: [WORDS] })
    const refused = { accepted: false, answer: `${WORDS}; send the command to that daemon`, exitCode: 1 }
    expect(await port.command({ name: 'halt' }, 'ann', 'odd')).toEqual(refused)
    expect(
      await port.command({ name: 'reload', by: 'ann', changes: {}, fromFile: false }, 'ann', 'odd'),
    ).toEqual(refused)
    expect(await port.treasuryOrder({} as never, 'ann', 'ann')).toEqual(refused)
    expect(await port.propose({} as never, { id: '1', token: 'ann', who: 'ann', why: 'odd' })).toEqual(
      refused,
    )
    expect(await port.answerProposal({} as never, 'ann', 'odd')).toEqual(refused)
    expect(asked).toEqual([])
  })

  test('reads its files again when the process is asked to: what it takes over with is no older than that', async () => {
    const { supervisor, say, asked } = supervised()
    say(HELD)
    expect(await supervisor.ask({ method: 'reload' })).toBe('reload')
    expect(asked).toEqual(['reload'])
  })

  test('takes over with a line in the log, and answers from then on', async () => {
    const { supervisor, say, logged, port, onRunning } = supervised()
    say(HELD)
    say({ type: 'running' })
    expect(onRunning).toHaveBeenCalledOnce()
    expect(logged).toEqual(['desk: this daemon has taken the position over'])
    expect(supervisor.standby()).toBeNull()
    expect(supervisor.health()).toEqual({ alive: true, why: null })
    expect(await port.view()).toBe('view')
  })

  test('that was deposed says why, and starts again to stand by', () => {
    const { supervisor, say, logged } = supervised()
    say({ type: 'running' })
    const text = 'the store was taken over by another daemon'
    say({ type: 'crashed', text })
    expect(logged[0]).toContain(text)
    expect(logged.at(-1)).toBe('restarted')
    say(HELD)
    expect(supervisor.standby()).toBe(WORDS)
  })

  test('ends in order, with a line that nothing was changed', async () => {
    const { supervisor, say, asked } = supervised()
    say(HELD)
    expect(await supervisor.shutdown(1_000)).toBe(`${WORDS}; nothing was changed`)
    expect(asked).toEqual(['shutdown'])
  })

  test('no more and does not answer is reported as silent', async () => {
    const { supervisor, say, port } = supervised()
    say({ type: 'running' })
    expect(await supervisor.shutdown(1_000)).toContain('UNKNOWN')
    expect(await port.ready()).toBe('ready')
  })
})
