import { Pool } from 'undici'
import { err, ok, type Result } from '../base/result.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import type { SigningFailure } from './order-signer.ts'

/** The two calls of a Web3Signer that are used. Neither rejects. */
export type Web3SignerClient = {
  readonly publicKeys: () => Promise<Result<readonly string[], SigningFailure>>
  /** It hashes `data` with keccak256 and answers with r, s, v as text. */
  readonly sign: (identifier: string, data: Hex) => Promise<Result<string, SigningFailure>>
}

const TIMEOUT_MS = 5_000
const MOST_BYTES = 1_000_000

/** Nothing of the request had left when these happened. */
const NEVER_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_ALTNAME_INVALID|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_HAS_EXPIRED)$/

/** `url` is where its API begins. Messages name codes and never the URL. */
export function createWeb3SignerClient(
  url: string,
  timeoutMs = TIMEOUT_MS,
): Result<Web3SignerClient, string> {
  const base = URL.parse(url)
  if (base === null || !/^https?:$/.test(base.protocol))
    return err('the URL of the remote signer is not one; http://127.0.0.1:9000 is what one looks like')
  if (base.username !== '' || base.password !== '')
    return err('the URL of the remote signer has a password in it, which would end up in logs; leave it out')
  const pool = new Pool(base.origin, {
    connections: 8,
    connect: { timeout: timeoutMs },
    maxResponseSize: MOST_BYTES,
  })
  const root = `${base.pathname.replace(/\/$/, '')}/api/v1/eth1`
  const ask = (method: 'GET' | 'POST', path: string, body: string | null) =>
    askPool(pool, method, `${root}${path}`, body, timeoutMs)
  return ok({
    publicKeys: async () => {
      const answer = await ask('GET', '/publicKeys', null)
      return answer.ok ? readKeys(answer.value) : answer
    },
    sign: (identifier, data) => ask('POST', `/sign/${identifier}`, JSON.stringify({ data })),
  })
}

async function askPool(
  pool: Pool,
  method: 'GET' | 'POST',
  path: string,
  body: string | null,
  timeoutMs: number,
): Promise<Result<string, SigningFailure>> {
  try {
    const { statusCode, body: answer } = await pool.request({
      method,
      path,
      body,
      headers: body === null ? {} : { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await answer.text()
    if (statusCode === 200) return ok(text)
    const isRefusal = statusCode >= 400 && statusCode < 500 && statusCode !== 408
    return err({
      code: isRefusal ? 'SIGN_REMOTE_REFUSED' : 'SIGN_REMOTE_FAILED',
      message: `the remote signer answers ${statusCode}`,
      isVoid: isRefusal,
    })
  } catch (error) {
    return err(failureOf(error))
  }
}

function failureOf(error: unknown): SigningFailure {
  const { name, code = name } = error as { readonly name: string; readonly code?: string | number }
  if (name === 'TimeoutError' || name === 'AbortError')
    return {
      code: 'SIGN_REMOTE_TIMEOUT',
      message: 'the remote signer does not answer in time',
      isVoid: false,
    }
  if (NEVER_SENT.test(String(code)))
    return {
      code: 'SIGN_REMOTE_UNREACHABLE',
      message: `the remote signer cannot be reached (${code})`,
      isVoid: true,
    }
  return { code: 'SIGN_REMOTE_FAILED', message: `the remote signer broke off (${code})`, isVoid: false }
}

function readKeys(text: string): Result<readonly string[], SigningFailure> {
  try {
    const keys: unknown = JSON.parse(text)
    if (Array.isArray(keys))
      return ok(keys.filter((key) => typeof key === 'string' && /^(0x)?[0-9a-fA-F]{128,130}$/.test(key)))
  } catch {
    // Said below.
  }
  return err({ code: 'SIGN_REMOTE_GARBAGE', message: 'its list of keys is none', isVoid: true })
}
