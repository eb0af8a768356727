import type { SandboxOptionsInput } from '../../../src/simulator/sandbox/options.ts'
import { startSandbox, type SandboxServer } from '../../../src/simulator/sandbox/server/server.ts'
import type { World } from '../../../src/simulator/sandbox/world/world.ts'
import { scriptedWorld, START } from '../../unit/simulator/sandbox/scripted-world.ts'

// What the venue sends is outside input: a test says which part of it must be what.
export type Reply = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Record<string, unknown>
}

export type HttpClient = {
  readonly sandbox: SandboxServer
  /** Below /api/v1/mm with the key, unless the path starts with /api or /sandbox. */
  readonly ask: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Reply>
  readonly advance: (ms: number) => Promise<Reply>
  readonly inject: (injection: object) => Promise<Reply>
  /** Sets the spread, activates and waits for it. */
  readonly goLive: (bidBps?: number, askBps?: number) => Promise<void>
}

/** A sandbox of its own on a free port, standing still (speed 0) unless the options say otherwise. */
export async function httpClient(
  options: SandboxOptionsInput = {},
  world: World = scriptedWorld(),
): Promise<HttpClient> {
  const sandbox = await startSandbox(
    {
      startMs: START,
      speed: 0,
      activationDelayMs: 0,
      withdrawalDelayMs: 0,
      swapStepMs: 0,
      requestsPerMinute: 100_000,
      ...options,
    },
    world,
  )
  const ask: HttpClient['ask'] = async (method, path, body, headers = {}) => {
    const full =
      path.startsWith('/api') || path.startsWith('/sandbox') || path.startsWith('/v1')
        ? path
        : `/api/v1/mm${path}`
    const response = await fetch(sandbox.url + full, {
      method,
      headers: {
        authorization: `Bearer ${sandbox.model.options.apiKey}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: readJson(text) }
  }
  return {
    sandbox,
    ask,
    advance: (ms) => ask('POST', '/sandbox/advance', { ms }),
    inject: (injection) => ask('POST', '/sandbox/inject', injection),
    async goLive(bidBps = 100, askBps = 100) {
      await ask('PATCH', '/spread', { bidBps, askBps })
      await ask('POST', '/activate', { isActive: true })
    },
  }
}

function readJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return { notJson: text }
  }
}
