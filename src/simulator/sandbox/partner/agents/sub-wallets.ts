import { accountOf } from '../../market/accounts.ts'
import { textField } from '../kit/fields.ts'
import { newAddress, newId } from '../kit/ids.ts'
import { type PartnerAnswer, type PartnerRequest, type PartnerRoute, refuse } from '../kit/request.ts'
import type { Partner } from '../model/partner.ts'

/** The platform wallet and every float are one participant each. Source: contract, limits. */
const SANDBOX_PARTICIPANTS = 100

/** POST /partners/sub-wallets: a wallet of the partner's own, funded by a transfer to its address. */
function createSubWallet(partner: Partner, { body }: PartnerRequest): PartnerAnswer {
  const { payments, world, isLive } = partner
  if (world.settings.outOfOrder.includes('agentFloat'))
    return refuse('agent_float_disabled', 'sub-wallets are not enabled')
  const label = textField(body, 'label')
  if (label === null) return refuse('missing_required_fields', 'label is required')
  const participants = payments.subWallets.size + 1
  if (!isLive && participants >= SANDBOX_PARTICIPANTS)
    return refuse(world.settings.limitCode, 'the sandbox has no more than 100 participants', {
      limit: SANDBOX_PARTICIPANTS,
      requested: 1,
      usedInPeriod: participants,
    })
  const float = { id: newId(world), address: newAddress(world), label }
  payments.subWallets.set(float.id, float)
  accountOf(world.venue, float.address.toLowerCase())
  return { status: 201, body: float }
}

export const AGENT_ROUTES: readonly PartnerRoute[] = [
  {
    method: 'POST',
    path: '/partners/sub-wallets',
    capability: 'agent_float',
    needsKyb: true,
    isIdempotent: false,
    answer: createSubWallet,
  },
]
