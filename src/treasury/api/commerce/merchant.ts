import { z } from 'zod'
import { isRecord } from '../../../base/record.ts'
import { err, ok } from '../../../base/result.ts'
import type { Translate } from '../../../base/http/reply.ts'
import { partnerEndpoint, param } from '../kit/endpoint.ts'
import { id, maybe, readFields, words } from '../kit/read-answer.ts'

/** Every route except the activation names the merchant in a header. */
export const ofMerchant = { merchantId: param.id('of the merchant, from its activation', 'x-merchant-id') }

const merchant = z
  .object({ merchantId: id, handle: words, walletAddress: words, alreadyExists: maybe(z.boolean()) })
  .readonly()

/** POST /commerce/accounts: the same userId or e-mail yields the same merchant; the handle is read back, not assumed. */
export const activateMerchant = partnerEndpoint({
  route: 'POST /commerce/accounts',
  summary: 'Makes a user a merchant, or finds the existing merchant.',
  needs: 'commerce',
  params: z.strictObject({
    userId: param.text('of the owner'),
    email: param.text('e-mail address'),
    businessName: param.text('name of the business'),
    settlementPhone: param.text('phone that sales are settled to'),
  }),
  answer: merchant,
  command: {
    resource: 'commerce',
    verb: 'activate',
    example:
      '--user-id 6f1c... --email duka@example.com --business-name "Duka la Mama" --settlement-phone 255712345678',
  },
})

/** POST /commerce/links. The contract defines only the payload's fields. */
export const createLink = partnerEndpoint({
  route: 'POST /commerce/links',
  summary: 'Creates a payment link with its QR code.',
  needs: 'commerce',
  params: z.strictObject({
    ...ofMerchant,
    amountTzs: param.shillings('whole shillings; absent = the payer chooses').optional(),
    label: param.text('what the payer sees').optional(),
  }),
  answer: readFields,
  command: {
    resource: 'commerce',
    verb: 'link-create',
    example: '--merchant-id m_1 --amount-tzs 2500 --label Chai',
  },
})

export const listLinks = partnerEndpoint({
  route: 'GET /commerce/links',
  summary: 'Lists the payment links.',
  needs: 'commerce',
  params: z.strictObject(ofMerchant),
  answer: readFields,
  command: { resource: 'commerce', verb: 'links', example: '--merchant-id m_1' },
})

/** DELETE /commerce/links: the contract does not define how to name the link (`linkSelector` of the settings). */
export const deleteLink = partnerEndpoint({
  route: 'DELETE /commerce/links',
  summary: 'Removes a payment link.',
  needs: 'commerce',
  params: z.strictObject({ ...ofMerchant, linkId: param.id('of the link') }),
  toRequest: ({ linkId }, { linkSelector }) => ({
    query: linkSelector === 'query' ? { id: linkId } : {},
    ...(linkSelector === 'path' ? { subPath: `/${linkId}` } : {}),
    ...(linkSelector === 'body' ? { body: { id: linkId } } : {}),
  }),
  answer: readFields,
  command: { resource: 'commerce', verb: 'link-delete', example: '--merchant-id m_1 --link-id l_1' },
})

type CollectionPage = {
  readonly collections: readonly Readonly<Record<string, unknown>>[]
  /** The cursor of the next page; null = this is the last one. */
  readonly nextCursor: string | null
}

/** The rows unchanged: the contract defines only externalReference. */
const collectionPage: Translate<CollectionPage> = (body) => {
  const fields = isRecord(body) ? body : {}
  const rows = Array.isArray(body) ? body : (fields['collections'] ?? fields['data'] ?? fields['items'])
  if (!Array.isArray(rows)) return err('the body: not a list of collections')
  const cursor = fields['nextCursor'] ?? fields['cursor']
  const collections = (rows as readonly unknown[]).filter(isRecord)
  return ok({ collections, nextCursor: typeof cursor === 'string' && cursor !== '' ? cursor : null })
}

/** GET /commerce/collections: at most 50 per page. */
export const listCollections = partnerEndpoint({
  route: 'GET /commerce/collections',
  summary: 'Lists sales by page.',
  needs: 'commerce',
  params: z.strictObject({
    ...ofMerchant,
    limit: param.count('rows of a page, at most 50').optional(),
    cursor: param.text('of the page before').optional(),
  }),
  answer: collectionPage,
  command: { resource: 'commerce', verb: 'collections', example: '--merchant-id m_1 --limit 50' },
})
