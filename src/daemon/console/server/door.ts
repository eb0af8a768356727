import type { IncomingMessage, ServerResponse } from 'node:http'
import { keepNewest } from '../../../base/bounded-map.ts'
import { MINUTE_MS, SECOND_MS, type Ms } from '../../../base/time.ts'
import { hasBody, type Visitor } from '../../../base/http/limit-connections.ts'
import { PERMISSIONS } from '../auth/permissions.ts'
import { SIGN_IN_PATH } from '../auth/sign-in.ts'
import type { AccessControl } from '../auth/access-control.ts'
import { Refusal } from '../refusal.ts'
import { runAfter } from '../../../base/threads/timing.ts'

/** `burst`: the number of reads that may come at once. Consoles and scripts send a token, or read a few times a second from this machine. */
const READS = {
  token: { aMinute: 6_000, burst: 600 },
  address: { aMinute: 1_200, burst: 200 },
} as const
/** Maximum number of addresses and tokens that are counted; beyond it the oldest are forgotten. */
const MOST_COUNTED = 10_000
/** Paths that cost little and do not count against an address: health checks, the proof of the command line, the page. */
const FREE = /^\/(?:healthz|readyz|api\/v1\/proof|assets\/[^/?]*)?(?:\?|$)/
/** Orchestrators and the command line request these before they act. */
const FIRST = /^\/(?:healthz|readyz|api\/v1\/proof)(?:\?|$)/
/**
 * A browser that opens a report sends no token. The id has 128 random bits and appears only in answers to those who may read, so its holder
 * may read the report.
 */
const REPORT = /^\/api\/v1\/research\/[0-9a-f]{32}\/report$/

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'",
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Checks the headers of a request before its body is read. A request that needs a token and has no valid one is refused here, which is
 * cheap and uses no budget. Commands with a valid token are not counted.
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
    // A sign-in carries a key instead of a token, and its route checks the key.
    const isSignIn = method === 'POST' && url === SIGN_IN_PATH
    if (!isRead && !isSignIn) access.checkCommand(asker, PERMISSIONS)
    if (FIRST.test(url)) return enter.first
    if (FREE.test(url)) return enter.other
    if (!isSignIn && !REPORT.test(url)) access.checkRead(asker)
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
      const refusal = isRefusal ? thrown : new Refusal(500, 'broken', 'the request could not be checked')
      refuse(request, response, refusal, visitor.waitMs())
    }
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal, waitMs: Ms): void {
  const send = () => {
    response.writeHead(refusal.status, {
      ...HEADERS,
      ...refusal.headers(),
      // The body is left unread.
      ...(hasBody(request) ? { connection: 'close' } : {}),
    })
    response.end(JSON.stringify(refusal.body()))
  }
  if (waitMs === 0) send()
  else runAfter(send, waitMs).unref()
}

type Rate = { readonly aMinute: number; readonly burst: number }

/** Returns a function that counts a read and returns 0, or returns the seconds until the next read is allowed. */
function createBudget(now: () => Ms): (who: string, rate: Rate) => number {
  /** The time at which each one's reads would end if they had come at the steady rate. */
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
