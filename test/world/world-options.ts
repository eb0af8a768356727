import type { Ms } from '../../src/base/time.ts'
import type { CoreConfig } from '../../src/core/engine/model/config.ts'
import type { SandboxOptionsInput } from '../../src/simulator/sandbox/options.ts'

/**
 * Everything that makes one simulated world, drawn from one seed. Plain data: what a failing test prints is
 * all there is to know. Equal options give an equal world, event for event.
 */
export type WorldOptions = {
  readonly seed: number
  readonly venue: SandboxOptionsInput
  readonly config: CoreConfig
  readonly lengthMs: Ms
  /** The end of it, without faults, people or crashes: long enough for everything to settle. */
  readonly quietMs: Ms
  readonly network: {
    /** On the way to the venue; jitter stays under the second by which the budget's window is longer. */
    readonly thereMs: Ms
    readonly thereJitterMs: Ms
    /** On the way back: exponential. */
    readonly backMeanMs: Ms
    /** Answers come as text, as they do over HTTP, and not as objects. */
    readonly text: boolean
  }
  readonly daemon: {
    /**
     * Our clock less the venue's, and how far it may be set BACK between two processes. Set forward, no
     * budget kept on it could know that the last minute was shorter than it looks.
     */
    readonly clockSkewMs: Ms
    readonly clockStepMs: Ms
    readonly requestTimeoutMs: Ms
    readonly slowTimeoutMs: Ms
    /** Until an event is on disk; what it brought about waits so long. */
    readonly journalMs: Ms
    readonly tickLateMs: Ms
    readonly snapshotEveryEvents: number
    readonly crashesPerDay: number
    readonly downMeanMs: Ms
  }
  readonly people: {
    readonly commandsPerDay: number
    /** How long it takes until someone looks at a halt or a pause; then it is resumed. */
    readonly resumeAfterMeanMs: Ms
    readonly reloadsPerDay: number
    /** Someone sets the spread or the activation in the dashboard, behind the daemon's back. */
    readonly dashboardPerDay: number
  }
  readonly mischief: {
    /** Tokens that come in unannounced, and tokens that go. */
    readonly depositsPerDay: number
    readonly theftsPerDay: number
    readonly midJumpsPerDay: number
    readonly notQuotablePerDay: number
    readonly outagesPerDay: number
    /** The pool cannot return a token for a while. */
    readonly shortfallsPerDay: number
    readonly suspensionsPerDay: number
    /** The key is refused for a while (401). */
    readonly revocationsPerDay: number
    /** The venue's answers about its price are untrue for a while. */
    readonly liesPerDay: number
    /** Someone sets the machine's clock by minutes or days while the daemon runs, and later back. */
    readonly clockJumpsPerDay: number
  }
}
