import { request } from 'undici'
import type { LoadedConfig } from '../config/loaded-config.ts'
import { readOperatorToken } from '../runtime/operator-token.ts'

/** What the running daemon said; null when none answers at the configured address. */
export type DaemonAnswer = { readonly status: number; readonly body: unknown }

const TIMEOUT_MS = 5_000

/** Asks the daemon of this configuration over its own HTTP API. */
export async function askDaemon(
  config: LoadedConfig,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<DaemonAnswer | null> {
  const { host, port } = config.http
  const token = readOperatorToken(config)
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const headers: Record<string, string> = { accept: 'application/json' }
  if (token !== null) headers['authorization'] = `Bearer ${token}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  try {
    const answer = await request(
      `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}${path}`,
      {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
      },
    )
    return { status: answer.statusCode, body: parse(await answer.body.text()) }
  } catch (error) {
    if (isRefusedConnection(error)) return null
    throw error
  }
}

/** The view of this configuration's position from the running daemon, or null. */
export async function daemonView(config: LoadedConfig): Promise<DaemonAnswer | null> {
  return askDaemon(config, 'GET', `/api/v1/state?position=${encodeURIComponent(config.core.name)}`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { error: text.slice(0, 200) }
  }
}

function isRefusedConnection(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return (
    code === 'ECONNREFUSED' ||
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    code === 'UND_ERR_SOCKET' ||
    code === 'ECONNRESET'
  )
}
