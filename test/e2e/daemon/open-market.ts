import type { SandboxOptionsInput } from '../../../src/simulator/sandbox/options.ts'
import { startSandbox, type SandboxServer } from '../../../src/simulator/sandbox/server/server.ts'
import {
  BUSY_VENUE,
  MORNING,
  positionFolder,
  type ConfigPatch,
  type PositionFolder,
} from './position-folder.ts'
import { runDaemon, type RunningDaemon } from './running-daemon.ts'
import { until } from './until.ts'

export type StandingQuote = {
  readonly bidBps: number
  readonly askBps: number
  readonly isActive: boolean
}

export type Market = AsyncDisposable & {
  readonly venue: SandboxServer
  readonly folder: PositionFolder
  readonly config: string
  /** A daemon on this configuration; its position may be new or known to the store. */
  readonly start: (env?: Readonly<Record<string, string>>) => RunningDaemon
  /** Waits until the venue itself holds this quote. */
  readonly quoted: (bidBps: number, askBps: number, isActive?: boolean) => Promise<unknown>
  readonly close: () => Promise<void>
}

/** A venue of its own and a position at it. The position is active and the world quiet unless told otherwise. */
export async function openMarket(
  options: SandboxOptionsInput = {},
  patch: ConfigPatch = {},
  name = 'desk-1',
): Promise<Market> {
  const venue = await startSandbox({
    ...BUSY_VENUE,
    startMs: MORNING,
    isActive: true,
    activationDelayMs: 50,
    ...options,
  })
  const folder = positionFolder(venue.url, name)
  const config = folder.configure(patch)
  const { ours } = venue.model.state
  async function close(): Promise<void> {
    await venue.close()
    folder.remove()
  }
  return {
    venue,
    folder,
    config,
    start: (env = {}) => runDaemon({ configs: [config], env }),
    quoted: (bidBps, askBps, isActive = true) =>
      until(
        `the venue quotes bid ${bidBps} ask ${askBps}, ${isActive ? 'active' : 'inactive'}`,
        () => ours.bidBps === bidBps && ours.askBps === askBps && ours.isActive === isActive,
        { otherwise: () => quoteOf(venue) },
      ),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The quote that stands at the venue, as the venue has it now. */
export async function quoteOf({ url }: SandboxServer): Promise<StandingQuote> {
  // The control API first lets everything happen that is due by now.
  const answer = await fetch(`${url}/sandbox/state`)
  if (answer.status !== 200) throw new Error(`the venue's state: ${answer.status} ${await answer.text()}`)
  const { quote, isActive } = (await answer.json()) as {
    quote: Omit<StandingQuote, 'isActive'>
    isActive: boolean
  }
  return { bidBps: quote.bidBps, askBps: quote.askBps, isActive }
}
