import type { Result } from '../../../base/result.ts'
import { contactOf } from '../../../daemon/config/load/contact.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import type { Rate } from '../../../base/money/rate.ts'
import { openVenue } from '../../../daemon/runtime/effects/open-venue.ts'
import { readOperatorToken } from '../../../daemon/runtime/operator-token.ts'
import { type LeaseReader, openLeaseReader } from '../../../store/postgres/read-leases.ts'
import { type CheckResult, good, soft } from '../../../venue/check-result.ts'
import { checkTypes } from './type-check.ts'
import { checkCustody } from './custody.ts'
import { checkEnvironment } from './environment.ts'
import { checkLeases } from './guard.ts'
import { checkCorridor, checkInventory, checkLimits, checkLossLimits, type StatedBalances } from './limits.ts'
import { checkLearned, checkSources, type Learned } from './sources.ts'

/** Reads from the position's running daemon. */
type DaemonReads = {
  readonly isAnswering: () => Promise<boolean>
  readonly learned: () => Promise<Result<Learned, string>>
}

/** Yields one finding for each requirement of market making, as soon as it is known. Changes nothing. */
export async function* runChecks(
  config: LoadedConfig,
  daemon: DaemonReads,
): AsyncGenerator<CheckResult, void, undefined> {
  const { name, mode, strategy } = config.core
  const detail = `${config.file}: position ${name}, ${mode}, strategy ${strategy.use}`
  yield { name: 'config', status: 'ok', detail, hint: null }
  yield* checkQuotes(config.strategy)
  yield* await typeFindings(strategy.use, config.file)
  yield* checkLimits(config.core)
  yield* checkEnvironment(config, daemon.isAnswering)
  let sentAt: number | null = null
  const client = openVenue(config, (at) => void (sentAt = at))
  const { place } = config.store
  const rows = typeof place === 'string' || place.url === '' ? null : openLeaseReader(place.url)
  try {
    let mid: Rate | null = null
    const { maxMidAgeMs, maxReferenceDeviationBps: maxDeviationBps } = config.core.risk
    const onMid = (seen: Rate) => void (mid = seen)
    let held: StatedBalances = {}
    const onBalances = (amounts: StatedBalances) => void (held = amounts)
    const learned = await daemon.learned()
    const known = learned.ok ? learned.value.known : []
    const learnedMethod = known.find(({ name: one }) => one === 'activate-method')?.value ?? null
    const hasVirtualClock = config.core.venueClock === 'virtual'
    const limits = { maxMidAgeMs, maxDeviationBps }
    const terms = { now: () => Date.now(), ...limits, onMid, onBalances, learnedMethod, hasVirtualClock }
    for await (const finding of client.diagnose(terms))
      yield finding.name === 'key' && client.isRelayed() ? ofDaemonsKey(finding) : finding
    yield* checkLearned(learned)
    yield* checkInventory(config.core, held)
    yield* checkLossLimits(config.core, held, mid)
    yield await checkCorridor(config, mid)
    yield* checkSources(config, mid)
    yield* checkCustody(config, client)
    const token =
      config.guard?.token?.reveal() ?? config.http.token?.reveal() ?? readOperatorToken(contactOf(config))
    const common = { config, client, token, askDatabase: rows === null ? null : () => askRows(rows, config) }
    if (mid !== null) yield* checkLeases({ ...common, sentAt: () => sentAt, now: () => performance.now() })
  } finally {
    await client.close()
    await rows?.close()
  }
}

/** The daemon reads with the key that it started with, not with the one of the file. */
function ofDaemonsKey(finding: CheckResult): CheckResult {
  const through = 'read through the running daemon with its own key: venue.apiKey of the file was not tested'
  return { ...finding, detail: `${finding.detail}; ${through}` }
}

/** Warns of a strategy that quoted nothing in its trial. */
export function checkQuotes({ use, quotesNothing }: LoadedConfig['strategy']): readonly CheckResult[] {
  if (quotesNothing === undefined) return []
  const detail = `strategy ${use} quotes neither side on a calm market, on target and outside of every window: ${quotesNothing}`
  return [{ name: 'quotes', status: 'warn', detail, hint: 'compare strategy.params with its page in docs' }]
}

/** Returns the type errors of a strategy of one's own, each with file and line. */
async function typeFindings(use: string, configFile: string): Promise<readonly CheckResult[]> {
  const types = await checkTypes(use, configFile)
  if (types === null) return []
  if (types.kind === 'skipped') return [soft('types', `the types of ${use} were not checked`, types.why)]
  if (types.errors.length === 0) return [good('types', `${use} has no type errors`)]
  return types.errors.map((error) =>
    soft('types', error, 'correct the line; the code runs as it is until then'),
  )
}

const ASK_MS = 2_000

async function askRows(rows: LeaseReader, { core }: LoadedConfig): Promise<boolean> {
  return (await rows.read([core.name], ASK_MS)).ok
}
