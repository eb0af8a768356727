import type { Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import type { Feed } from '../../../daemon/feeds/feed.ts'
import { openFeed } from '../../../daemon/feeds/run-feeds.ts'
import { proxyFor } from '../../../base/http/proxy.ts'
import { implausibility } from '../../../core/market/feeds.ts'
import { formatRate, type Rate, rateStepBps } from '../../../base/money/rate.ts'
import type { CheckResult } from '../../../venue/check-result.ts'
import { timeText } from '../../../base/text/times.ts'
import { capabilityText, type CapabilityView } from '../../../daemon/view/capability-view.ts'
import { finding } from './environment.ts'

/** Reads each feed and endpoint once: the sources of price and balances besides the venue. */
export async function* checkSources(
  config: LoadedConfig,
  mid: Rate | null,
): AsyncGenerator<CheckResult, void, undefined> {
  const { feeds, core } = config
  yield* proxyFindings(config)
  const isGuarded = feeds.some(({ settings }) => settings.origin !== 'venue')
  if (!isGuarded && core.mode === 'live') yield standsAlone()
  const limitBps = core.risk.maxReferenceDeviationBps
  const readings = feeds.map((feed) => feedFinding(feed, mid, limitBps))
  for (const reading of readings) yield await reading
  yield* chainFindings(config)
}

const NEVER =
  'the venue, the guard, the store, the daemon, the signer and writes to the partner API never use it'

/** Yields which addresses use the environment's proxy and which do not; nothing without a proxy. */
export function* proxyFindings(config: LoadedConfig, environment = process.env): Generator<CheckResult> {
  const { notify, alert, feeds, chain, rfq, treasury } = config
  const channels = [...(notify === null ? [] : [notify]), ...alert.escalation.map((step) => step.channels)]
  const places = [
    ...channels.flatMap(({ telegram, slack, webhook }) => [
      ...(telegram === null ? [] : [['telegram', telegram.apiUrl]]),
      ...(slack === null ? [] : [['slack', slack.webhookUrl.reveal()]]),
      ...(webhook === null ? [] : [['webhook', webhook.url.reveal()]]),
    ]),
    ...feeds.flatMap(({ settings: { name }, source }) =>
      source.kind === 'http' ? [[`feed ${name}`, source.url.reveal()]] : [],
    ),
    ...[...(chain?.urls ?? []), ...(rfq?.rpc.urls ?? [])].map((url) => ['chain', url.reveal()]),
    ...(treasury === null ? [] : [['reads of the partner API', treasury.partner.baseUrl]]),
  ]
  const proxy = proxyFor('https://proxy.invalid', { ...environment, no_proxy: '' })
  if (proxy === null) return
  const list = (isThrough: boolean) => {
    const urls = places.map(([name, url = '']) => ({ name, url: new URL(url) }))
    const chosen = urls.filter(({ url }) => (proxyFor(url.origin, environment) !== null) === isThrough)
    return [...new Set(chosen.map(({ name, url }) => `${name} (${url.host})`))].join(', ')
  }
  const through = `through ${new URL(proxy).host}: ${list(true) || 'nothing'}`
  yield finding('proxy', 'ok', `${through}; directly: ${list(false) || 'nothing else'}; ${NEVER}`)
}

function standsAlone(): CheckResult {
  const detail = 'none has another origin than the venue: its price has no second source'
  return finding('feeds', 'warn', detail, 'docs/feeds.md shows how to add one')
}

async function feedFinding(
  { settings, source }: Feed,
  mid: Rate | null,
  limitBps: number | null,
): Promise<CheckResult> {
  const name = `feed ${settings.name}`
  const reader = openFeed(source)
  const read = await reader.read()
  await reader.close()
  if (!read.ok)
    return finding(name, 'fail', read.error, 'the daemon would trade without it; see docs/feeds.md')
  const t = Date.now()
  const problem = implausibility(settings, { t, ...read.value }) ?? frozenFor(settings, read.value.datedAt, t)
  if (problem !== null) return finding(name, 'fail', problem, 'the daemon would drop it; see docs/feeds.md')
  const shown = `${formatRate(read.value.mid)} TZS per USD`
  if (settings.origin === 'venue')
    return finding(name, 'warn', `${shown}, from the venue itself: shown, but not counted`)
  if (mid === null) return finding(name, 'ok', `${shown}; no mid of the venue to compare it with`)
  const apartBps = rateStepBps(read.value.mid, mid)
  const apart = `${shown}; the venue's mid is ${Math.abs(apartBps).toFixed(1)} bps ${apartBps < 0 ? 'below' : 'above'} it`
  if (limitBps === null || Math.abs(apartBps) <= limitBps) return finding(name, 'ok', apart)
  const hint = `beyond risk.maxReferenceDeviationBps (${limitBps}) the safe quote applies: find out which of the two is wrong`
  return finding(name, 'warn', apart, hint)
}

/** Uses the date in the source itself; without a date, one reading cannot show how old a figure is. */
function frozenFor({ frozenAfterMs }: Feed['settings'], datedAt: number | null, t: number): string | null {
  if (frozenAfterMs === null || datedAt === null || t - datedAt <= frozenAfterMs) return null
  return `its date is ${Math.round((t - datedAt) / 60_000)} minutes old, beyond frozenAfterMs (${frozenAfterMs})`
}

async function* chainFindings({ chain }: LoadedConfig): AsyncGenerator<CheckResult, void, undefined> {
  if (chain === null) return
  // The code for the chain is large, and few commands need it.
  const { checkWatch } = await import('../../../custody/chain/watch-wallet.ts')
  const settings = { ...chain, urls: chain.urls.map((url) => () => url.reveal()) }
  const checked = await checkWatch(settings, () => Date.now())
  if (!checked.ok) {
    yield finding('chain', 'fail', checked.error, 'correct chain.urls')
    return
  }
  for (const { label, problem } of checked.value)
    yield problem === null
      ? finding('chain', 'ok', `${label} shows transfers out of ${chain.wallet}`)
      : finding('chain', 'fail', problem, 'correct chain, or remove this endpoint')
}

/** Traits of the venue that the daemon has learned, with the time of its latest event. */
export type Learned = { readonly at: Ms; readonly known: readonly CapabilityView[] }

/** Returns findings on traits that only quote changes and fills show; empty before the first trade. */
export function checkLearned(learned: Result<Learned, string>): readonly CheckResult[] {
  if (!learned.ok) return [finding('learned', 'warn', learned.error)]
  const { at, known } = learned.value
  if (known.length === 0) return []
  return [finding('learned', 'ok', `by ${timeText(at)}: ${known.map(capabilityText).join('; ')}`)]
}
