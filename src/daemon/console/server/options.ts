import type { Credential } from '../auth/credentials.ts'
import type { PositionSummary } from '../../view/position-summary.ts'
import type { ConnectionLimits } from '../../../base/http/limit-connections.ts'
import type { PositionPort, ResearchPort } from '../position-port.ts'

/** The part of a position that a stop needs. */
export type StopPort = Pick<PositionPort, 'name' | 'command' | 'treasuryOrder'>

export type ConsoleOptions = {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  /** The tokens for POSTs and, except on loopback, for reads; empty = POSTs are refused. */
  readonly credentials: readonly Credential[]
  /** Reads on loopback need a token as well; default false. */
  readonly readsNeedToken?: boolean
  /** The current positions. Empty until they start: the port is bound before the first quote. */
  readonly positions: readonly PositionPort[]
  /** Ports through which positions that do not run can be stopped; default: none. */
  readonly absent?: () => readonly StopPort[]
  /** Resolves within a second with one line per position, including those that do not answer or do not run. */
  readonly summaries: () => Promise<readonly PositionSummary[]>
  /** Whether the process may have no position: it is then alive while it answers, whatever happens to its positions. */
  readonly isFleet?: boolean
  /** Whether a thread of the process can neither continue nor be ended. */
  readonly isStuck?: () => boolean
  /** Absent = the console starts no research. */
  readonly research?: ResearchPort
  readonly version: string
  /** Renders the text of GET /metrics. */
  readonly scrape: () => Promise<{ readonly contentType: string; readonly text: string }>
  /** Receives every failure that a client sees only as 'internal'. */
  readonly reportError: (error: unknown) => void
  /** How long a position may take to answer; default 2 s. */
  readonly answerWithinMs?: number
  /** How long the body of a stop is read; default 1 s. */
  readonly stopBodyMs?: number
  readonly limits?: Partial<ConnectionLimits>
}
