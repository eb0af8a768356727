import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Fields = Readonly<Record<string, unknown>>
type Translation = readonly [lp: string, ask: (fields: Fields) => Fields, answer: (fields: Fields) => Fields]
const same = (fields: Fields) => fields
const stateOf = ({ isActive }: Fields) => (isActive === true ? 'open' : 'shut')
const decimal = (bps: unknown) => String(Number(bps) / 10_000)
const bpsOf = (text: unknown) => Math.round(Number(text) * 10_000)
const tradeOf = ({ id, fromToken, amountIn, toToken, amountOut, createdAt }: Fields) => ({
  ref: id,
  got: fromToken,
  gotQty: amountIn,
  gave: toToken,
  gaveQty: amountOut,
  at: createdAt,
})

const TRANSLATIONS: Readonly<Record<string, Translation>> = {
  'GET /me': [
    'GET /account',
    same,
    (fields) => ({ state: stateOf(fields), wallet: fields['walletAddress'] }),
  ],
  'GET /price': [
    'GET /rate',
    same,
    ({ midRateTZS, rateUpdatedAt, quotable }) => ({
      price: String(midRateTZS),
      since: rateUpdatedAt,
      tradable: quotable,
    }),
  ],
  'GET /holdings': [
    'GET /balances',
    same,
    ({ ntzs, usdc, usdt }) => ({ held: Object.entries({ NTZS: ntzs, USDC: usdc, USDT: usdt }) }),
  ],
  'GET /trades': ['GET /fills', same, ({ fills }) => ({ trades: (fills as Fields[]).map(tradeOf) })],
  'GET /offer': [
    'GET /quote',
    ({ give, get, size }) => ({ fromToken: give, toToken: get, amount: size }),
    ({ spreadBps, protocolFeeBps }) => ({ margin: decimal(spreadBps), fee: decimal(protocolFeeBps) }),
  ],
  'PUT /margins': [
    'PATCH /spread',
    ({ bid, ask, open, against }) => ({
      bidBps: bpsOf(bid),
      askBps: bpsOf(ask),
      quoteBid: (open as string[]).includes('bid'),
      quoteAsk: (open as string[]).includes('ask'),
      quotePairs: against,
    }),
    ({ bidBps, askBps, quoteBid, quoteAsk, quotePairs = null }) => ({
      bid: decimal(bidBps),
      ask: decimal(askBps),
      against: quotePairs,
      open: [...(quoteBid === true ? ['bid'] : []), ...(quoteAsk === true ? ['ask'] : [])],
    }),
  ],
  'POST /session': [
    'POST /activate',
    ({ open }) => ({ isActive: open }),
    (fields) => ({
      state: stateOf(fields),
      partial: fields['partial'] === true,
      back: fields['returned'] ?? [],
    }),
  ],
  'POST /payouts': [
    'POST /withdraw',
    ({ what, qty, to }) => ({ token: String(what).toLowerCase(), chain: 'base', amount: qty, toAddress: to }),
    ({ status, txHash }) => ({ done: status === 'confirmed', ref: txHash }),
  ],
}

/** Serves the other dialect for a simulated venue; a lost or damaged answer is passed on as it came. */
export async function serveOtherVenue(lpUrl: string) {
  const server = createServer((request, response) => {
    void passOn(lpUrl, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, close: () => Promise.resolve(server.close().closeAllConnections()) }
}

async function passOn(lpUrl: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '', headers } = request
  const { pathname, searchParams } = new URL(url, lpUrl)
  const [route, ask, answer] = TRANSLATIONS[`${method} ${pathname}`] ?? ['GET /unknown', same, same]
  const [lpMethod = '', lpPath = ''] = route.split(' ')
  const body = await text(request)
  const fields = ask(body === '' ? Object.fromEntries(searchParams) : (JSON.parse(body) as Fields))
  const query =
    lpMethod === 'GET' ? `?${new URLSearchParams(fields as Record<string, string>).toString()}` : ''
  const sent = await fetch(`${lpUrl}/api/v1/mm${lpPath}${query}`, {
    method: lpMethod,
    headers: {
      authorization: `Bearer ${String(headers['x-trader-key'])}`,
      'content-type': 'application/json',
    },
    body: lpMethod === 'GET' ? null : JSON.stringify(fields),
  })
  const retryAfter = sent.headers.get('retry-after')
  const received = await sent.text()
  response.writeHead(sent.status, retryAfter === null ? {} : { 'retry-after': retryAfter })
  response.end(translated(received, (parsed) => (sent.ok ? answer(parsed) : { problem: parsed['code'] })))
}

function translated(received: string, translate: (fields: Fields) => Fields): string {
  try {
    return JSON.stringify(translate(JSON.parse(received) as Fields))
  } catch {
    return received
  }
}
