import type { Ms } from '../../../../src/base/time.ts'
import type { Event } from '../../../../src/core/engine/model/event.ts'
import { readEvent } from '../../../../src/core/engine/upcast/written.ts'
import { ALREADY_THERE, DEPOSED, FAILED_OVER, HOLDER_LIVES } from '../../../../src/store/postgres/failure.ts'
import { SHARED_VERSION } from '../../../../src/store/postgres/shared-schema.ts'
import type { JournalRecord, Snapshot } from '../../../../src/store/store.ts'
import { readMessage, type Statement } from './statements.ts'

export type DatabaseParts = {
  readonly now: () => Ms
  readonly onGrant: (granted: {
    readonly n: number
    readonly before: number
    readonly holder: string
  }) => void
  readonly onAppend: (n: number, fence: number) => void
  /** A planted bug: the number of an append is not compared. */
  readonly appendsUnderAnyNumber: boolean
}

export type Rows = readonly { readonly rows: readonly object[]; readonly rowCount: number }[]

/** What a restart reads. */
export type StoredJournal = {
  readonly snapshot: Snapshot | null
  readonly tail: readonly JournalRecord[]
  readonly lastSeq: number
}

type Tables = {
  fence: number
  holder: string | null
  /** The number that the beat belongs to, and how often it has beaten. */
  beatOf: number
  count: number
  waitMs: Ms
  standby: ReadonlyMap<string, number>
  journalRows: number
  snapshots: readonly Snapshot[]
}

/** A replica that lags is behind by this much at most. */
const MOST_LAG_MS: Ms = 3_000

/** A refusal with PostgreSQL's code. */
export function databaseError(code: string, words: string): Error {
  return Object.assign(new Error(words), code === '' ? {} : { code })
}

/** The rows of one position and its journal, each message a transaction: what `fence.ts` and `writer.ts` ask of PostgreSQL. */
export class Database {
  timeline = 1
  readonly #parts: DatabaseParts
  /** Read once someone needs them. */
  readonly #journal: (string | Event)[] = []
  #tables: Tables = {
    fence: 0,
    holder: null,
    beatOf: 0,
    count: 0,
    waitMs: 0,
    standby: new Map(),
    journalRows: 0,
    snapshots: [],
  }
  /** What was there before each of the latest commits: a replica that lagged has only that. */
  #before: { readonly at: Ms; readonly tables: Tables }[] = []

  constructor(parts: DatabaseParts) {
    this.#parts = parts
  }

  get fence(): number {
    return this.#tables.fence
  }

  /** Null = it was released. */
  get holder(): string | null {
    return this.#tables.holder
  }

  standsBy(holder: string): boolean {
    return this.#tables.standby.has(holder)
  }

  /** As a restart reads it, or all of it. */
  journal(isWhole = false): StoredJournal {
    const { snapshots, journalRows } = this.#tables
    const snapshot = isWhole ? null : (snapshots.at(-1) ?? null)
    const from = snapshot?.seq ?? 0
    const tail = Array.from({ length: journalRows - from }, (_, index) => ({
      seq: from + index + 1,
      event: this.#event(from + index),
    }))
    return { snapshot, tail, lastSeq: journalRows }
  }

  /** One message, which is one transaction: all of it, or an error and nothing. */
  run(text: string): Rows {
    const before = this.#tables
    const rowsBefore = this.#journal.length
    this.#tables = { ...before }
    try {
      const results = readMessage(text).map((statement) => this.#execute(statement))
      this.#remember(before)
      return results
    } catch (error) {
      this.#tables = before
      this.#journal.length = rowsBefore
      throw error
    }
  }

  /** Another server is the primary now, which has what was committed until a moment ago. Gives how many events it has not. */
  failOver(lagMs: Ms): number {
    const before = this.#tables.journalRows
    const from = this.#parts.now() - Math.min(lagMs, MOST_LAG_MS)
    const lost = this.#before.find(({ at }) => at > from)
    if (lost !== undefined) this.#tables = lost.tables
    this.#journal.length = this.#tables.journalRows
    this.#before = []
    this.timeline += 1
    return before - this.#tables.journalRows
  }

  #event(index: number): Event {
    const kept = this.#journal[index] ?? ''
    if (typeof kept !== 'string') return kept
    const event = readEvent(kept)
    this.#journal[index] = event
    return event
  }

  #remember(before: Tables): void {
    const at = this.#parts.now()
    this.#before.push({ at, tables: before })
    while ((this.#before[0]?.at ?? at) < at - MOST_LAG_MS) this.#before.shift()
  }

  #execute(statement: Statement): Rows[number] {
    const tables = this.#tables
    switch (statement.do) {
      case 'nothing':
        return { rows: [], rowCount: 0 }
      case 'is-versioned':
        return row({ there: 'mizani.version' })
      case 'shared-version':
        return row({ version: SHARED_VERSION, oldest: 0 })
      case 'look': {
        const { fence: n, count, holder, waitMs } = tables
        return row({ n, count, holder, waitMs, timeline: this.timeline })
      }
      case 'wait':
        tables.waitMs = statement.waitMs
        return row({})
      case 'announce': {
        const { who } = statement
        tables.standby = new Map(tables.standby).set(who, (tables.standby.get(who) ?? 0) + 1)
        return row({})
      }
      case 'stand-by-no-more':
        tables.standby = new Map([...tables.standby].filter(([who]) => who !== statement.who))
        return row({})
      case 'forget-standbys':
        tables.standby = new Map()
        return row({})
      case 'who-stands-by': {
        const rows = [...tables.standby].map(([holder, count]) => ({ holder, count }))
        return { rows, rowCount: rows.length }
      }
      case 'take':
        return row({ n: this.#grant(statement) })
      case 'beat': {
        const isHeld = tables.beatOf === statement.n && this.#isOfTimeline(statement.n)
        if (isHeld) tables.count += 1
        return { rows: [], rowCount: Number(isHeld) }
      }
      case 'release':
        if (tables.beatOf === statement.n) tables.holder = null
        return row({})
      case 'reclaim': {
        const isHeld = tables.beatOf === statement.n && this.#isOfTimeline(statement.n)
        if (isHeld) Object.assign(tables, { holder: statement.holder, count: tables.count + 1 })
        return { rows: [], rowCount: Number(isHeld) }
      }
      case 'hold':
        this.#mustHold(statement.n)
        return row({})
      case 'append':
        for (const { seq, body } of statement.rows) this.#append(seq, body)
        return row({})
      case 'keep-snapshot':
        tables.snapshots = [...tables.snapshots.slice(-2), statement.snapshot]
        return row({})
      case 'ends':
        return row({ seq: tables.journalRows, treasury: 0 })
      case 'read-journal':
        return row(this.journal())
    }
  }

  #grant({ holder, n, count }: Extract<Statement, { do: 'take' }>): number {
    const tables = this.#tables
    const before = tables.fence
    if (before !== n) throw databaseError(HOLDER_LIVES, 'another daemon was faster')
    if (tables.beatOf !== n || tables.count !== count) throw databaseError(HOLDER_LIVES, 'its holder lives')
    const granted = Math.max(n + 1, this.timeline * 2 ** 32 + 1)
    Object.assign(tables, { fence: granted, holder, beatOf: granted, count: 0 })
    this.#parts.onGrant({ n: granted, before, holder })
    return granted
  }

  #mustHold(n: number): void {
    if (this.#parts.appendsUnderAnyNumber) return this.#parts.onAppend(n, this.#tables.fence)
    if (this.#tables.fence !== n) throw databaseError(DEPOSED, `the fence is no longer ${n}`)
    if (!this.#isOfTimeline(n)) throw databaseError(FAILED_OVER, `the fence ${n} is of a timeline before`)
    this.#parts.onAppend(n, this.#tables.fence)
  }

  #isOfTimeline(n: number): boolean {
    return Math.floor(n / 2 ** 32) >= this.timeline
  }

  #append(seq: number, body: string): void {
    if (seq <= this.#journal.length) throw databaseError(ALREADY_THERE, `event ${seq} is there already`)
    this.#journal.push(body)
    this.#tables.journalRows = seq
  }
}

function row(value: object): Rows[number] {
  return { rows: [value], rowCount: 1 }
}
