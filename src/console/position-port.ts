import type { OperatorCommand } from '../engine/event.ts'
import type { PositionView } from '../engine/position-view.ts'

/** What a person may ask of a running position; ending the process is a signal's business. */
export type ConsoleCommand =
  | Exclude<OperatorCommand, { readonly name: 'shutdown' }>
  | { readonly name: 'reload' }

export type CommandAnswer = {
  readonly accepted: boolean
  /** A sentence: what happens now, or why not and what to do. */
  readonly answer: string
  /** What a command line that passes this on should exit with, where it is not 0 or 3. */
  readonly exitCode?: number
}

/**
 * A position as the console sees it: messages to its worker, never its memory. An answer that does not
 * come in time is null (or 'not ready'): one hung position must not hang the page of the others.
 */
export type PositionPort = {
  readonly name: string
  readonly view: () => Promise<PositionView | null>
  /** `registry.getMetricsAsJSON()` of the position's metrics. */
  readonly metricsJson: () => Promise<readonly object[] | null>
  readonly ready: () => Promise<{ readonly ready: boolean; readonly why: readonly string[] }>
  readonly command: (command: ConsoleCommand, who: string, why: string) => Promise<CommandAnswer>
  readonly health: () => { readonly alive: boolean; readonly why: string | null }
}
