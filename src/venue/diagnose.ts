import { HOUR_MS, type Ms } from '../base/time.ts'
import type { FillsAnswer, VenueFailure } from '../core/engine/model/venue-answer.ts'
import { formatRate, type Rate } from '../base/money/rate.ts'
import { SIDES, type Side } from '../base/money/side.ts'
import { quoteProbe } from './lp/quote.ts'
import { bad, type CheckResult, good, soft } from './check-result.ts'
import { type Diagnosed, diagnosePublic, type NamedByKey } from './diagnose-public.ts'
import type { DiagnoseOptions } from './port.ts'
import type { RateAnswer } from './lp/rate.ts'
import type { VenueSettings } from './settings.ts'
import { otherMethod } from '../base/http/methods.ts'
import { ASSETS, formatAmount } from '../base/money/asset.ts'
import type { AccountAnswer } from './lp/account.ts'
import type { BalancesAnswer } from './lp/balances.ts'

/** The Date header has whole seconds, so less than this is no offset at all. */
const MAX_CLOCK_OFFSET_MS = 5_000

/** Checks everything that market making needs of the venue, changes nothing, and yields one line per finding. */
export async function* diagnose(
  client: Diagnosed,
  settings: VenueSettings,
  options: DiagnoseOptions,
): AsyncGenerator<CheckResult, void, undefined> {
  const key: NamedByKey = { mid: null, feeBps: null }
  const onMid = (seen: Rate) => {
    key.mid = seen
    options.onMid?.(seen)
  }
  const account = await client.account()
  const status = account.ok ? 200 : account.error.status
  const isFailing = status !== null && status >= 500
  if (account.ok || (status !== null && !isFailing)) yield good('venue', `${settings.baseUrl} answers`)
  else {
    const remedy = isFailing
      ? 'it is reached and fails: ask its operator; until it answers, its last quote stays'
      : `check venue.baseUrl (${settings.baseUrl}) and the network`
    yield bad('venue', account.error.message, remedy)
  }
  if (status !== null && !isFailing) {
    // The account answers, but without the one field that quoting needs.
    const isUnstated = !account.ok && /\bisActive\b/.test(account.error.message)
    if (account.ok)
      yield good('key', `accepted; the position is ${account.value.isActive ? 'active' : 'inactive'}`)
    else if (isUnstated)
      yield bad('isActive', account.error.message, 'without it nothing is quoted: ask the venue')
    else yield keyFinding(account.error)
    if (account.ok) yield* kycFindings(account.value)
    if (account.ok || isUnstated) {
      yield activationFinding(await client.methodsOf(client.calls.activate(true)), settings, options)
      const isActive = account.ok && account.value.isActive
      yield* diagnosePosition(client, settings, { ...options, onMid, key }, isActive)
    }
  }
  yield* diagnosePublic(client, settings, key, options)
}

async function* diagnosePosition(
  client: Diagnosed,
  settings: VenueSettings,
  {
    now,
    maxMidAgeMs,
    onMid,
    onBalances,
    key,
    hasVirtualClock,
  }: DiagnoseOptions & { readonly key: NamedByKey },
  isActive: boolean,
): AsyncGenerator<CheckResult, void, undefined> {
  const askedAt = now()
  const rate = await client.rate()
  const localTime = (askedAt + now()) / 2
  if (rate.ok) {
    yield clockFinding(rate.value.venueTime, localTime, hasVirtualClock)
    yield rateFinding(rate.value, maxMidAgeMs, localTime)
    if (rate.value.mid !== null) onMid?.(rate.value.mid)
  } else yield bad('rate', rate.error.message, null)
  for (const side of SIDES) key.feeBps = (yield* diagnoseQuote(client, settings, side)) ?? key.feeBps
  const balances = await client.balances()
  if (balances.ok) onBalances?.(balances.value.amounts)
  yield balances.ok
    ? balancesFinding(balances.value, isActive)
    : bad('balances', balances.error.message, 'nothing is quoted on balances that cannot be read')
  const fills = await client.fills()
  yield fills.ok ? fillsFinding(fills.value) : bad('fills', fills.error.message, null)
}

function keyFinding(failure: VenueFailure): CheckResult {
  if (failure.status === 401) {
    return bad('key', failure.message, 'the key is missing or wrong: check what venue.apiKey refers to')
  }
  if (failure.status === 403) {
    return bad('key', failure.message, 'the key is valid but may not do this: check its permissions')
  }
  const hint =
    failure.status === 404 ? 'check venue.baseUrl and venue.prefix, and that the account exists' : null
  return bad('account', failure.message, hint)
}

/** A field that the contract does not have; an account that is not approved may be refused any trade. */
const KYC = /"kycStatus":"([^"]{1,40})"/

function kycFindings({ unknownFields, isActive }: AccountAnswer): readonly CheckResult[] {
  const status = KYC.exec(unknownFields ?? '')?.[1]
  if (status === undefined || status === 'approved') return []
  // An account that waits for approval but is already in the market may trade.
  const judge = isActive && !/reject|declin|den(y|ied)|fail/i.test(status) ? soft : bad
  return [judge('kyc', `kycStatus is ${status}`, 'the venue may let only approved accounts trade: ask it')]
}

/** OPTIONS changes nothing. A venue that names no methods shows its own with the first change. */
function activationFinding(
  named: readonly string[] | null,
  { activateMethod }: VenueSettings,
  { learnedMethod = null }: DiagnoseOptions,
): CheckResult {
  const wanted = activateMethod === 'auto' ? 'POST' : activateMethod
  if (named === null && learnedMethod !== null && activateMethod === 'auto')
    return good(
      'activation',
      `${learnedMethod} /activate, as an earlier answer has shown; OPTIONS names no method`,
    )
  if (named === null)
    return good('activation', `${wanted} /activate; OPTIONS names no method, so the first change shows it`)
  const shown = `OPTIONS names ${named.join(', ')}`
  if (named.includes(wanted)) return good('activation', `${wanted} /activate: ${shown}`)
  const other = otherMethod(wanted, named)
  if (other !== null) return good('activation', `${other} /activate: ${shown}`)
  const hint = 'the position can be neither activated nor deactivated: check venue.prefix'
  return bad('activation', `no method of /activate can be used: ${shown}`, hint)
}

function balancesFinding({ amounts }: BalancesAnswer, isActive: boolean): CheckResult {
  const shown = ASSETS.map((asset) => {
    const amount = amounts[asset]
    return `${asset} ${amount === undefined ? 'not stated, so not counted' : formatAmount(amount)}`
  }).join(', ')
  const isEmpty = Object.values(amounts).every((amount) => amount === 0n)
  if (!isEmpty) return good('balances', shown)
  const hint = isActive ? 'deposit and activate again' : 'deposit before you activate'
  return bad('balances', `${shown}: there is nothing to trade with`, hint)
}

function clockFinding(venueTime: Ms | null, localTime: Ms, isVirtual = false): CheckResult {
  if (venueTime === null) {
    return soft(
      'clock',
      'the venue sends no Date header',
      'ages are measured on our own clock: keep it synchronised',
    )
  }
  // The header drops the fraction of its second: on average it is half a second behind.
  const offsetMs = Math.round(venueTime + 500 - localTime)
  const detail = `the venue is ${Math.abs(offsetMs) / 1_000} s ${offsetMs < 0 ? 'behind' : 'ahead of'} us`
  if (Math.abs(offsetMs) <= MAX_CLOCK_OFFSET_MS) return good('clock', detail)
  if (isVirtual) return good('clock', `${detail}: venue.clock is virtual, so the two are not compared`)
  const hint = 'synchronise this machine; if its clock is right, that of the venue is wrong'
  if (Math.abs(offsetMs) <= HOUR_MS) return soft('clock', detail, hint)
  return bad('clock', `${detail}: over an hour, so the daemon refuses its mid`, hint)
}

function rateFinding(rate: RateAnswer, maxMidAgeMs: Ms | null, localTime: Ms): CheckResult {
  if (rate.mid === null)
    return bad('rate', rate.problem ?? 'no mid', 'nothing is quoted until the venue has a rate')
  const mid = `${formatRate(rate.mid)} TZS per USD`
  if (rate.quotable === false) {
    return soft('rate', `${mid}, not quotable`, 'the venue itself would not trade at it now')
  }
  if (rate.rateUpdatedAt === null) {
    const hint =
      maxMidAgeMs === null
        ? 'the venue does not date it: no limit on its age applies'
        : `the venue does not date it: risk.maxMidAgeMs (${maxMidAgeMs}) does not apply, and quotes continue on a mid of any age`
    return soft('rate', `${mid}, of unknown age`, hint)
  }
  const ageMs = (rate.venueTime ?? localTime) - rate.rateUpdatedAt
  const detail = `${mid}, ${Math.max(0, Math.round(ageMs / 60_000))} minutes old`
  if (maxMidAgeMs === null || ageMs <= maxMidAgeMs) return good('rate', detail)
  return soft(
    'rate',
    detail,
    `older than risk.maxMidAgeMs (${maxMidAgeMs}): the safe quote stays until a newer mid arrives`,
  )
}

/** Returns the protocol fee that the quote of this side names, in bps; null = not stated. */
async function* diagnoseQuote(
  client: Diagnosed,
  settings: VenueSettings,
  side: Side,
): AsyncGenerator<CheckResult, number | null, undefined> {
  const quote = await client.quote(quoteProbe(settings, side))
  if (!quote.ok) {
    yield bad(`quote ${side}`, quote.error.message, 'without it our quote at the venue cannot be read back')
    return null
  }
  const { spreadBps, protocolFeeBps, formula, isExplained, mid } = quote.value
  const fee = protocolFeeBps === null ? 'no stated protocol fee' : `a protocol fee of ${protocolFeeBps} bps`
  yield good(`quote ${side}`, `${spreadBps} bps and ${fee}`)
  const name = `formula ${side}`
  if (side === 'ask' && isExplained) yield good(name, 'in * mid * (1 - ask)')
  else if (formula === 'divide') yield good(name, 'divide: in / (mid * (1 + bid))')
  else if (formula === 'multiply') yield good(name, 'multiply: in / mid * (1 - bid)')
  else if (isExplained)
    yield soft(name, 'both formulas give this output', 'raise venue.quoteProbeUsd to tell them apart')
  else if (mid === null) yield soft(name, 'the quote has no mid to check the formula with', null)
  else
    yield soft(
      name,
      'no known formula gives this output',
      'fills will count as unreconciled: ask the venue how it prices',
    )
  return protocolFeeBps
}

function fillsFinding({ rows }: FillsAnswer): CheckResult {
  const bad = rows.flatMap((row) => ('quarantined' in row ? [row.quarantined] : []))
  const [first] = bad
  if (first === undefined) return good('fills', `${rows.length} rows, all understood`)
  const detail = `${bad.length} of ${rows.length} rows are not understood, such as ${first.id ?? 'one without an id'}: ${first.reason}`
  return soft('fills', detail, 'if a token is unknown, name its address under venue.tokens')
}
