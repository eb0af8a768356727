import { startSandbox } from '../../../src/simulator/sandbox/server/server.ts'
import type { PostgresPlace } from '../../../src/store/place.ts'
import { freePort } from '../../support/free-port.ts'
import { BUSY_VENUE, MORNING, type ConfigPatch, positionFolder } from '../daemon/position-folder.ts'
import { runDaemon, type RunningDaemon } from '../daemon/running-daemon.ts'
import { stoppableWorld } from '../daemon/stoppable-world.ts'
import { until } from '../daemon/until.ts'
import { recordingProxy, type VenueWrite } from './recording-proxy.ts'
import { severableLink } from './severable-link.ts'

/** One position with its memory in PostgreSQL, and two machines that may trade it. */
export type SharedDesk = Awaited<ReturnType<typeof sharedDesk>>

export type Machine = 'a' | 'b'

export async function sharedDesk(databaseUrl: string, name: string, patch: ConfigPatch = {}, seed = 7) {
  const { world, stop } = stoppableWorld('normal', seed, MORNING, { alone: true, retailFactor: 20 })
  const venue = await startSandbox({ ...BUSY_VENUE, startMs: MORNING, speed: 30, seed }, world)
  const writes: VenueWrite[] = []
  const machines = { a: await machine('a'), b: await machine('b') }

  async function machine(who: Machine) {
    const proxy = await recordingProxy(who, venue.url, writes)
    const database = new URL(databaseUrl)
    const link = await severableLink({ host: database.hostname, port: Number(database.port) })
    database.port = String(link.port)
    const folder = positionFolder(proxy.url, name)
    const sections = {
      http: { port: await freePort() },
      guard: null,
      ...patch,
      store: { path: folder.store, postgres: database.href, ...(patch['store'] as object | undefined) },
    }
    const configure = (more: ConfigPatch = {}) => folder.configure({ ...sections, ...more })
    return { proxy, link, folder, configure, config: configure() }
  }

  return {
    venue,
    stopTrading: stop,
    configOf: (who: Machine): string => machines[who].config,
    /** Writes the file of a machine anew, with these sections instead. */
    reconfigure: (who: Machine, more: ConfigPatch): string => machines[who].configure(more),
    /** See `RecordingProxy`. */
    swallow: (who: Machine, path: string) => machines[who].proxy.swallow(path),
    /** The way of a machine to PostgreSQL. */
    linkOf: (who: Machine) => machines[who].link,
    writes,
    place: { url: databaseUrl, position: name, folder: machines.a.folder.store } as PostgresPlace,
    start: (who: Machine): RunningDaemon => runDaemon({ configs: [machines[who].config] }),
    async close(): Promise<void> {
      for (const { proxy, link, folder } of Object.values(machines)) {
        await proxy.close()
        link.close()
        folder.remove()
      }
      await venue.close()
    },
  }
}

type Ready = { readonly positions: readonly { readonly ready: boolean; readonly why: readonly string[] }[] }

/** Resolves once the daemon stands by, with its words. */
export function standsBy(daemon: RunningDaemon): Promise<string> {
  return until(
    'the daemon stands by',
    async () => {
      const body = (await answerOf(daemon, '/readyz'))?.body
      return (body as Ready | undefined)?.positions
        .flatMap(({ why }) => why)
        .find((why) => why.includes('stands by'))
    },
    { otherwise: () => daemon.output() + daemon.errors() },
  )
}

/** Resolves once the daemon itself has a quote that the venue has confirmed. */
export async function quotes(daemon: RunningDaemon): Promise<void> {
  await until(
    'the daemon has a confirmed quote',
    async () => {
      const { status, body } = (await answerOf(daemon, '/api/v1/state')) ?? NO_ANSWER
      const view = body as Partial<Awaited<ReturnType<RunningDaemon['state']>>>
      return status === 200 && view.quote?.status === 'confirmed' && view.tradingState === 'ACTIVE'
    },
    { otherwise: () => daemon.output() + daemon.errors() },
  )
}

const MOST_SAID = 4_000
const NO_ANSWER = { status: 0, body: {} }

/** Undefined where none comes: a process that was stopped closes connections when it wakes up. */
function answerOf(daemon: RunningDaemon, path: string) {
  return daemon.get(path).catch((error: unknown) => {
    const { exitCode } = daemon.child
    if (exitCode === null) return undefined
    const said = `${daemon.output()}${daemon.errors()}`.slice(-MOST_SAID)
    throw new Error(`the daemon ended with ${exitCode}: ${said}`, { cause: error })
  })
}
