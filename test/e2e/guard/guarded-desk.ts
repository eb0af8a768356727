import { readFileSync } from 'node:fs'
import { startSandbox } from '../../../src/simulator/sandbox/server/server.ts'
import { freePort } from '../../support/free-port.ts'
import { BUSY_VENUE, type ConfigPatch, positionFolder } from '../daemon/position-folder.ts'
import { runDaemon, type RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'

/** A venue, and a daemon and its guard as processes of their own. */
export type GuardedDesk = Awaited<ReturnType<typeof guardedDesk>>

/** What the venue quotes for us. */
type Quote = {
  readonly bidBps: number
  readonly askBps: number
  readonly quoteBid: boolean
  readonly quoteAsk: boolean
}

export const SAFE_BPS = 500

export async function guardedDesk(guard: ConfigPatch = {}, more: ConfigPatch = {}) {
  const venue = await startSandbox({ ...BUSY_VENUE, seed: 5 })
  const folder = positionFolder(venue.url)
  const [port, guardPort] = [await freePort(), await freePort()]
  const sections = {
    http: { port, token: '!env MIZANI_HTTP_TOKEN' },
    guard: { port: guardPort, ...guard },
    ...more,
  }
  const config = folder.configure(sections)
  async function quote(): Promise<Quote> {
    const answer = await fetch(`${venue.url}/sandbox/state`, { signal: AbortSignal.timeout(10_000) })
    return ((await answer.json()) as { readonly quote: Quote }).quote
  }
  async function isSafe(): Promise<boolean> {
    const { bidBps, askBps } = await quote()
    return bidBps === SAFE_BPS && askBps === SAFE_BPS
  }
  const start = (
    command: readonly string[],
    env: Readonly<Record<string, string>> | undefined,
    configs: readonly string[],
    under: readonly string[] = [],
  ) => runDaemon({ configs, command, under, ...(env === undefined ? {} : { env }) })
  /** The configuration of one of the two that meets something else than the other one, in a file of its own. */
  function ownConfig(name: string, change: ConfigPatch | undefined): readonly string[] {
    if (change === undefined) return [config]
    const text = readFileSync(folder.configure({ ...sections, ...change }), 'utf8')
    folder.configure(sections)
    return [folder.write(`${name}.yaml`, text)]
  }
  async function close(): Promise<void> {
    await venue.close()
    folder.remove()
  }
  return {
    venue,
    folder,
    config,
    guardPort,
    quote,
    isSafe,
    /** `under`: what starts the process, such as `ip netns exec NAME`. */
    startDaemon: (env?: Readonly<Record<string, string>>, change?: ConfigPatch, under?: readonly string[]) =>
      start(['run'], env, ownConfig('daemon', change), under),
    async startGuard(env?: Readonly<Record<string, string>>, change?: ConfigPatch): Promise<RunningDaemon> {
      const process = start(['guard'], env, ownConfig('guard', change))
      await until('the guard listens', () => process.output().includes('"msg":"guarding"'), {
        otherwise: () => Promise.resolve(process.errors()),
      })
      return process
    },
    /** The daemon quotes as its strategy wants, under a lease. */
    async quoting(daemon: RunningDaemon): Promise<void> {
      await until(
        'the daemon quotes under a lease',
        async () => {
          const { guard: lease } = await daemon.state()
          const { bidBps, askBps } = await quote()
          return lease?.watch === 'held' && bidBps === 60 && askBps === 70
        },
        { otherwise: () => daemon.state() },
      )
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
