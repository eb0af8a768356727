import { backoffMs } from '../../../base/backoff.ts'
import { err, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import type { RpcEndpoint } from './rpc-endpoint.ts'
import { rpcFailure, type RpcFailure } from './rpc-failure.ts'

/** Decides which endpoint to query first: the configured order, with recently failed endpoints last. */
export type EndpointPool = {
  readonly size: number
  /** All endpoints; those that pause after a failure come last, ordered by the end of their pause. */
  readonly inOrder: () => readonly RpcEndpoint[]
  /** An answer ends the pause; a failure starts one twice as long as the last. */
  readonly note: (endpoint: RpcEndpoint, isGood: boolean) => void
  /** Queries the endpoints in turn and returns the first good answer. The failure names each endpoint's failure. */
  readonly first: <T>(
    ask: (endpoint: RpcEndpoint) => Promise<Result<T, RpcFailure>>,
  ) => Promise<Result<T, RpcFailure>>
  /** Queries every endpoint at once and records which ones answer. Returns the results in the order of the endpoints. */
  readonly all: <T>(
    ask: (endpoint: RpcEndpoint) => Promise<Result<T, RpcFailure>>,
  ) => Promise<readonly Result<T, RpcFailure>[]>
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

export function createEndpointPool(endpoints: readonly RpcEndpoint[], now: () => Ms): EndpointPool {
  const health = new Map(endpoints.map((endpoint) => [endpoint, { failures: 0, until: -Infinity }]))
  const until = (endpoint: RpcEndpoint) => health.get(endpoint)?.until ?? -Infinity

  function inOrder(): readonly RpcEndpoint[] {
    const t = now()
    const isPaused = (endpoint: RpcEndpoint) => until(endpoint) > t
    return [
      ...endpoints.filter((endpoint) => !isPaused(endpoint)),
      ...endpoints.filter(isPaused).sort((a, b) => until(a) - until(b)),
    ]
  }

  function note(endpoint: RpcEndpoint, isGood: boolean): void {
    const failures = isGood ? 0 : (health.get(endpoint)?.failures ?? 0) + 1
    const pauseMs = isGood ? -Infinity : backoffMs(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
    health.set(endpoint, { failures, until: now() + pauseMs })
  }

  return {
    size: endpoints.length,
    inOrder,
    note,
    first: async (ask) => {
      const failures: RpcFailure[] = []
      for (const endpoint of inOrder()) {
        const result = await ask(endpoint)
        if (result.ok) {
          note(endpoint, true)
          return result
        }
        if (result.error.isAnswer) return result
        failures.push(result.error)
        note(endpoint, false)
      }
      return err(allOf(failures))
    },
    all: (ask) =>
      Promise.all(
        inOrder().map(async (endpoint) => {
          const result = await ask(endpoint)
          note(endpoint, result.ok)
          return result
        }),
      ),
  }
}

/** Merges the failures of several endpoints: the kind of the first, the messages of all. */
function allOf(failures: readonly RpcFailure[]): RpcFailure {
  const [first, ...others] = failures
  if (first === undefined) return rpcFailure('network', 'no endpoint is configured', { retriable: false })
  if (others.length === 0) return first
  return {
    ...first,
    words: failures.map(({ words }) => words).join('; '),
    wasSent: failures.some(({ wasSent }) => wasSent),
    retriable: failures.some(({ retriable }) => retriable),
  }
}
