import { answer } from '../../api/request.ts'
import { isoTime } from '../../state.ts'
import { hasField, textField, wholeTzs } from '../kit/fields.ts'
import { newId } from '../kit/ids.ts'
import { notFound, type PartnerAnswer, type PartnerRequest, refuse } from '../kit/request.ts'
import type { Merchant, PaymentLink } from '../model/commerce.ts'
import type { Partner } from '../model/partner.ts'

/** Source: contract, limits of a balance payment. */
export const LEAST_SALE_TZS = 100n

/** POST /commerce/links: a fixed amount, or one that the payer chooses where it is left out. */
export function createSimulatedLink(
  { world }: Partner,
  { body, now }: PartnerRequest,
  merchant: Merchant,
): PartnerAnswer {
  const label = textField(body, 'label')
  if (label === null) return refuse('missing_required_fields', 'label is required')
  const amountTzs = hasField(body, 'amountTzs') ? wholeTzs(body['amountTzs']) : null
  if (hasField(body, 'amountTzs') && (amountTzs === null || amountTzs < LEAST_SALE_TZS))
    return refuse('invalid_amount', `amountTzs must be a whole number from ${LEAST_SALE_TZS}`)
  const link: PaymentLink = { id: newId(world), amountTzs, label, createdAt: now }
  merchant.links.set(link.id, link)
  return answer(201, shown(merchant, link))
}

/** GET /commerce/links: oldest first. */
export function listSimulatedLinks(merchant: Merchant): PartnerAnswer {
  return answer(200, { links: [...merchant.links.values()].map((link) => shown(merchant, link)) })
}

/** DELETE /commerce/links. The contract does not show how a link is named: `linkId` or `id`, in the query or the body. */
export function deleteSimulatedLink({ query, body }: PartnerRequest, merchant: Merchant): PartnerAnswer {
  const id = query['linkId'] ?? query['id'] ?? textField(body, 'linkId') ?? textField(body, 'id')
  if (id === null) return refuse('missing_required_fields', 'linkId is required')
  return merchant.links.delete(id) ? answer(200, { deleted: true, id }) : notFound('link')
}

function shown({ handle }: Merchant, { id, amountTzs, label, createdAt }: PaymentLink): object {
  return {
    id,
    amountTzs: amountTzs === null ? null : Number(amountTzs),
    label,
    url: `https://pay.sandbox.invalid/${handle}/${id}`,
    createdAt: isoTime(createdAt),
  }
}
