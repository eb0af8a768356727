import { err, ok } from '../../../../src/base/result.ts'
import type { Ms } from '../../../../src/base/time.ts'
import { emptyRecord, type GuardRecord } from '../../../../src/daemon/guard/position/record.ts'
import type { WriteOutcome } from '../../../../src/daemon/guard/position/ladder.ts'
import { type AllPositions, createAllPositions } from '../../../../src/daemon/guard/process/all-positions.ts'
import type { PositionSettings } from '../../../../src/daemon/guard/process/settings.ts'
import type { GuardVenue, VenueTraffic } from '../../../../src/daemon/guard/process/guard-venue.ts'
import { watchPosition } from '../../../../src/daemon/guard/process/watch-position.ts'
import {
  type PositionAnswer,
  type PositionRenewal,
  PROTOCOL_VERSION,
} from '../../../../src/daemon/guard/protocol/renewal.ts'
import { DEFAULT_TERMS } from '../../../../src/core/lease/terms.ts'
import { recordingReport } from '../../../support/recording-report.ts'
import type { LeaseBug } from './bugs.ts'
import type { Machine } from './machine.ts'
import { exchange, type Network } from './network.ts'
import { type Quote, type QuoteVenue, SAFE_BPS, SAFE_QUOTE, type VenueWrite } from './venue.ts'
import type { LeaseWatch } from './watch.ts'

const LINK = 'guard-venue'
const TICK_MS: Ms = 200
const WRITE_TIMEOUT_MS: Ms = 1_000
const READ_TIMEOUT_MS: Ms = 1_000
const SLOW_TIMEOUT_MS: Ms = 10_000

const NO_REQUEST = { method: 'GET', path: '/', body: null }
const SETTINGS: PositionSettings = {
  name: 'position',
  configFile: 'position.yaml',
  waitMs: DEFAULT_TERMS.waitMs,
  renewMs: 1_000,
  handBack: 'auto',
  safeBps: SAFE_BPS,
  closeSideAfterMs: 60_000,
  deactivateAfterMs: 15 * 60_000,
  acts: true,
  actsNot: null,
  origin: 'http://venue.invalid',
  apiKey: { kind: 'env', where: 'KEY' },
  writeTimeoutMs: WRITE_TIMEOUT_MS,
  slowTimeoutMs: SLOW_TIMEOUT_MS,
  requestsPerMinute: 60,
  venueKind: 'lp',
  requests: {
    safe: NO_REQUEST,
    'bid-off': NO_REQUEST,
    'ask-off': NO_REQUEST,
    readBid: NO_REQUEST,
    readAsk: NO_REQUEST,
    deactivate: NO_REQUEST,
    account: NO_REQUEST,
  },
  hasNotify: false,
  alert: { repeatMs: null, escalateAfterMs: [] },
  whenSilent: 'safe',
  database: null,
}

/** What a process wrote before it died, and a network delivers afterwards. */
const OF_THE_DEAD: VenueWrite = {
  by: 'the dead',
  quote: { bidBps: 40, askBps: 40, quoteBid: true, quoteAsk: true },
}

export type GuardParts = {
  readonly machine: Machine
  readonly network: Network
  readonly venue: QuoteVenue
  readonly watch: LeaseWatch
  readonly bug: LeaseBug
  /** A promise of the guard has settled: what awaits it continues before anything else happens. */
  readonly onSettled: () => void
}

/** The real guard over all its processes: grants, ladder and watch of the product, in virtual time and with a disk. */
export class SimulatedGuard {
  firings = 0
  readonly #parts: GuardParts
  #disk: GuardRecord = emptyRecord()
  #positions: AllPositions | null = null

  constructor(parts: GuardParts) {
    this.#parts = parts
  }

  start(): void {
    const { machine, bug } = this.#parts
    machine.start()
    const kept = bug.guardForgets === true ? emptyRecord() : structuredClone(this.#disk)
    let hasChanged = false
    const clock = { now: () => machine.moment().steadyMs, wall: () => machine.moment().wallMs }
    const { report } = recordingReport((code) => void (this.firings += code === 'guard-fired' ? 1 : 0))
    // A side that is set again each minute would hide for most of it what no reading shows.
    const closeSideAfterMs = bug.guardReadsSafe === true ? null : SETTINGS.closeSideAfterMs
    const openClient = ({ onRequest }: VenueTraffic) => this.#openClient(onRequest)
    const position = watchPosition({
      settings: { ...SETTINGS, closeSideAfterMs, waitMs: bug.guardWaitsMs ?? SETTINGS.waitMs },
      kept,
      openClient,
      report,
      clock,
      onChange: () => void (hasChanged = true),
      rows: null,
    })
    this.#positions = createAllPositions({
      positions: new Map([[SETTINGS.name, position]]),
      kept: {
        save: () => {
          this.#disk = structuredClone(kept)
          return ok(null)
        },
      },
      report,
      clock,
      hasChanged() {
        const had = hasChanged
        hasChanged = false
        return had
      },
    })
    if (bug.guardNeverTicks !== true) this.#tick()
  }

  /** Its answer to a renewal; null = it is not there. */
  renew(renewal: PositionRenewal, holder: string, deadlineMs: Ms): PositionAnswer | null {
    if (!this.#parts.machine.isRunning() || this.#positions === null) return null
    const before = this.#disk.fence
    const answer = this.#positions.renew({
      version: PROTOCOL_VERSION,
      holder,
      deadlineMs,
      positions: [renewal],
    })
    const [granted] = answer?.positions ?? []
    if (granted === undefined) return null
    if (granted.fence !== null) this.#parts.watch.gaveOut(granted.fence, granted.fence !== before)
    return granted
  }

  release(): void {
    this.#positions?.release(null)
  }

  /** What `mizani guard status` shows; null = no process. */
  status(): ReturnType<AllPositions['status']>[number] | null {
    if (!this.#parts.machine.isRunning()) return null
    return this.#positions?.status()[0] ?? null
  }

  get holder(): string | null {
    return this.#disk.holder
  }

  #tick(): void {
    this.#positions?.tick()
    this.#parts.machine.later(TICK_MS, () => this.#tick())
  }

  #openClient(onRequest: () => void): GuardVenue {
    const { venue, bug } = this.#parts
    const side = (read: (quote: Quote) => number) =>
      this.#ask(onRequest, READ_TIMEOUT_MS, () => venue.read()).then((answer) =>
        answer === null || answer === 'error'
          ? err({ blocksWrites: true, words: answer ?? 'no answer' })
          : ok(bug.guardReadsSafe === true ? SAFE_BPS : read(answer.quote)),
      )
    return {
      write: (what) =>
        this.#write(onRequest, WRITE_TIMEOUT_MS, {
          by: 'guard',
          quote: { ...SAFE_QUOTE, quoteBid: what !== 'bid-off', quoteAsk: what !== 'ask-off' },
        }),
      deactivate: () => this.#write(onRequest, SLOW_TIMEOUT_MS, { by: 'guard', isActive: false }),
      readSide: (which) => side(({ bidBps, askBps }) => (which === 'bid' ? bidBps : askBps)),
      readActive: () =>
        this.#ask(onRequest, READ_TIMEOUT_MS, () => venue.read()).then((answer) =>
          answer === null || answer === 'error' ? null : answer.isActive,
        ),
    }
  }

  async #write(onRequest: () => void, timeoutMs: Ms, write: VenueWrite): Promise<WriteOutcome> {
    const { machine, watch, venue, bug } = this.#parts
    const ended = watch.writes({ by: 'guard', machine, fence: null, timeoutMs })
    const answer = await this.#ask(onRequest, timeoutMs, () => venue.write(write))
    ended()
    if (bug.guardReadsSafe === true) machine.later(WRITE_TIMEOUT_MS, () => venue.execute(OF_THE_DEAD))
    return answer === 'ok'
      ? { kind: 'done', words: 'confirmed' }
      : { kind: 'failed', words: answer ?? 'no answer' }
  }

  #ask<Answer>(onRequest: () => void, timeoutMs: Ms, handle: () => Answer): Promise<Answer | null> {
    const { machine, network, onSettled } = this.#parts
    onRequest()
    return new Promise((resolve) => {
      const done = (answer: Answer | null): void => {
        resolve(answer)
        onSettled()
      }
      exchange(network, { from: machine, link: LINK, handle, timeoutMs, done })
    })
  }
}
