import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import type { PositionView } from '../../daemon/view/position-view.ts'
import { runHost, type Host } from '../../daemon/runtime/host/run-host.ts'
import { readOperatorToken } from '../../daemon/runtime/operator-token.ts'
import { consoleLink } from '../operator/console-link.ts'
import { daemonView } from '../operator/daemon-client.ts'
import { contactOf } from '../../daemon/config/load/contact.ts'
import { prepareDemo, type Demo, type DemoOptions } from '../../simulator/sandbox/demo/demo.ts'
import { fundingSummary, withFunding } from './demo-funding.ts'
import { demoSummary } from './demo-summary.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { fail, writeLine, writeNote } from '../output/print.ts'
import { createScreen, type Screen } from '../output/screen.ts'
import { noteContent, statusContent } from '../inspect/status/content.ts'
import { readTreasury, type TreasuryRead } from '../treasury/read-treasury.ts'
import { version } from '../../base/text/version.ts'
import { runEvery } from '../../base/threads/timing.ts'

const VOICE = { json: false }
const POLL_MS = 1_000
const SILENT = 'the daemon does not answer at the moment'

/**
 * Shows a demo market on the screen: the simulated venue in its own process, the real daemon connected to it over HTTP, and
 * the status as any client of the daemon's API reads it.
 */
export async function start(options: DemoOptions): Promise<void> {
  const isSelfCustody = options.selfCustody === true
  if (isSelfCustody && options.speed !== undefined && options.speed !== 1)
    return fail(VOICE, EXIT_CODE.usage, 'time on a chain is real time: --self-custody takes no --speed')
  if (isSelfCustody && options.treasury === true)
    return fail(
      VOICE,
      EXIT_CODE.usage,
      'a treasury funds pooled capital: --treasury and --self-custody exclude each other',
    )
  if (isSelfCustody) writeNote(STARTING_CHAIN)
  const demo = await prepareDemo(options)
  if (!demo.ok) return fail(VOICE, EXIT_CODE.failed, demo.error)
  const { configFile, venue, market, tokens } = demo.value
  const config = await loadOrExplain(configFile, VOICE, { forTrading: true, strategy: 'load-apart' })
  if (config === null) return venue.stop()
  // Also run for a resumed market, because the last start may have died half-way. A completed step is not repeated.
  if (isSelfCustody && !(await enabled(configFile))) return venue.stop()
  // Before the first quote: a signal without a handler ends the process at once.
  const interrupted = new Promise<null>((resolve) => {
    process.on('SIGINT', () => resolve(null))
    process.on('SIGTERM', () => resolve(null))
  })
  const host = await runHost([config], version, (name, message) => writeNote(`${name}: ${message}`))
  if ('exitCode' in host) {
    venue.stop()
    return fail(VOICE, host.exitCode, host.message)
  }
  writeLine(
    greeting(
      host,
      demo.value,
      await signInLines(host, config, tokens),
      market === null ? 'reused' : isSelfCustody ? 'chain' : tokens.length > 0 ? 'treasury' : 'pool',
    ),
  )
  const screen = createScreen(process.stdout)
  const watching = watch(config, screen)
  const exitCode = await Promise.race([host.ended, interrupted])
  watching.stop()
  screen.end()
  if (exitCode === null) writeLine((await goodbye(host, venue.url, config)).trimEnd())
  venue.stop()
  process.exit(exitCode ?? EXIT_CODE.ok)
}

const STARTING_CHAIN =
  'starting a local chain with the real exchange contract; the first time its packages are fetched'

/** Runs `mizani custody enable`, which prints each step. */
async function enabled(config: string): Promise<boolean> {
  const { custodyEnable } = await import('../custody/enable.ts')
  await custodyEnable({ ...VOICE, config, reason: 'mizani start' })
  return (process.exitCode ?? EXIT_CODE.ok) === EXIT_CODE.ok
}

const TREASURY_HINT =
  'A payout needs the tokens of both people: order one, approve it with the other token on the page Treasury of the console.'

const GREETING = {
  reused: 'mizani resumes the market of the last start: the venue went on without it.',
  pool: 'mizani quotes on a simulated venue. No real money is involved; the daemon is the real one.',
  treasury:
    'mizani quotes on a simulated venue and keeps itself in shillings: it asks the bank for a refill when they run short.',
  chain:
    'mizani signs orders from a wallet on a local chain with the real exchange contract, and a solver fills them.',
}

/** Returns the sign-in URLs, one for each person of a treasury. */
function signInLines({ url }: Host, config: LoadedConfig, people: Demo['tokens']): Promise<string[]> {
  const users = people.length > 0 ? people : [{ name: null, token: readOperatorToken(contactOf(config)) }]
  const lines = users.map(async ({ name, token }) => {
    const link = await consoleLink({ url, token })
    return `  sign in  ${link.ok ? link.value : link.error}${name === null ? '' : `   as ${name}`}`
  })
  return Promise.all(lines)
}

function greeting(
  host: Host,
  { venue, logFile, configFile, tokens, market }: Demo,
  signIn: readonly string[],
  kind: keyof typeof GREETING,
): string {
  return [
    GREETING[kind],
    ...(market === null ? [] : [`  market   ${market}`]),
    `  venue    ${venue.url}/sandbox/state`,
    `  console  ${host.url}`,
    ...signIn,
    `           opens the console in one browser tab, within ten minutes; another: npx mizani console --config ${/\s/.test(configFile) ? `'${configFile}'` : configFile}`,
    `  daemon   ${host.url}/api/v1/state   ${host.url}/metrics   ${host.url}/api/docs/openapi.json`,
    `  log      ${logFile}`,
    ...tokens.map(({ name, token }) => `  token    ${name.padEnd(8)} ${token}`),
    ...(tokens.length > 0 ? [TREASURY_HINT] : []),
    'Open the sign-in link first. Then try Halt and Resume, or What if? under Parameters. Ctrl-C ends the demo with a summary.',
    '',
  ].join('\n')
}

type Watching = { readonly stop: () => void }

function watch(config: LoadedConfig, screen: Screen): Watching {
  let looking = false
  const timer = runEvery(() => {
    if (looking) return
    looking = true
    void look().finally(() => (looking = false))
  }, POLL_MS)
  async function look(): Promise<void> {
    const view = await viewNow(config)
    const status = view === null ? noteContent(SILENT) : statusContent({ view, note: null })
    screen.show(withFunding(status, await treasuryNow(config)))
  }
  return { stop: () => clearInterval(timer) }
}

async function viewNow(config: LoadedConfig): Promise<PositionView | null> {
  const answer = await daemonView(contactOf(config))
  return answer?.status === 200 ? (answer.body as PositionView) : null
}

/** Null if the demonstration has no treasury, or the treasury does not answer. */
async function treasuryNow(config: LoadedConfig): Promise<TreasuryRead | null> {
  if (config.treasury === null) return null
  const read = await readTreasury(config)
  return 'why' in read ? null : read
}

async function goodbye(host: Host, venueUrl: string, config: LoadedConfig): Promise<string> {
  const summary = await demoSummary(venueUrl, () => viewNow(config))
  const funding = await treasuryNow(config)
  const lines = await host.shutdown()
  return `\n${[...lines, summary, ...(funding === null ? [] : [fundingSummary(funding)])].join('\n')}\n`
}
