import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type {
  CarriedPosition,
  WorkerPool,
  Restart,
} from '../../../../../src/daemon/runtime/host/worker-pool.ts'
import { supervisePosition } from '../../../../../src/daemon/runtime/host/supervisor.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A supervised position whose worker is played by the test. */
function supervised(makeSafe = () => Promise.resolve('the venue confirmed it')) {
  const carried: CarriedPosition[] = []
  const restarts: Restart[] = []
  const [logged, ended]: [string[], string[]] = [[], []]
  const handle = {
    ask: () => Promise.resolve(null),
    restart: (restart: Restart) => void restarts.push(restart),
    leave: () => Promise.resolve(),
  }
  const workers = {
    handle: (one: CarriedPosition) => (carried.push(one), handle),
  } as unknown as WorkerPool
  const { health } = supervisePosition(
    {
      name: 'desk',
      isolate: false,
      withChain: false,
      init: () => ({ configFile: 'desk.yaml' }),
      onLog: (_level, text) => void logged.push(text),
      makeSafe,
      onFatal: (_code, text) => void ended.push(text),
    },
    workers,
  )
  return {
    health,
    restarts,
    logged,
    ended,
    lose: (...[loss]: Parameters<CarriedPosition['onLost']>) => carried[0]?.onLost(loss),
    say: (...[message]: Parameters<CarriedPosition['onMessage']>) => carried[0]?.onMessage(message),
  }
}

test('a position whose strategy was lost in an event comes back with the strategy suspended before that event', () => {
  const { restarts, say } = supervised()
  const suspension = { seq: 41, reason: 'the strategy did not answer' }
  say({ type: 'crashed', text: 'lost', suspension })
  expect(restarts).toEqual([{ pauseMs: 250, suspension }])
})

test('a position that crashed is alive for the 10 s in which it may come back, dead after them, and alive once it runs', () => {
  const { health, say } = supervised()
  say({ type: 'running' })
  say({ type: 'crashed', text: 'it threw' })
  vi.advanceTimersByTime(9_900)
  say({ type: 'crashed', text: 'it threw again' })
  expect(health()).toEqual({ alive: true, why: 'restarting' })
  vi.advanceTimersByTime(100)
  expect(health()).toEqual({ alive: false, why: 'restarting' })
  say({ type: 'running' })
  expect(health()).toEqual({ alive: true, why: null })
})

test('a position whose stuck thread cannot be replaced ends, also where no safe quote could be sent', async () => {
  const { lose, logged, ended } = supervised(() => Promise.reject(new Error('the venue is down')))
  lose({ end: { how: 'stuck', inside: { slot: 0, seq: 1 } }, isAlone: true })
  await vi.waitFor(() => expect(ended).toHaveLength(1))
  expect(logged).toEqual(['desk: no safe quote: the venue is down'])
})
