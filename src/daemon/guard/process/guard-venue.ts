import { err, ok, type Result } from '../../../base/result.ts'
import { SECOND_MS, type Ms } from '../../../base/time.ts'
import { allowedMethods, otherMethod } from '../../../base/http/methods.ts'
import { MAX_SPREAD_BPS } from '../../../base/money/bps.ts'
import { fieldsOf } from '../../../base/record.ts'
import type { Side } from '../../../base/money/side.ts'
import type { Link, LinkAnswer } from '../link.ts'
import type { SafeWrite, WriteOutcome } from '../position/ladder.ts'
import type { GuardDialect, ListedToken, PreparedRequest } from '../../../venue/wire/guard.ts'
import type { PositionSettings } from './settings.ts'

/** The guard's writes and reads at the venue for one position. Does not retry. Never rejects. */
export type GuardVenue = {
  readonly write: (what: SafeWrite) => Promise<WriteOutcome>
  readonly deactivate: () => Promise<WriteOutcome>
  /** The spread that the venue quotes for us on a side, in bps. */
  readonly readSide: (side: Side) => Promise<Result<number, Unread>>
  /** Null = the read failed. */
  readonly readActive: () => Promise<boolean | null>
}

/** Why a read failed. */
export type Unread = {
  /** A write would fail too: the key is missing, or the venue is unreachable, broken or rejects the key. */
  readonly blocksWrites: boolean
  readonly words: string
}

type GuardVenueParts = {
  readonly settings: Pick<PositionSettings, 'requests' | 'writeTimeoutMs' | 'slowTimeoutMs'>
  /** How this kind of venue words its answers. */
  readonly dialect: GuardDialect
  readonly link: Link
  /** Read for each request, so that an exchanged key takes effect at once. */
  readonly apiKey: () => Result<string, string>
  readonly traffic: VenueTraffic
}

/** Notified of every request sent and every answer received. */
export type VenueTraffic = {
  readonly onRequest: () => void
  readonly onAnswer: (answer: Pick<LinkAnswer, 'status' | 'headers'>) => void
}

const READ_TIMEOUT_MS: Ms = SECOND_MS
const REFUSES_KEY: ReadonlySet<number> = new Set([401, 403])

export function createGuardVenue({ settings, ...parts }: GuardVenueParts): GuardVenue {
  const { requests, writeTimeoutMs, slowTimeoutMs } = settings
  const { dialect } = parts
  const send = createGuardSender(parts)

  async function read(request: PreparedRequest): Promise<Result<Readonly<Record<string, unknown>>, Unread>> {
    const answer = await send(request, READ_TIMEOUT_MS)
    if (!answer.ok) return err({ blocksWrites: true, words: answer.error })
    const { status, text } = answer.value
    if (status === 200) return ok(parsedFields(text))
    const words = refusalOf(dialect, answer.value)?.words ?? `the venue answers ${status}`
    return err({ blocksWrites: REFUSES_KEY.has(status) || status >= 500, words })
  }

  return {
    async write(what) {
      const request = requests[what]
      const answer = await send(request, writeTimeoutMs)
      if (!answer.ok) return { kind: 'failed', words: answer.error }
      const refused = refusalOf(dialect, answer.value)
      if (refused !== null) return refused
      return writtenOutcome(dialect, what, parsedFields(answer.value.text), parsedFields(request.body ?? ''))
    },
    async deactivate() {
      const answer = await send(requests.deactivate, slowTimeoutMs)
      if (!answer.ok) return { kind: 'failed', words: answer.error }
      const seen = dialect.readDeactivation(answer.value.status, parsedFields(answer.value.text))
      if (seen.kind === 'inactive') return { kind: 'done', words: 'the account is inactive' }
      if (seen.kind === 'out')
        return seen.returned === 0
          ? { kind: 'done', words: 'all is out, and nothing more was returned' }
          : { kind: 'done', hasReturned: true, words: `${seen.returned} tokens were returned` }
      if (seen.kind === 'partial') return partOf(seen.kept)
      return (
        refusalOf(dialect, answer.value) ?? {
          kind: 'failed',
          words: 'the answer does not show that the position is out',
        }
      )
    },
    async readSide(side) {
      const fields = await read(side === 'bid' ? requests.readBid : requests.readAsk)
      if (!fields.ok) return fields
      const bps = dialect.spreadOf(fields.value)
      return bps === null
        ? err({ blocksWrites: false, words: 'the answer of the venue names no spread' })
        : ok(bps)
    },
    async readActive() {
      const answer = await read(requests.account)
      return answer.ok ? dialect.isActive(answer.value) : null
    },
  }
}

function partOf(kept: readonly ListedToken[]): WriteOutcome {
  const words = kept.map(
    ({ token, amount, reason }) => `${amount === null ? '' : `${amount} `}${token} (${reason})`,
  )
  if (words.length === 0) return { kind: 'failed', words: 'only a part came back from the pool' }
  // Leave out the amount, which may change with every call: equal tokens and reasons are an equal answer.
  const reasons = kept
    .map(({ token, reason }) => `${token}: ${reason}`)
    .toSorted()
    .join('; ')
  return { kind: 'failed', reasons, words: `the venue keeps ${words.join(', ')}` }
}

/** Sends a prepared request with the key. Repeats a write once with another method if the venue answers 405. */
function createGuardSender({ dialect, link, apiKey, traffic }: Omit<GuardVenueParts, 'settings'>) {
  const methods = new Map<PreparedRequest, string>()

  async function send(request: PreparedRequest, timeoutMs: Ms): Promise<Result<LinkAnswer, string>> {
    const key = apiKey()
    if (!key.ok) return key
    const { path, body } = request
    const method = methods.get(request) ?? request.method
    const answer = await exchange({ path, body, method }, key.value, timeoutMs)
    if (!answer.ok || answer.value.status !== 405 || body === null || methods.has(request)) return answer
    const named = allowedMethods(answer.value) ?? (await namedByOptions(path, key.value))
    const other = otherMethod(method, named)
    if (other === null) return answer
    methods.set(request, other)
    return send(request, timeoutMs)
  }

  async function exchange({ method, path, body }: PreparedRequest, key: string, timeoutMs: Ms) {
    traffic.onRequest()
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...dialect.keyHeaders(key),
    }
    if (body !== null) headers['content-type'] = 'application/json'
    const answer = await link.send({ method, path, headers, body, timeoutMs })
    if (answer.ok) traffic.onAnswer(answer.value)
    return answer
  }

  async function namedByOptions(path: string, key: string): Promise<readonly string[] | null> {
    const answer = await exchange({ method: 'OPTIONS', path, body: null }, key, READ_TIMEOUT_MS)
    return answer.ok ? allowedMethods(answer.value) : null
  }
  return send
}

function refusalOf(dialect: GuardDialect, { status, text }: LinkAnswer): WriteOutcome | null {
  if (REFUSES_KEY.has(status)) return { kind: 'refused-key', words: `the venue refuses the key (${status})` }
  if (status >= 200 && status <= 299) return null
  const code = dialect.codeOf(parsedFields(text))
  const shown = code === null ? '' : `, ${code}`
  return { kind: status === 429 ? 'limited' : 'failed', words: `the venue answers ${status}${shown}` }
}

type Fields = Readonly<Record<string, unknown>>

/** Returns the outcome of a write. For a side to be closed, the venue may confirm only the widest spread. */
function writtenOutcome(dialect: GuardDialect, what: SafeWrite, held: Fields, asked: Fields): WriteOutcome {
  if (!dialect.confirms(held, asked))
    return { kind: 'failed', words: 'the venue answers with another spread than it was asked for' }
  if (what === 'safe' || dialect.isClosed(held, what === 'bid-off' ? 'bid' : 'ask'))
    return { kind: 'done', words: 'confirmed' }
  const words = `confirmed at ${MAX_SPREAD_BPS} bps; this venue does not state that the side is closed`
  return { kind: 'done', isSideOpen: true, words }
}

/** Returns the fields of a JSON object; empty if the text is not one. */
function parsedFields(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}
