import type { Ms } from '../../../../src/base/time.ts'
import type { OperatorCommand } from '../../../../src/core/engine/model/event.ts'
import type { EngineState } from '../../../../src/core/engine/model/state.ts'
import { emergencyWiden, widenAfter } from '../../../../src/daemon/runtime/effects/emergency-widen.ts'
import { createPositionHold, type PositionHold } from '../../../../src/daemon/runtime/lease/position-hold.ts'
import { postgresFailureOf } from '../../../../src/store/postgres/failure.ts'
import { handOver, isStoodBy } from '../../../../src/store/postgres/hand-over.ts'
import { type Holding, holdPosition, letGo } from '../../../../src/store/postgres/holding.ts'
import { sendMessage } from '../../../../src/store/postgres/pool.ts'
import { renewEvery, type Renewing } from '../../../../src/store/postgres/renewing.ts'
import { DEFAULT_TERMS } from '../../../../src/core/lease/terms.ts'
import { takePosition } from '../../../../src/store/postgres/take-position.ts'
import { holdTerms } from '../../../../src/store/postgres/terms.ts'
import { pauseFor, type Timing } from '../../../../src/base/threads/timing.ts'
import type { WriteGate } from '../../../../src/venue/port.ts'
import { createVenueCalls } from '../../../../src/venue/endpoints.ts'
import type { Machine } from '../guard/machine.ts'
import type { Network } from '../guard/network.ts'
import type { HandOverBug } from './bugs.ts'
import { type DatabaseServer, ProcessConnections } from './connections.ts'
import type { StoredJournal } from './database.ts'
import { Desk } from './desk.ts'
import { CONFIG, PLACE } from './settings.ts'
import { READ_JOURNAL } from './statements.ts'
import { timingOf } from './timing.ts'
import { DeskClient, type DeskVenue, VENUE_SETTINGS } from './venue.ts'
import type { HandOverWatch } from './watch.ts'

const LEASE = { ...DEFAULT_TERMS, writeTimeoutMs: 1_000 }
const TERMS = holdTerms(LEASE)
const CALLS = createVenueCalls(VENUE_SETTINGS)
const READ_MS: Ms = 60_000
/** What `mizani run` gives a position to leave in order. */
const LEAVE_MS: Ms = 10_000
const SILENT = { fatal: () => undefined }

export type DaemonParts = {
  readonly machine: Machine
  readonly network: Network
  readonly server: DatabaseServer
  readonly venue: DeskVenue
  readonly watch: HandOverWatch
  readonly bug: HandOverBug
  /** A promise of the process has settled: what awaits it continues before anything else happens. */
  readonly onSettled: () => void
  /** The process has ended by itself. */
  readonly onEnd: () => void
}

/**
 * - `stands by`: nothing of the position is open yet; the product's first look is part of it.
 * - `trades`: from the grant on, while its journal is read as well.
 * - `stopped`: it has lost its journal, and at most sends the safe quote.
 * - `left`: it sends nothing more, and lets go.
 */
export type Phase = 'stands by' | 'trades' | 'stopped' | 'left'

/** One process of a daemon, from its start to its end: stands by, takes the position, trades, and leaves or loses it. */
export class DeskDaemon {
  phase: Phase = 'stands by'
  /** Whether the venue has confirmed the safe quote of a daemon that has lost its journal; null = it was not to send it. */
  isWidened: boolean | null = null
  /** A person has asked this process to enter the market. */
  wasTold = false
  holding: Holding | null = null
  desk: Desk | null = null
  readonly parts: DaemonParts
  readonly holder: string
  readonly connections: ProcessConnections
  readonly #timing: Timing
  readonly #hold: PositionHold
  readonly #gate: WriteGate
  readonly #client: DeskClient
  readonly #ending = new AbortController()
  readonly #started: Promise<void>
  #renewing: Renewing | null = null

  constructor(parts: DaemonParts) {
    this.parts = parts
    const { machine, network, venue, watch, onSettled } = parts
    this.holder = `${machine.name} process ${machine.life}`
    this.#timing = timingOf(machine, onSettled)
    this.connections = new ProcessConnections(parts)
    this.#hold = createPositionHold(LEASE, this.#timing)
    const { gate } = this.#hold
    this.#gate = parts.bug.writesAlways === true ? { ...gate, mayStart: () => this.fence > 0 } : gate
    const onWrite = watch.writesOf(this)
    this.#client = new DeskClient({
      machine,
      network,
      venue,
      gate: this.#gate,
      queuesMs: parts.bug.queuesMs ?? 0,
      onSettled,
      onWrite,
    })
    this.#started = this.#start()
  }

  get fence(): number {
    return this.holding?.fence ?? 0
  }

  /** Whether a write would leave now. */
  mayWrite(): boolean {
    return this.phase !== 'left' && this.#gate.mayStart()
  }

  state(): EngineState | null {
    return this.desk?.state() ?? null
  }

  command(command: OperatorCommand): void {
    if (this.phase !== 'trades') return
    if (command.name === 'activate') {
      this.wasTold = true
      this.parts.watch.asked()
    }
    this.desk?.command(command)
  }

  /** SIGTERM. */
  async leave(): Promise<void> {
    this.#ending.abort()
    await this.#started
    const { desk, holding, parts } = this
    if (desk === null || holding === null || this.phase !== 'trades') return
    const isLeftToAnother = await isStoodBy(holding)
    const left = await (isLeftToAnother ? desk.handOver(LEAVE_MS) : desk.shutdown(LEAVE_MS))
    if (this.phase !== 'trades') return
    this.#hold.close()
    this.phase = isLeftToAnother ? 'stopped' : 'left'
    await desk.flush()
    this.#renewing?.stop()
    if (parts.bug.neverLetsGo !== true) {
      const isSafe = isLeftToAnother ? await this.#handOver(holding) : left.settled
      parts.watch.left(this, isSafe)
    }
    this.#client.isClosed = true
    this.phase = 'left'
    if (parts.bug.neverLetsGo !== true) await letGo(holding).catch(() => undefined)
    parts.onEnd()
  }

  /** As the product does it. Gives whether the venue has confirmed the safe quote, or did not want it. */
  async #handOver(holding: Holding): Promise<boolean> {
    if ((await handOver(holding)) || this.parts.bug.forgetsTheQuote === true) return false
    let isRefused = false
    const spread = async (quote: Parameters<typeof CALLS.spread>[0]) => {
      const outcome = await this.#client.send(CALLS.spread(quote))
      // The venue has answered, and did not want it: its limit of requests is used up.
      isRefused ||= !outcome.ok && outcome.error.status !== null
      return outcome
    }
    const wait = (ms: Ms) => pauseFor(this.#timing, ms)
    return (await emergencyWiden({ spread }, CONFIG, SILENT, wait)) === 'safe' || isRefused
  }

  async #start(): Promise<void> {
    const { bug, machine, onEnd } = this.parts
    if (bug.startsOnce === true && machine.life > 1) return
    const pool = this.connections
    const standBy = { onHeld: () => undefined, signal: this.#ending.signal }
    const waitMs = bug.waitMs ?? TERMS.waitMs
    const timing = this.#timing
    const taken = await takePosition({ pool, place: PLACE, holder: this.holder, waitMs, standBy, timing })
    if (!taken.ok) return onEnd()
    this.phase = 'trades'
    const lease = this.#hold.buffer
    const holding = holdPosition({ pool, place: PLACE, taken: taken.value, terms: TERMS, lease, timing })
    this.holding = holding
    this.#renewing = renewEvery(TERMS.renewMs, holding)
    try {
      const stored = await holding.untilAnswered(() => this.#read())
      this.desk = new Desk({
        ...this.parts,
        holding,
        stored,
        client: this.#client,
        timing,
        onLost: (error) => void this.#lose(error),
      })
      this.#hold.attach(this.desk)
      this.#renewing.onLost((error) => void this.#lose(error))
    } catch {
      this.#renewing.stop()
      this.phase = 'left'
      await letGo(holding).catch(() => undefined)
      onEnd()
    }
  }

  async #read(): Promise<StoredJournal> {
    const [read] = await sendMessage(this.connections, [READ_JOURNAL], READ_MS, this.#timing)
    return read?.rows[0] as unknown as StoredJournal
  }

  /** What cannot be journalled is not decided: nothing more goes out but the safe quote, and from a deposed one not even that. */
  async #lose(error: unknown): Promise<void> {
    if (this.phase !== 'trades') return
    this.phase = 'stopped'
    this.desk?.stop()
    const failure = postgresFailureOf(error, PLACE)
    if (failure.kind !== 'locked') this.isWidened = false
    const spread = async (quote: Parameters<typeof CALLS.spread>[0]) => {
      const outcome = await this.#client.send(CALLS.spread(quote))
      if (outcome.ok) this.isWidened = true
      // The venue has answered, and did not want it: its limit of requests is used up.
      else if (outcome.error.status !== null) this.isWidened = null
      return outcome
    }
    const wait = (ms: Ms) => pauseFor(this.#timing, ms)
    if (this.parts.bug.leavesQuote !== true) await widenAfter(failure, { spread }, CONFIG, SILENT, wait)
    this.#hold.close()
    this.parts.watch.ended(this)
    if (this.parts.bug.livesOn !== true) this.parts.onEnd()
  }
}
