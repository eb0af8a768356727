import { createHash, timingSafeEqual } from 'node:crypto'
import { createFailedTokens } from './failed-tokens.ts'
import { Refusal } from './refusal.ts'

/** What of a request says who asks. */
export type Asker = {
  readonly headers: {
    readonly host?: string | undefined
    readonly authorization?: string | undefined
    /** Browsers say with these who asks; nothing else sends them. */
    readonly 'sec-fetch-site'?: string | undefined
    readonly 'sec-fetch-mode'?: string | undefined
    readonly 'sec-fetch-dest'?: string | undefined
  }
  /** The address it came from. */
  readonly ip: string
}

export type Guard = {
  /** Throws a Refusal where the Host header does not name this server. */
  readonly checkHost: (asker: Asker) => void
  /** Throws a Refusal where a page of another site asks. */
  readonly checkSite: (asker: Asker) => void
  /** Throws a Refusal where a read needs the token and does not bring it. */
  readonly checkRead: (asker: Asker) => void
  /** Throws a Refusal where a command does not bring the token. */
  readonly checkCommand: (asker: Asker) => void
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i

/**
 * Who may ask what. On loopback reads are open, and a Host header of another name is refused: a page on
 * the web could otherwise point its own name at this machine and read along (DNS rebinding). Anywhere
 * else the token is needed for reads too.
 */
export function createGuard(host: string, token: string | null): Guard {
  const loopback = LOOPBACK.test(host)
  const expected = token === null ? null : digest(token)
  const failed = createFailedTokens()
  const checkToken = ({ headers, ip }: Asker): void => {
    const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
    if (given !== undefined) failed.check(ip)
    if (given === undefined || expected === null || !timingSafeEqual(digest(given), expected)) {
      if (given !== undefined) failed.note(ip)
      const message =
        'this needs the header "Authorization: Bearer <token>" with http.token of the configuration; ' +
        'the commands of mizani bring it by themselves'
      throw new Refusal(401, 'unauthorized', message)
    }
  }
  return {
    checkHost({ headers }) {
      if (!loopback || LOOPBACK.test(nameOf(headers.host ?? ''))) return
      const message = `this server listens on ${host} only; ask it by that name, not through another one`
      throw new Refusal(421, 'wrong-host', message)
    },
    checkSite({ headers }) {
      const site = headers['sec-fetch-site'] ?? 'none'
      if (site === 'none' || site === 'same-origin') return
      // A link elsewhere may lead here: a person follows it. What a page asks for by itself it cannot read, but
      // thousands of such requests would keep everybody else of this address out.
      if (headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document') return
      throw new Refusal(
        403,
        'other-site',
        'a page of another site asks for this in your browser; it gets nothing',
      )
    },
    checkRead(asker) {
      if (loopback) return
      if (expected === null) throw noToken('reading from another machine')
      checkToken(asker)
    },
    checkCommand(asker) {
      if (expected === null) throw noToken('commanding over HTTP')
      checkToken(asker)
    },
  }
}

function noToken(what: string): Refusal {
  const message = `${what} is off: set http.token in the configuration, e.g. token: !env MIZANI_HTTP_TOKEN, and start again`
  return new Refusal(403, 'no-token-configured', message)
}

/** Digests have one length, so that the comparison takes the same time for every guess. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** The name in a Host header, without the port. */
function nameOf(hostHeader: string): string {
  return hostHeader.replace(/:\d+$/, '')
}
