import { lookup as lookUpName } from 'node:dns'
import { connect, isIP, type NetConnectOpts, type Socket } from 'node:net'
import type { Ms } from '../time.ts'
import { runAfter } from '../threads/timing.ts'

/** Returns the addresses of a name in the order of the attempts. */
type LookUp = (host: string) => Promise<readonly string[]>

/** For tests. */
export type DialWorld = {
  readonly lookUp?: LookUp
  readonly open?: (options: NetConnectOpts) => Socket
}

/** Why no connection was made; the message has every attempted address, with measured times. */
export class DialError extends Error {
  readonly code: string
  readonly isLate: boolean

  constructor(code: string, message: string, isLate: boolean) {
    super(message)
    this.code = code
    this.isLate = isLate
  }
}

type Dialled = (...outcome: [error: null, socket: Socket] | [error: DialError, socket: null]) => void

export type Dialler = {
  /**
   * Connects to the first address of the host that answers and calls `done` once. Returns a function that cancels it.
   */
  readonly dial: (host: string, port: number, done: Dialled) => () => void
  /** Returns the attempts of the latest `dial` as a clause for a message; '' before the first. */
  readonly tried: () => string
}

/** RFC 8305, section 8: the "Connection Attempt Delay". */
const STAGGER_MS: Ms = 250

const BYTES_AT_ONCE = 65_536

type Attempt = {
  readonly address: string
  readonly began: Ms
  readonly socket: Socket
  /** Null = not failed. */
  code: string | null
  /** How the connection ended; null = still open. */
  end: string | null
}

/**
 * Happy Eyeballs: attempts start 250 ms apart, or as soon as the previous one has failed, and all continue until one
 * connects or the deadline passes, which includes the look-up. Node's own selection gives up an attempt after 250 ms,
 * so that it never reaches a distant address. `via` begins each clause of the attempts.
 */
export function createDialler(
  timeoutMs: Ms,
  { lookUp = lookUpAll, open = connect }: DialWorld = {},
  via = '',
): Dialler {
  let tried = (): string => ''
  return {
    dial(host, port, done) {
      const dialling = startDial({ host, port, timeoutMs, lookUp, open, via }, done)
      tried = dialling.tried
      return dialling.cancel
    },
    tried: () => tried(),
  }
}

type Target = Required<DialWorld> & {
  readonly host: string
  readonly port: number
  readonly timeoutMs: Ms
  readonly via: string
}

function startDial({ host, port, timeoutMs, lookUp, open, via }: Target, done: Dialled) {
  const began = performance.now()
  const attempts: Attempt[] = []
  let waiting: string[] = []
  let isOver = false
  let next: NodeJS.Timeout | undefined
  const deadline = runAfter(() => fail('CONNECT_TIMEOUT', true), timeoutMs)
  const tried = (): string => via + triedText(attempts, waiting.length, began)

  function end(winner: Socket | null): boolean {
    if (isOver) return false
    isOver = true
    clearTimeout(deadline)
    clearTimeout(next)
    for (const { socket } of attempts) if (socket !== winner) socket.destroy()
    return true
  }

  function fail(code: string, isLate: boolean): void {
    const words = isLate ? `no connection after ${sinceMs(began)} ms` : `no answer (${code})`
    const message = `${words}: ${tried()}`
    if (end(null)) done(new DialError(code, message, isLate), null)
  }

  function tryNext(): void {
    clearTimeout(next)
    const address = waiting.shift()
    if (isOver) return
    if (address === undefined) {
      if (attempts.every(({ code }) => code !== null)) fail(attempts[0]?.code ?? 'ENOTFOUND', false)
      return
    }
    const socket = open(optionsOf(address, port))
    const attempt: Attempt = { address, began: performance.now(), socket, code: null, end: null }
    attempts.push(attempt)
    // The listener stays after the end, because an error without a listener ends the thread.
    socket.on('error', (error) => {
      if (attempt.end !== null) return
      attempt.code = codeOf(error)
      attempt.end = `failed after ${sinceMs(attempt.began)} ms (${attempt.code})`
      tryNext()
    })
    socket.once('connect', () => {
      attempt.end = `connected after ${sinceMs(attempt.began)} ms`
      if (end(socket)) done(null, socket)
    })
    if (waiting.length > 0) next = runAfter(tryNext, STAGGER_MS)
  }

  const addresses = isIP(host) === 0 && !isPath(host) ? lookUp(host) : Promise.resolve([host])
  addresses.then(
    (found) => {
      waiting = alternated(found)
      tryNext()
    },
    (error: unknown) => fail(codeOf(error), false),
  )
  return { tried, cancel: () => void end(null) }
}

function optionsOf(address: string, port: number): NetConnectOpts {
  const place = isPath(address) ? { path: address } : { host: address, port }
  const options = { ...place, noDelay: true, highWaterMark: BYTES_AT_ONCE }
  return options
}

function triedText(attempts: readonly Attempt[], waiting: number, began: Ms): string {
  if (attempts.length === 0) return `its name was looked up for ${sinceMs(began)} ms`
  const texts = attempts.map(
    ({ address, began: since, end }) => `${address} ${end ?? `did not answer within ${sinceMs(since)} ms`}`,
  )
  return [...texts, ...(waiting === 0 ? [] : [`${waiting} more were not tried`])].join(', ')
}

function sinceMs(began: Ms): number {
  return Math.round(performance.now() - began)
}

/** Alternates the address families, so that an unreachable one costs one delay. */
function alternated(addresses: readonly string[]): string[] {
  const first = isIP(addresses[0] ?? '')
  const [preferred, others] = [
    addresses.filter((one) => isIP(one) === first),
    addresses.filter((one) => isIP(one) !== first),
  ]
  const longest = Math.max(preferred.length, others.length)
  return Array.from({ length: longest }, (_, at) => [preferred[at], others[at]])
    .flat()
    .filter((one) => one !== undefined)
}

function lookUpAll(host: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    lookUpName(host, { all: true }, (error, found) => {
      if (error !== null) reject(error)
      else resolve(found.map(({ address }) => address))
    })
  })
}

/** Returns the message of a late request. `tried`: the attempts to connect if nothing was sent; else ''. */
export function lateText(timeoutMs: Ms, tried: string): string {
  const words = `no whole answer within ${timeoutMs} ms`
  return tried === '' ? words : `${words}, and nothing was sent: ${tried}`
}

function isPath(host: string): boolean {
  return host.startsWith('/')
}

/** Returns the host of a URL for `dial`: an IPv6 address without its brackets. */
export function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  return typeof code === 'string' ? code : 'UNKNOWN'
}
