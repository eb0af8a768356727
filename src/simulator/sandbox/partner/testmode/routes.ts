import { createPartner } from '../create.ts'
import { textField } from '../kit/fields.ts'
import { newCode } from '../kit/ids.ts'
import {
  isRefusal,
  type PartnerAnswer,
  type PartnerRequest,
  type PartnerRoute,
  refuse,
} from '../kit/request.ts'
import { settlePending } from '../kit/schedule.ts'
import type { Partner } from '../model/partner.ts'
import { announceKyc, approveIdentity } from '../users/identity.ts'
import { findUser, showUser } from '../users/show.ts'
import { resetKey } from './reset.ts'

/** POST /testmode/signup: a key of its own, with every capability, approved KYB and a float. */
function signUp({ world }: Partner, { body }: PartnerRequest): PartnerAnswer {
  if (world.settings.outOfOrder.includes('signup')) return refuse('signup_disabled', 'sign-up is closed')
  const name = textField(body, 'name')
  const email = textField(body, 'email')
  if (name === null || email === null) return refuse('missing_required_fields', 'name and email are required')
  for (const other of world.partners.values()) {
    if (other.email === email) return refuse('already_test', 'this account has a sandbox key already')
  }
  const partner = createPartner(world, {
    key: newCode(world, 'svc_test_', 24),
    webhookSecret: newCode(world, 'whsec_', 32),
    name,
    email,
    isLive: false,
  })
  return { status: 201, body: { apiKey: partner.key, webhookSecret: partner.webhookSecret } }
}

/** GET /testmode. The contract shows no body: it reports that no rail is really live. */
function readTestmode(partner: Partner): PartnerAnswer {
  if (partner.isLive) return testModeOnly()
  return {
    status: 200,
    body: {
      livemode: false,
      rails: { mobile_money: 'simulated', card: 'simulated', bank: 'simulated', chain: 'simulated' },
      settlesAfterMs: partner.world.settings.settleMs,
      pending: partner.pending.size,
    },
  }
}

/** POST /testmode/advance: settles everything that is on its way. */
function advance(partner: Partner): PartnerAnswer {
  if (partner.isLive) return testModeOnly()
  return { status: 200, body: { settled: settlePending(partner) } }
}

/** POST /testmode/users/:userId/approve: the end of a review that a person would make. */
function approveUser(partner: Partner, { params }: PartnerRequest): PartnerAnswer {
  if (partner.isLive) return testModeOnly()
  const user = findUser(partner, params['userId'])
  if (isRefusal(user)) return user
  if (user.kycStatus === 'rejected') return refuse('kyc_already_decided', 'the identity was rejected')
  if (user.kycStatus !== 'approved') {
    approveIdentity(partner, user)
    announceKyc(partner, user, 'testmode')
  }
  return { status: 200, body: showUser(partner, user) }
}

/** POST /testmode/reset. */
function reset(partner: Partner): PartnerAnswer {
  if (partner.isLive) return testModeOnly()
  resetKey(partner)
  return { status: 200, body: { reset: true } }
}

function testModeOnly(): PartnerAnswer {
  return refuse('test_mode_only', 'this route takes test keys only')
}

export const TESTMODE_ROUTES: readonly PartnerRoute[] = [
  {
    method: 'POST',
    path: '/testmode/signup',
    capability: null,
    isIdempotent: false,
    isPublic: true,
    answer: signUp,
  },
  { method: 'GET', path: '/testmode', capability: null, isIdempotent: false, answer: readTestmode },
  { method: 'POST', path: '/testmode/advance', capability: null, isIdempotent: false, answer: advance },
  { method: 'POST', path: '/testmode/reset', capability: null, isIdempotent: false, answer: reset },
  {
    method: 'POST',
    path: '/testmode/users/:userId/approve',
    capability: null,
    isIdempotent: false,
    answer: approveUser,
  },
]
