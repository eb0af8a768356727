import { styleText } from 'node:util'
import type { LoadedConfig } from '../../../config/load/loaded-config.ts'
import { contactOf } from '../../operator/find-daemon.ts'
import { diagnose, type CheckResult } from '../../../venue/diagnose.ts'
import { type LeaseReader, openLeaseReader } from '../../../store/postgres/read-leases.ts'
import { readOperatorToken } from '../../../runtime/host/operator-token.ts'
import { venueSettingsSchema } from '../../../venue/settings.ts'
import type { Rate } from '../../../money/rate.ts'
import { checkCorridor, checkLimits } from './limits.ts'
import { checkCustody } from './custody.ts'
import { checkEnvironment } from './environment.ts'
import { checkLeases } from './guard.ts'
import { checkLearned, checkSources, readLearned } from './sources.ts'
import { EXIT_CODE } from '../../../text/exit-code.ts'
import { printable } from '../../../base/printable.ts'
import { exitWhenPipeCloses, print, type OutputFormat, printStyled } from '../../output/print.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { openVenue } from '../../operator/open-venue.ts'

type CheckOptions = OutputFormat & { readonly config: string }

const TONE = { ok: 'green', warn: 'yellow', fail: 'red' } as const
const NAME_WIDTH = 13
/** If one of these fails, the venue does not answer or rejects the key. */
const REACHING = new Set(['venue', 'key', 'account'])

/** One line for each thing that market making needs, printed as soon as it is known. */
export async function check(options: CheckOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options, { strategy: 'ask-apart' })
  if (config === null) return
  exitWhenPipeCloses()
  const findings: CheckResult[] = []
  for await (const finding of everything(config)) {
    findings.push(finding)
    if (options.json !== true) printStyled(options, lineOf(finding), null)
  }
  const count = { ok: 0, warn: 0, fail: 0 }
  for (const { status } of findings) count[status] += 1
  const exitCode = exitCodeOf(findings)
  const summary = `${count.ok} ok, ${count.warn} warnings, ${count.fail} failed`
  print(options, summary, { position: config.core.name, findings, ...count, exitCode })
  process.exitCode = exitCode
}

async function* everything(config: LoadedConfig): AsyncGenerator<CheckResult, void, undefined> {
  const { name, mode, strategy } = config.core
  const detail = `${config.file}: position ${name}, ${mode}, strategy ${strategy.use}`
  yield { name: 'config', status: 'ok', detail, hint: null }
  yield* checkQuotes(config.strategy)
  yield* checkLimits(config.core)
  yield* checkEnvironment(config)
  const settings = venueSettingsSchema.parse(config.venue)
  let sentAt: number | null = null
  const client = openVenue(config, (at) => void (sentAt = at))
  const { place } = config.store
  const rows = typeof place === 'string' || place.url === '' ? null : openLeaseReader(place.url)
  try {
    let mid: Rate | null = null
    const { maxMidAgeMs, maxReferenceDeviationBps: maxDeviationBps = null } = config.core.risk
    const onMid = (seen: Rate) => void (mid = seen)
    const learned = await readLearned(config)
    const known = learned.ok ? learned.value.known : []
    const learnedMethod = known.find(({ name: one }) => one === 'activate-method')?.value ?? null
    yield* diagnose(client, settings, {
      now: () => Date.now(),
      maxMidAgeMs,
      maxDeviationBps,
      onMid,
      learnedMethod,
    })
    yield* checkLearned(learned)
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

/** Warns of a strategy that its trial has shown to quote nothing. */
export function checkQuotes({ use, quotesNothing }: LoadedConfig['strategy']): readonly CheckResult[] {
  if (quotesNothing === undefined) return []
  const detail = `strategy ${use} quotes neither side on a calm market, on target and outside of every window: ${quotesNothing}`
  return [{ name: 'quotes', status: 'warn', detail, hint: 'compare strategy.params with its page in docs' }]
}

const ASK_MS = 2_000

async function askRows(rows: LeaseReader, { core }: LoadedConfig): Promise<boolean> {
  return (await rows.read([core.name], ASK_MS)).ok
}

function exitCodeOf(findings: readonly CheckResult[]): number {
  const failed = findings.filter(({ status }) => status === 'fail')
  if (failed.some(({ name }) => REACHING.has(name))) return EXIT_CODE.unconfirmed
  return failed.length > 0 ? EXIT_CODE.failed : EXIT_CODE.ok
}

function lineOf({ name, status, detail, hint }: CheckResult): string {
  const mark = styleText(TONE[status], status.padEnd(4), { stream: process.stdout })
  return `${mark}  ${name.padEnd(NAME_WIDTH)}${printable(hint === null ? detail : `${detail}; ${hint}`)}`
}
