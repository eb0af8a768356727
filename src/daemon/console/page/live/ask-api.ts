import { err, ok, type Result } from '../../../../base/result.ts'

/** Why there is no answer; status 0 = the daemon is unreachable. */
export type ApiFailure = { readonly status: number; readonly message: string }

type Order = {
  readonly body: object
  /** The Idempotency-Key of this action, so that a repeated request is executed once. */
  readonly idempotencyKey?: string
}

/**
 * Only a few requests may read the store at a time, and a fill makes every open page read it at once. A rejected request
 * is therefore retried after a random time, so that the pages do not return together.
 */
const BUSY_TRIES = 3
const BUSY_WAIT_MS = 700

/** GETs a path below /api/v1/, or POSTs an order to it. The error has the server's sentence. */
export async function askApi<T>(path: string, order?: Order): Promise<Result<T, ApiFailure>> {
  const token = session.token()
  const headers: Record<string, string> = { accept: 'application/json' }
  if (token !== null) headers['authorization'] = `Bearer ${token}`
  if (order !== undefined) headers['content-type'] = 'application/json'
  if (order?.idempotencyKey !== undefined) headers['idempotency-key'] = order.idempotencyKey
  for (let again = order === undefined ? BUSY_TRIES : 0; ; again--) {
    const answer = await askOnce<T>(path, headers, order)
    if (answer.ok || answer.error.status !== 503 || again <= 0) return answer
    await new Promise((resolve) => setTimeout(resolve, BUSY_WAIT_MS * (0.5 + Math.random())))
  }
}

async function askOnce<T>(
  path: string,
  headers: Record<string, string>,
  order: Order | undefined,
): Promise<Result<T, ApiFailure>> {
  try {
    const answer = await fetch(`/api/v1/${path}`, {
      method: order === undefined ? 'GET' : 'POST',
      headers,
      cache: 'no-store',
      ...(order === undefined ? {} : { body: JSON.stringify(order.body) }),
    })
    const text = await answer.text()
    const body = parsed(text)
    if (answer.ok) return ok(body as T)
    return err({ status: answer.status, message: sentenceOf(body) ?? `the daemon answered ${answer.status}` })
  } catch {
    return err({ status: 0, message: 'the daemon cannot be reached' })
  }
}

/** Returns a query such as `?a=1&b=x`, without null and empty values. */
export function query(values: Readonly<Record<string, string | number | null>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== '')
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** Returns a random Idempotency-Key. Browsers have no `randomUUID` on a page that was loaded over plain HTTP. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

/** Returns the sentence of an answer: `message` of an error, `answer` of a refused command. */
function sentenceOf(body: unknown): string | null {
  const { message, answer } = (body ?? {}) as { readonly message?: unknown; readonly answer?: unknown }
  if (typeof message === 'string') return message
  return typeof answer === 'string' ? answer : null
}

/** Returns the key after `#key=` in the address, and removes it from the address and the browser's history. */
export function takeSignInKey(): string | null {
  const key = /^#key=(.+)$/.exec(location.hash)?.[1] ?? null
  if (key !== null) history.replaceState(null, '', location.pathname + location.search)
  return key
}

/** Exchanges a key for its token and stores the token in this tab. The error is the daemon's sentence. */
export async function signIn(key: string): Promise<Result<void, ApiFailure>> {
  const answer = await askApi<{ readonly token: string }>('sign-in', { body: { key } })
  if (!answer.ok) return answer
  session.keepToken(answer.value.token)
  return ok(undefined)
}

const TOKEN = 'mizani-token'
const WHO = 'mizani-who'

/**
 * The token and the name of the operator, which this tab remembers until it is closed. They are in session storage, so
 * another tab cannot read them.
 */
export const session = {
  token: (): string | null => sessionStorage.getItem(TOKEN),
  who: (): string => sessionStorage.getItem(WHO) ?? '',
  keepToken(token: string): void {
    sessionStorage.setItem(TOKEN, token)
  },
  keepWho(who: string): void {
    sessionStorage.setItem(WHO, who)
  },
  forgetToken(): void {
    sessionStorage.removeItem(TOKEN)
  },
}
