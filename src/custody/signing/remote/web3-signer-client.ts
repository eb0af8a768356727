import { err, ok, type Result } from '../../../base/result.ts'
import { openHttpClient, type HttpCall, type HttpClient } from '../../../base/http/client.ts'
import type { Silence } from '../../../base/http/exchange.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'
import type { SigningFailure } from '../order-signer.ts'

/** The two Web3Signer calls that are used. Neither rejects. */
export type Web3SignerClient = {
  readonly publicKeys: () => Promise<Result<readonly string[], SigningFailure>>
  /** Hashes `data` with keccak256 and returns r, s, v as text. */
  readonly sign: (identifier: string, data: Hex) => Promise<Result<string, SigningFailure>>
}

const TIMEOUT_MS = 5_000
const MOST_BYTES = 1_000_000

/** `url` is the base of its API. Messages contain codes and never the URL. */
export function createWeb3SignerClient(
  url: string,
  timeoutMs = TIMEOUT_MS,
): Result<Web3SignerClient, string> {
  const base = URL.parse(url)
  if (base === null || !/^https?:$/.test(base.protocol))
    return err('the URL of the remote signer is invalid; write for example http://127.0.0.1:9000')
  if (base.username !== '' || base.password !== '')
    return err('the URL of the remote signer contains a password, which would end up in logs; remove it')
  const http = openHttpClient({ connections: 8, timeoutMs, maxBytes: MOST_BYTES })
  const root = `${base.pathname.replace(/\/$/, '')}/api/v1/eth1`
  const ask = (method: 'GET' | 'POST', path: string, body: string | null) =>
    answerTo(http, { origin: base.origin, method, path: `${root}${path}`, headers: headersOf(body), body })
  return ok({
    publicKeys: async () => {
      const answer = await ask('GET', '/publicKeys', null)
      return answer.ok ? readKeys(answer.value) : answer
    },
    sign: (identifier, data) => ask('POST', `/sign/${identifier}`, JSON.stringify({ data })),
  })
}

function headersOf(body: string | null): Readonly<Record<string, string>> {
  return body === null ? {} : { 'content-type': 'application/json' }
}

async function answerTo(http: HttpClient, call: HttpCall): Promise<Result<string, SigningFailure>> {
  const answer = await http.send(call)
  if (!answer.ok) return err(failureOf(answer.error))
  const { status, text } = answer.value
  if (status === 200) return ok(text)
  const isRefusal = status >= 400 && status < 500 && status !== 408
  return err({
    code: isRefusal ? 'SIGN_REMOTE_REFUSED' : 'SIGN_REMOTE_FAILED',
    message: `the remote signer answered ${status}`,
    isVoid: isRefusal,
  })
}

/** A request that was never written is void: nothing can have been signed. */
function failureOf({ kind, code, wasSent }: Silence): SigningFailure {
  if (!wasSent)
    return {
      code: 'SIGN_REMOTE_UNREACHABLE',
      message: `the remote signer cannot be reached (${code})`,
      isVoid: true,
    }
  if (kind === 'timeout')
    return {
      code: 'SIGN_REMOTE_TIMEOUT',
      message: 'the remote signer did not answer in time',
      isVoid: false,
    }
  return {
    code: 'SIGN_REMOTE_FAILED',
    message: `the remote signer broke off its answer (${code})`,
    isVoid: false,
  }
}

function readKeys(text: string): Result<readonly string[], SigningFailure> {
  try {
    const keys: unknown = JSON.parse(text)
    if (Array.isArray(keys))
      return ok(keys.filter((key) => typeof key === 'string' && /^(0x)?[0-9a-fA-F]{128,130}$/.test(key)))
  } catch {
    // Said below.
  }
  return err({
    code: 'SIGN_REMOTE_GARBAGE',
    message: 'the remote signer did not return a list of keys',
    isVoid: true,
  })
}
