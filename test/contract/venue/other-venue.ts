import { z } from 'zod'
import { momentOf } from '../../../src/base/http/body.ts'
import { read } from '../../../src/base/http/reply.ts'
import { ASSETS, formatTokens, isStable, parseAmount } from '../../../src/base/money/asset.ts'
import { parseRate } from '../../../src/base/money/rate.ts'
import type { Side } from '../../../src/base/money/side.ts'
import { ok, type Result } from '../../../src/base/result.ts'
import { fieldsOf } from '../../../src/base/record.ts'
import type { Spread, VenueEffect } from '../../../src/core/engine/model/effect.ts'
import type { VenueAnswer } from '../../../src/core/engine/model/event.ts'
import {
  type CallParts,
  callTo,
  prepareRequest,
  type Route,
  type VenueCall,
  type VenueRequest,
} from '../../../src/venue/call.ts'
import { bad, good } from '../../../src/venue/check-result.ts'
import { createFillsWindow } from '../../../src/venue/fills-window.ts'
import { performEffect } from '../../../src/venue/perform.ts'
import type { VenuePort } from '../../../src/venue/port.ts'
import { createSender, type VenueSecrets } from '../../../src/venue/sender.ts'
import type { GuardDialect, GuardRequests } from '../../../src/venue/wire/guard.ts'

/**
 * A venue of another dialect, to show what a second venue costs: other paths and names, spreads as decimal ratios, the
 * key in a header of its own, and no signed orders. `other-venue-server.ts` is its server.
 */
export function openOtherVenue(baseUrl: string, secrets: VenueSecrets): VenuePort {
  const sender = createSender(
    {
      baseUrl,
      publicUrl: null,
      requestTimeoutMs: 10_000,
      slowTimeoutMs: 60_000,
      isRead: () => false,
      keyHeaders: OTHER_DIALECT.keyHeaders,
    },
    secrets,
    {},
  )
  const performing = { ...sender, callOf, fillsWindow: createFillsWindow() }
  return {
    ...sender,
    account: () => sender.send(me()),
    spread: (quote) => sender.send(margins(quote)),
    perform: (effect, now) => performEffect(performing, effect, now),
    async *diagnose() {
      const answer = await sender.send(me())
      yield answer.ok ? good('venue', 'answers') : bad('venue', answer.error.message, null)
    },
    async quotedSide(side) {
      const answer = await sender.send(offer(side))
      if (!answer.ok) return { side, failure: answer.error }
      const { spreadBps, protocolFeeBps } = answer.value
      const unknown = { mid: null, takerGets: null, formula: null, publicBestBps: null }
      return { side, spreadBps, protocolFeeBps, takerGives: SIZES[side], ...unknown }
    },
    selfCustody: null,
  }
}

function callOf(effect: VenueEffect): VenueCall<VenueAnswer> | null {
  switch (effect.type) {
    case 'readAccount':
      return me()
    case 'readRate':
      return call('GET /price', {}, price, ({ price: shown, since, tradable }, { venueTime }) => {
        const mid = parseRate(shown)
        const problem = mid.ok ? null : mid.error.message
        const known = { rateUpdatedAt: momentOf(since), quotable: tradable, venueTime }
        return ok({ type: 'rate', mid: mid.ok ? mid.value : null, problem, ...known })
      })
    case 'readBalances':
      return call('GET /holdings', {}, holdings, ({ held }) => {
        return ok({ type: 'balances', amounts: Object.fromEntries(held), source: null })
      })
    case 'readFills':
      return call('GET /trades', {}, trades, ({ trades: rows }) =>
        ok({ type: 'fills', rows: rows.map(rowOf), windowFull: rows.length >= MOST_TRADES }),
      )
    case 'readQuote':
      return offer(effect.side)
    case 'setQuote':
      return margins(effect.spread)
    case 'activate':
      return openSession(effect.isActive)
    case 'withdraw': {
      const { asset, amount, toAddress } = effect
      const body = { what: asset, qty: formatTokens(amount, asset), to: toAddress }
      const translate = ({ ref }: z.output<typeof payout>): Result<VenueAnswer, string> =>
        ok({ type: 'withdrawn', asset, amount, txHash: ref })
      return call('POST /payouts', body, payout, translate, { paysOut: true, isSlow: true })
    }
    case 'readBestQuote':
    case 'readSolver':
      return null
  }
}

/** The most rows of GET /trades. */
const MOST_TRADES = 100

const asset = z.enum(ASSETS)
const amount = z.string().transform((digits, context) => {
  const parsed = parseAmount(digits)
  if (parsed.ok) return parsed.value
  context.issues.push({ code: 'custom', input: digits, message: parsed.error.message })
  return z.NEVER
})
const ratio = z.string().transform((digits) => Math.round(Number(digits) * 10_000))
const state = z.enum(['open', 'shut'])
const account = z.object({ state, wallet: z.string() })
const price = z.object({ price: z.string(), since: z.string(), tradable: z.boolean() })
const holdings = z.object({ held: z.array(z.tuple([asset, amount])) })
const trade = z.object({
  ref: z.string(),
  got: asset,
  gotQty: amount,
  gave: asset,
  gaveQty: amount,
  at: z.string(),
})
const trades = z.object({ trades: z.array(trade) })
const offered = z.object({ margin: ratio, fee: ratio })
const margin = z.object({
  bid: ratio,
  ask: ratio,
  open: z.array(z.string()),
  against: z.array(z.string()).nullable(),
})
const session = z.object({ state, partial: z.boolean(), back: z.array(asset) })
const payout = z.object({ done: z.literal(true), ref: z.string() })

function call<Body, Answer>(
  route: Route,
  fields: object,
  schema: z.ZodType<Body>,
  translate: (body: Body, facts: { readonly venueTime: number | null }) => Result<Answer, string>,
  others: Partial<VenueCall<Answer>> = {},
): VenueCall<Answer> {
  const parts: CallParts<Answer> = {
    ...others,
    translate: read(schema, translate),
    codeOfRefusal: (_status, { problem }) => (typeof problem === 'string' ? problem : null),
  }
  const sent = route.startsWith('GET ') ? { query: fields as Record<string, string> } : { body: fields }
  return callTo(route, route.slice(route.indexOf('/')), { ...parts, ...sent })
}

const me = () =>
  call('GET /me', {}, account, ({ state: now, wallet }) => {
    return ok({ type: 'account' as const, isActive: now === 'open', walletAddress: wallet })
  })

const SIZES = { bid: '250000 NTZS', ask: '100 USDC' }

function offer(side: Side) {
  const [size = '', give = ''] = SIZES[side].split(' ')
  const fields = { give, get: side === 'ask' ? 'NTZS' : 'USDC', size }
  return call('GET /offer', fields, offered, ({ margin: spreadBps, fee: protocolFeeBps }) => {
    const unstated = { mid: null, formula: null }
    return ok({ type: 'quoteRead' as const, side, spreadBps, protocolFeeBps, ...unstated })
  })
}

function margins(quote: Spread) {
  const { bidBps, askBps, quoteBid, quoteAsk, quotePairs: against } = quote
  const open = [...(quoteBid ? ['bid'] : []), ...(quoteAsk ? ['ask'] : [])]
  const body = { bid: String(bidBps / 10_000), ask: String(askBps / 10_000), open, against }
  const translate = ({ bid, ask, open: sides, against: quotePairs }: z.output<typeof margin>) => {
    const flags = { quoteBid: sides.includes('bid'), quoteAsk: sides.includes('ask') }
    return ok({ type: 'quoteSet' as const, spread: { bidBps: bid, askBps: ask, ...flags, quotePairs } })
  }
  return call('PUT /margins', body, margin, translate, { paysOut: false, sets: quote })
}

const openSession = (open: boolean) =>
  call(
    'POST /session',
    { open },
    session,
    ({ state: now, partial, back }) =>
      ok({ type: 'activation' as const, isActive: now === 'open', partial, returned: back }),
    { paysOut: false },
  )

/** The requests of a guard for this venue. */
export function otherGuardRequests(baseUrl: string, bps: number): GuardRequests {
  const safe = { bidBps: bps, askBps: bps, quoteBid: true, quoteAsk: true, quotePairs: null }
  const prepare = (request: VenueRequest) => prepareRequest(baseUrl, request)
  return {
    safe: prepare(margins(safe)),
    'bid-off': prepare(margins({ ...safe, quoteBid: false })),
    'ask-off': prepare(margins({ ...safe, quoteAsk: false })),
    readBid: prepare(offer('bid')),
    readAsk: prepare(offer('ask')),
    deactivate: prepare(openSession(false)),
    account: prepare(me()),
  }
}

const isListed = (list: unknown, side: string) => Array.isArray(list) && list.includes(side)

/** How a guard reads the answers of this venue. */
export const OTHER_DIALECT: GuardDialect = {
  keyHeaders: (key) => ({ 'x-trader-key': key }),
  codeOf: ({ problem }) => (typeof problem === 'string' ? problem : null),
  spreadOf: ({ margin: bps }) => (typeof bps === 'string' ? Math.round(Number(bps) * 10_000) : null),
  isActive: ({ state: now }) => (now === 'open' || now === 'shut' ? now === 'open' : null),
  readDeactivation(status, body) {
    const { state: now, partial, back, problem } = fieldsOf(body)
    if (problem === 'POSITION_INACTIVE') return { kind: 'inactive' }
    if (partial === true) return { kind: 'partial', kept: [] }
    const isOut = status === 200 && now === 'shut' && Array.isArray(back)
    return isOut ? { kind: 'out', returned: back.length } : { kind: 'unclear' }
  },
  confirms: (answer, asked) =>
    ['bid', 'ask'].every(
      (side) =>
        answer[side] === asked[side] && isListed(answer['open'], side) === isListed(asked['open'], side),
    ),
  isClosed: (answer, side) => !isListed(answer['open'], side),
}

function rowOf({ ref, got, gotQty, gave, gaveQty, at }: z.output<typeof trade>) {
  const legs = { inAsset: got, amountIn: gotQty, outAsset: gave, amountOut: gaveQty, fee: null }
  const side: Side = isStable(got) ? 'ask' : 'bid'
  const fill = { id: ref, side, ...legs, earnedText: null, txHash: null, createdAt: momentOf(at), raw: ref }
  return { raw: ref, id: ref, fill }
}
