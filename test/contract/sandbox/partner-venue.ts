import type { SandboxOptionsInput } from '../../../src/simulator/sandbox/options.ts'
import { httpClient, type HttpClient, type Reply } from './http-client.ts'
import { rival, scriptedWorld } from '../../unit/simulator/sandbox/scripted-world.ts'

export const LIVE_KEY = 'svc_live_sandbox'
export const PHONE = '0754000123'
export const TILL = { kind: 'lipa', payNumber: '512345' }

type More = { readonly key?: string; readonly headers?: Record<string, string> }

/** The simulated venue over HTTP as a partner with money sees it, and what its control API can do. */
export type PartnerVenue = Pick<HttpClient, 'sandbox' | 'advance' | 'inject'> & {
  /** The liquidity provider's own users: of the test key, and of the live key. */
  readonly userId: string
  readonly liveUserId: string
  /** Below /v1 with the test key. */
  readonly ask: (method: string, path: string, body?: unknown, more?: More) => Promise<Reply>
  readonly post: (path: string, body?: unknown, more?: More) => Promise<Reply>
  readonly control: (path: string, body?: unknown) => Promise<Reply>
  readonly settings: (patch: object) => Promise<Reply>
  /** The next request on the route is refused with this code. */
  readonly refuseNext: (route: string, code: string) => Promise<Reply>
  /** Pays a till or a bill: the quote, then the payment. */
  readonly spend: (wish?: object, more?: More) => Promise<Reply>
  /** Sends a payout: the quote, then the payout. */
  readonly withdraw: (wish?: object) => Promise<Reply>
  readonly quoteRamp: (wish: object) => Promise<unknown>
  /** A merchant of the live key, with a request as that merchant. */
  readonly openShop: () => Promise<(method: string, path: string, body?: unknown) => Promise<Reply>>
}

export async function openPartnerVenue(options: SandboxOptionsInput = {}): Promise<PartnerVenue> {
  const world = scriptedWorld([], [rival('near', 60, 60)])
  const partner = {
    liveKey: LIVE_KEY,
    owner: { NTZS: '5000000', USDC: '500' },
    platformNtzs: '5000000',
    ...options.partner,
  }
  const client = await httpClient({ ...options, partner }, world)
  const state = await client.ask('GET', '/sandbox/state')
  const { keys } = state.json['partner'] as { keys: readonly { owner: { userId: string } }[] }
  const [userId = '', liveUserId = ''] = keys.map(({ owner }) => owner.userId)
  const ask: PartnerVenue['ask'] = (method, path, body, { key = 'svc_test_sandbox', headers } = {}) =>
    client.ask(method, path.startsWith('/api') ? path : `/v1${path}`, body, {
      authorization: `Bearer ${key}`,
      ...headers,
    })
  const post: PartnerVenue['post'] = (path, body = {}, more) => ask('POST', path, body, more)
  const control: PartnerVenue['control'] = (path, body = {}) =>
    client.ask('POST', `/sandbox/partner/${path}`, body)
  return {
    ...client,
    userId,
    liveUserId,
    ask,
    post,
    control,
    settings: (patch) => control('settings', patch),
    refuseNext: (route, code) => control('next', { kind: 'refuse', route, code }),
    async spend(wish = {}, more) {
      const body = { userId, ...TILL, amountTzs: 1_000, ...wish }
      const quote = await post('/spend/quote', body, more)
      return quote.status === 200 ? post('/spend', { quoteId: quote.json['quoteId'], ...body }, more) : quote
    },
    async withdraw(wish = {}) {
      const body = { userId, phoneNumber: PHONE, amountTzs: 5_000, ...wish }
      const quote = await post('/withdrawals/quote', body)
      return quote.status === 200 ? post('/withdrawals', { quoteId: quote.json['quoteId'], ...body }) : quote
    },
    quoteRamp: async (wish) => (await post('/ramp/quote', wish)).json['quoteId'],
    async openShop() {
      const account = { email: 'a@b.example', businessName: 'Shop', settlementPhone: PHONE }
      const shop = await post('/commerce/accounts', { userId: liveUserId, ...account }, { key: LIVE_KEY })
      const headers = { 'x-merchant-id': String(shop.json['merchantId']) }
      return (method, path, body) => ask(method, `/commerce/${path}`, body, { key: LIVE_KEY, headers })
    },
  }
}
