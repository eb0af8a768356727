import { answer, type Answer } from '../api/request.ts'
import { createPartner, resetKey } from './create.ts'
import { textField } from './kit/fields.ts'
import { newCode } from './kit/ids.ts'
import { type PartnerRequest, refuse } from './kit/request.ts'
import { settlePending } from './kit/schedule.ts'
import type { Partner } from './model/partner.ts'
import { announceKyc, approveIdentity, findUser, userBody } from './users/identity.ts'

/** POST /testmode/signup: a new key with every capability, approved KYB and a float. */
export function postSignup({ world }: Partner, { body }: PartnerRequest): Answer {
  if (world.settings.outOfOrder.includes('signup')) refuse('signup_disabled', 'sign-up is closed')
  const name = textField(body, 'name')
  const email = textField(body, 'email')
  if (name === null || email === null) return refuse('missing_required_fields', 'name and email are required')
  if ([...world.partners.values()].some((other) => other.email === email))
    refuse('already_test', 'this account has a sandbox key already')
  const { key, webhookSecret } = createPartner(world, {
    key: newCode(world, 'svc_test_', 24),
    webhookSecret: newCode(world, 'whsec_', 32),
    name,
    email,
    isLive: false,
  })
  return answer(201, { apiKey: key, webhookSecret })
}

type TestHandler = (partner: Partner, request: PartnerRequest) => Answer

/** A handler that refuses live keys. */
export function testKeysOnly(handler: TestHandler): TestHandler {
  return (partner, request) =>
    partner.isLive ? refuse('test_mode_only', 'this route takes test keys only') : handler(partner, request)
}

/** GET /testmode: reports that every rail is simulated. The contract shows no body. */
export function getTestmode({ world, pending }: Partner): Answer {
  return answer(200, {
    livemode: false,
    rails: { mobile_money: 'simulated', card: 'simulated', bank: 'simulated', chain: 'simulated' },
    settlesAfterMs: world.settings.settleMs,
    pending: pending.size,
  })
}

/** POST /testmode/advance: settles everything that is pending. */
export function postAdvance(partner: Partner): Answer {
  return answer(200, { settled: settlePending(partner) })
}

/** POST /testmode/users/:userId/approve: ends a review as a person would. */
export function postApproval(partner: Partner, { params }: PartnerRequest): Answer {
  const user = findUser(partner, params['userId'])
  if (user.kycStatus === 'rejected') refuse('kyc_already_decided', 'the identity was rejected')
  if (user.kycStatus !== 'approved') {
    approveIdentity(partner, user)
    announceKyc(partner, user, 'testmode')
  }
  return answer(200, userBody(partner, user))
}

/** POST /testmode/reset. */
export function postReset(partner: Partner): Answer {
  resetKey(partner)
  return answer(200, { reset: true })
}
