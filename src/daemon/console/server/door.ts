import type { IncomingMessage, ServerResponse } from 'node:http'
import { keepNewest } from '../../../base/bounded-map.ts'
import { MINUTE_MS, SECOND_MS, type Ms } from '../../../base/time.ts'
import { hasBody, type Visitor } from '../../../base/http/limit-connections.ts'
import { PERMISSIONS } from '../auth/permissions.ts'
import { SIGN_IN_PATH } from '../auth/sign-in.ts'
import type { AccessControl } from '../auth/access-control.ts'
import { Refusal } from '../refusal.ts'
import { runAfter } from '../../../base/threads/timing.ts'

/** `burst`: at once. Consoles and scripts bring a token, or read a few times a second from this machine. */
const READS = {
  token: { aMinute: 6_000, burst: 600 },
  address: { aMinute: 1_200, burst: 200 },
} as const
/** Addresses and tokens that are counted; with more the oldest are forgotten. */
const MOST_COUNTED = 10_000
/** They cost little once they are made: health checks, the proof of the command line and the page use up no address's reads. */
const FREE = /^\/(?:healthz|readyz|api\/v1\/proof|assets\/[^/?]*)?(?:\?|$)/
/** Orchestrators and the command line ask them before they act. */
const FIRST = /^\/(?:healthz|readyz|api\/v1\/proof)(?:\?|$)/

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'",
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Looks at the headers of a request before anything else of it is read. What needs a token and does not show a right one is refused here,
 * which is cheap and uses up no budget. Commands with a right token are not counted.
 */
export function createDoor(
  access: AccessControl,
  enter: { readonly known: Listener; readonly first: Listener; readonly other: Listener },
  reportError: (error: unknown) => void,
  now: () => Ms = () => performance.now(),
): (...visit: [...Parameters<Listener>, Visitor]) => void {
  const secondsToWait = createBudget(now)

  /** Returns where the request goes. Throws a Refusal. */
  function check({ headers, method, socket, url = '' }: IncomingMessage, visitor: Visitor): Listener {
    const asker = { headers, ip: socket.remoteAddress ?? '' }
    const operator = access.operatorOf(asker)
    const isRead = method === 'GET' || method === 'HEAD'
    if (operator !== null) {
      visitor.admit(!isRead && operator.may.some((permission) => permission !== 'read'))
      if (isRead && !FREE.test(url)) checkBudget('token', operator.name)
      return enter.known
    }
    access.checkHost(asker)
    access.checkSite(asker)
    // It brings a key in place of the token, and its route judges that.
    const isSignIn = method === 'POST' && url === SIGN_IN_PATH
    if (!isRead && !isSignIn) access.checkCommand(asker, PERMISSIONS)
    if (FIRST.test(url)) return enter.first
    if (FREE.test(url)) return enter.other
    if (!isSignIn) access.checkRead(asker)
    checkBudget('address', asker.ip)
    return enter.other
  }

  function checkBudget(kind: keyof typeof READS, name: string): void {
    const seconds = secondsToWait(`${kind} ${name}`, READS[kind])
    if (seconds === 0) return
    const message = `at most ${READS[kind].aMinute} reads a minute; read again in ${seconds} s`
    throw new Refusal(429, 'too-many', message, seconds)
  }

  return (request, response, visitor) => {
    try {
      check(request, visitor)(request, response)
    } catch (thrown) {
      const isRefusal = thrown instanceof Refusal
      if (!isRefusal) reportError(thrown)
      const refusal = isRefusal ? thrown : new Refusal(500, 'broken', 'the request could not be judged')
      refuse(request, response, refusal, visitor.waitMs())
    }
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal, waitMs: Ms): void {
  const send = () => {
    response.writeHead(refusal.status, {
      ...HEADERS,
      ...refusal.headers(),
      // A body stays unread.
      ...(hasBody(request) ? { connection: 'close' } : {}),
    })
    response.end(JSON.stringify(refusal.body()))
  }
  if (waitMs === 0) send()
  else runAfter(send, waitMs).unref()
}

type Rate = { readonly aMinute: number; readonly burst: number }

/** Returns 0 and counts a read, or returns after how many seconds there is room for one. */
function createBudget(now: () => Ms): (who: string, rate: Rate) => number {
  /** When the reads of each would be used up had they come one by one. */
  const usedUntil = new Map<string, number>()
  return (who, { aMinute, burst }) => {
    const at = now()
    const everyMs = MINUTE_MS / aMinute
    const until = Math.max(at, usedUntil.get(who) ?? 0) + everyMs
    const waitMs = until - at - burst * everyMs
    if (waitMs > 0) return Math.ceil(waitMs / SECOND_MS)
    keepNewest(usedUntil, who, until, MOST_COUNTED)
    return 0
  }
}
