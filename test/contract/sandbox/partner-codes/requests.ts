import { SAMPLE_SHOP } from '../../../../src/simulator/sandbox/partner/commerce/accounts.ts'
import type { Reply } from '../http-client.ts'
import { type PartnerVenue, PHONE } from '../partner-venue.ts'

/** One way to one code: what a person does, as docs/simulated-partner-api.md has it, and the same as a test. */
export type Way = readonly [code: string, how: string, reach: (venue: PartnerVenue) => Promise<Reply>]

export const NIDA = '19900101141210000333'
export const FRIEND = { externalId: 'friend', email: 'friend@b.example', phone: PHONE, nidaNumber: NIDA }
export const FOREIGNER = { externalId: 'abroad', email: 'abroad@b.example', country: 'KE' }
export const DECISION = { status: 'approved', nationalId: 'A123', fullName: 'A B', provider: 'partner' }
export const METER = { kind: 'bill', utilityCode: 'LUKU', utilityRef: '04123456780' }

/** A rail is switched off by the settings, and one request meets it. */
export const off =
  (what: string, request: (venue: PartnerVenue) => Promise<Reply>) => async (venue: PartnerVenue) => {
    await venue.settings({ outOfOrder: [what] })
    return request(venue)
  }

/** What no client can bring about: the control API announces it. */
export const announced =
  (code: string, route: string, request: (venue: PartnerVenue) => Promise<Reply>) =>
  async (venue: PartnerVenue) => {
    await venue.refuseNext(route, code)
    return request(venue)
  }

export const transfer = (venue: PartnerVenue, more: object = {}) =>
  venue.post('/transfers', {
    fromUserId: venue.userId,
    toAddress: venue.sandbox.model.options.walletAddress,
    amountTzs: 1_000,
    ...more,
  })
export const deposit = (venue: PartnerVenue, more: object = {}) =>
  venue.post('/deposits', { userId: venue.userId, amountTzs: 1_000, phoneNumber: PHONE, ...more })
export const merchantPay = ({ post, userId }: PartnerVenue, more: object = {}) =>
  post('/merchant/pay', { payerUserId: userId, handle: SAMPLE_SHOP, amountTzs: 1_000, ...more })
export const swap = ({ post, userId }: PartnerVenue, more: object = {}) =>
  post('/swap', { userId, fromToken: 'USDC', toToken: 'TZS_TOKEN', amount: 10, ...more })

export async function foreigner({ post }: PartnerVenue): Promise<string> {
  return String((await post('/users', FOREIGNER)).json['id'])
}

export async function agent(venue: PartnerVenue, wanted: object): Promise<{ readonly key: string }> {
  return { key: String((await venue.control('agents', wanted)).json['key']) }
}
