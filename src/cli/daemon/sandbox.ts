import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { readScenario } from '../../research/jobs/read-scenarios.ts'
import type { StartedChain } from '../../simulator/sandbox/chain/start-chain.ts'
import { startSandbox, type SandboxServer } from '../../simulator/sandbox/server/server.ts'
import { SandboxOptionsSchema, type SandboxOptionsInput } from '../../simulator/sandbox/options.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { fail, print, type OutputFormat } from '../output/print.ts'
import { venueLike } from '../../simulator/sandbox/venue-profile.ts'

type SandboxCommandOptions = OutputFormat &
  Pick<SandboxOptionsInput, 'port' | 'seed' | 'scenario' | 'retailFactor' | 'speed' | 'venue' | 'apiKey'> & {
    readonly lingerMs?: number
    readonly feedPort?: number
    readonly start?: Ms
    /** Puts the venue on a local chain with the real exchange. */
    readonly chain?: boolean
    readonly chainPort?: number
    readonly solver?: 'soon' | 'late' | 'never'
    readonly fillEveryMs?: number
    readonly fillParts?: number
    /** Receiver of the partner API's events. */
    readonly webhooks?: string
    readonly liveKey?: string
    /** Bank transfers and till payments wait until a control route pays them. */
    readonly payByHand?: boolean
    /** A profile of a venue, see `mizani conformance`. */
    readonly like?: string
    /** A file with any option of the venue. */
    readonly options?: string
    /** The options given on the command line, which take precedence over the file. */
    readonly given?: ReadonlySet<string>
  }

/** Runs the simulated venue until a signal ends it or, with `lingerMs`, until no request has come for that long. */
export async function sandbox(options: SandboxCommandOptions): Promise<void> {
  const { lingerMs, json, chain, chainPort } = options
  const world = worldOf(options)
  if (!world.ok) return fail({ json }, EXIT_CODE.usage, world.error)
  const scenario = readScenario(world.value.scenario ?? 'normal')
  if (!scenario.ok) return fail({ json }, EXIT_CODE.usage, `scenario: ${scenario.error}`)
  const wanted = world.value
  const venue =
    chain === true ? await listenOnChain(wanted, chainPort ?? 0, { json }) : await listen(wanted, { json })
  if (venue === null) return
  const { server, chainUrl } = venue
  // Registered before the first line is printed, because its reader may send a signal at once.
  const ended = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
    if (lingerMs !== undefined) whenIdle(server, lingerMs, resolve)
  })
  const { feedUrl } = server
  const lines = [
    `listening ${server.url}`,
    ...(chainUrl === null ? [] : [`chain ${chainUrl}`]),
    ...(feedUrl === null ? [] : [`feed ${feedUrl}`]),
  ]
  print({ json }, lines.join('\n'), {
    listening: server.url,
    ...(chainUrl === null ? {} : { chain: chainUrl }),
    ...(feedUrl === null ? {} : { feed: feedUrl }),
  })
  await ended
  await venue.close()
  process.exit(EXIT_CODE.ok)
}

/**
 * Returns the venue's options. Options given on the command line take precedence over the file, the file over a
 * profile, and that over the defaults of the command line.
 */
function worldOf(options: SandboxCommandOptions): Result<SandboxOptionsInput, string> {
  const { port, feedPort, seed, scenario, retailFactor, speed, venue, apiKey, start } = options
  const { solver, fillEveryMs, fillParts, webhooks, liveKey, payByHand } = options
  const like = venueLike(options.like)
  if (!like.ok) return like
  const own: Result<SandboxOptionsInput, string> =
    options.options === undefined ? ok({}) : readOptions(options.options)
  if (!own.ok) return own
  const file = { value: { ...like.value, ...own.value } }
  const pick = <Value>(name: string, line: Value, filed: Value | undefined): Value | undefined =>
    options.given?.has(name) === true || filed === undefined ? line : filed
  const filed = file.value
  return ok({
    ...filed,
    port: pick('port', port, filed.port),
    feedPort: pick('feedPort', feedPort ?? null, filed.feedPort),
    seed: pick('seed', seed, filed.seed),
    scenario: pick('scenario', scenario, filed.scenario),
    retailFactor: pick('retailFactor', retailFactor, filed.retailFactor),
    speed: pick('speed', speed, filed.speed),
    venue: pick('venue', venue, filed.venue),
    apiKey: pick('apiKey', apiKey, filed.apiKey),
    startMs: pick('start', start ?? null, filed.startMs),
    solver: {
      ...filed.solver,
      policy: pick('solver', solver, filed.solver?.policy),
      fillEveryMs: pick('fillEveryMs', fillEveryMs, filed.solver?.fillEveryMs),
      parts: pick('fillParts', fillParts, filed.solver?.parts),
    },
    partner: {
      ...filed.partner,
      ...(webhooks === undefined ? {} : { webhookUrl: webhooks }),
      ...(liveKey === undefined ? {} : { liveKey }),
      settings: {
        ...filed.partner?.settings,
        ...(payByHand === true ? { paysInstructions: false } : {}),
      },
    },
  })
}

function readOptions(file: string): Result<SandboxOptionsInput, string> {
  let data: unknown
  try {
    data = parse(readFileSync(file, 'utf8'))
  } catch (thrown) {
    return err(`${file}: ${errorText(thrown)}`)
  }
  const parsed = SandboxOptionsSchema.safeParse(data ?? {})
  if (parsed.success) return ok((data ?? {}) as SandboxOptionsInput)
  return err(
    parsed.error.issues.map(({ path, message }) => `${file}: ${path.join('.')}: ${message}`).join('\n'),
  )
}

type Listening = {
  readonly server: SandboxServer
  readonly chainUrl: string | null
  readonly close: () => Promise<void>
}

/** Time on a chain is real time, so neither another speed nor another start is possible. */
async function listenOnChain(
  world: SandboxOptionsInput,
  chainPort: number,
  voice: OutputFormat,
): Promise<Listening | null> {
  const conflict = world.speed === 1 ? (world.startMs === null ? null : '--start') : '--speed'
  if (conflict !== null) {
    fail(voice, EXIT_CODE.usage, `with --chain time is real time: leave out ${conflict}`)
    return null
  }
  const { startChain } = await import('../../simulator/sandbox/chain/start-chain.ts')
  try {
    const chain = await startChain({ blockSeconds: 1, port: chainPort })
    const venue = await listen(world, voice, chain)
    if (venue === null) await chain.close()
    return venue
  } catch (thrown) {
    fail(voice, EXIT_CODE.failed, errorText(thrown))
    return null
  }
}

async function listen(
  world: SandboxOptionsInput,
  voice: OutputFormat,
  chain?: StartedChain,
): Promise<Listening | null> {
  try {
    const server = await startSandbox(world, undefined, chain)
    const close = async () => {
      await server.close()
      await chain?.close()
    }
    return { server, chainUrl: chain?.url ?? null, close }
  } catch (thrown) {
    const { code, message, port = world.port } = thrown as NodeJS.ErrnoException & { readonly port?: number }
    if (code === undefined) throw thrown
    // The command line has validated the options, so only the port can fail.
    const why =
      code === 'EADDRINUSE'
        ? `port ${port} of 127.0.0.1 is taken by another process; ${port === world.feedPort ? '--feed-port' : '--port'} 0 takes a free one`
        : `cannot listen on 127.0.0.1:${port} (${code}: ${message}); --port 0 takes a free port`
    fail(voice, EXIT_CODE.usage, why)
    return null
  }
}

const IDLE_LOOK_MS = 1_000

/** Calls back once the venue has had no request for this long: its daemon is gone. */
function whenIdle(server: SandboxServer, idleMs: number, then: () => void): void {
  let requests = server.model.state.counters['requests']
  let since = Date.now()
  setInterval(() => {
    const seen = server.model.state.counters['requests']
    if (seen !== requests) since = Date.now()
    requests = seen
    if (Date.now() - since >= idleMs) then()
  }, IDLE_LOOK_MS)
}
