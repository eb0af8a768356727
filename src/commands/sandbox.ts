import type { Ms } from '../base/time.ts'
import { startSandbox, type SandboxServer } from '../sandbox/server.ts'
import type { SandboxOptionsInput } from '../sandbox/options.ts'
import { EXIT_CODE } from './exit-code.ts'
import { fail, say, type Voice } from './say.ts'

export type SandboxCommandOptions = Voice &
  Pick<SandboxOptionsInput, 'port' | 'seed' | 'scenario' | 'speed' | 'dialect' | 'apiKey'> & {
    readonly lingerMs?: number
    readonly start?: Ms
  }

/** The venue in a box, until a signal ends it or, with `lingerMs`, until nobody asks it anything any more. */
export async function sandbox(options: SandboxCommandOptions): Promise<void> {
  const { lingerMs, json, start, ...world } = options
  const server = await listen({ ...world, startMs: start ?? null }, { json })
  if (server === null) return
  // Before the line is out: who reads it may end us at once.
  const ended = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
    if (lingerMs !== undefined) whenIdle(server, lingerMs, resolve)
  })
  say({ json }, `listening ${server.url}`, { listening: server.url })
  await ended
  await server.close()
  process.exit(EXIT_CODE.ok)
}

async function listen(world: SandboxOptionsInput, voice: Voice): Promise<SandboxServer | null> {
  try {
    return await startSandbox(world)
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException
    // The options were validated by the command line: what is left is the port.
    const why =
      code === 'EADDRINUSE'
        ? `port ${world.port} of 127.0.0.1 is taken by another process; --port 0 takes a free one`
        : `cannot listen on 127.0.0.1:${world.port} (${code ?? message}); --port 0 takes a free port`
    fail(voice, EXIT_CODE.usage, why)
    return null
  }
}

const IDLE_LOOK_MS = 1_000

/** Calls back once nobody has asked the venue anything for this long: its daemon is gone for good. */
function whenIdle(server: SandboxServer, idleMs: number, then: () => void): void {
  let requests = server.model.state.counters['requests']
  let since = Date.now()
  setInterval(() => {
    const seen = server.model.state.counters['requests']
    if (seen !== requests) since = Date.now()
    requests = seen
    if (Date.now() - since >= idleMs) then()
  }, IDLE_LOOK_MS)
}
