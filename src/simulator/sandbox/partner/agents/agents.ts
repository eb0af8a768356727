import { z } from 'zod'
import { ok, type Result } from '../../../../base/result.ts'
import { answer, type Answer } from '../../api/request.ts'
import { accountOf } from '../../market/book.ts'
import { textField } from '../kit/fields.ts'
import { newAddress, newCode, newId } from '../kit/ids.ts'
import { answerOf, type PartnerRequest, type PartnerRoute, refuse, refuseWith } from '../kit/request.ts'
import { checkCap } from '../money/caps.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'
import type { AgentCredential } from '../model/payments.ts'
import { PARTNER_CAPABILITIES } from '../options.ts'

const capTzs = z.int().min(1).nullable().default(null)

/** Credentials that the control API issues: the contract describes them but no route that issues them. */
const IssueSchema = z.strictObject({
  capabilities: z.array(z.enum(PARTNER_CAPABILITIES)).default(['disbursements', 'agent_float']),
  perTransactionTzs: capTzs,
  dailyTzs: capTzs,
  /** Virtual ms from now; null = never expires. */
  lifeMs: z.number().min(0).nullable().default(null),
  /** The key of the agent's partner; absent = the test key of the options. */
  issuer: z.string().optional(),
})

/** Issues a credential for an agent. The error is the answer that refuses it. */
export function issueAgent(world: PartnerWorld, body: unknown): Result<{ readonly key: string }, Answer> {
  let key = ''
  const answered = answerOf({}, () => {
    key = issueCredential(world, body)
    return answer(200, null)
  })
  return answered.status === 200 ? ok({ key }) : { ok: false, error: answered }
}

function issueCredential({ partners, options }: PartnerWorld, body: unknown): string {
  const parsed = IssueSchema.safeParse(body)
  if (!parsed.success) return refuseWith(400, { error: z.prettifyError(parsed.error) })
  const { issuer = options.apiKey, capabilities, lifeMs, perTransactionTzs, dailyTzs } = parsed.data
  const partner = partners.get(issuer) ?? refuseWith(404, { error: `there is no key ${issuer}` })
  const { world, payments } = partner
  const lacking = capabilities.filter((name) => !world.settings.capabilities.includes(name))
  if (lacking.length > 0)
    refuse('capability_not_held', `the issuer does not hold ${lacking.join(', ')}`, { lacking })
  const credential: AgentCredential = {
    key: newCode(world, 'svc_test_agent_', 20),
    capabilities,
    expiresAt: lifeMs === null ? null : world.venue.now + lifeMs,
    perTransactionTzs: perTransactionTzs === null ? null : BigInt(perTransactionTzs),
    dailyTzs: dailyTzs === null ? null : BigInt(dailyTzs),
    isRevoked: false,
  }
  payments.agents.set(credential.key, credential)
  return credential.key
}

/** Returns the partner of a key: its own, or one that it issued to an agent. */
export function partnerOfKey({ partners }: PartnerWorld, key: string): Partner | undefined {
  return partners.get(key) ?? [...partners.values()].find(({ payments }) => payments.agents.has(key))
}

/** Checks whether an agent's credential may use a route. A partner's own key may. */
export function checkCredential(
  { payments, world }: Partner,
  key: string,
  { capability }: PartnerRoute,
  now: number,
): void {
  const credential = payments.agents.get(key)
  if (credential === undefined) return
  if (credential.isRevoked) refuse('agent_credential_revoked', 'this credential is revoked')
  if (credential.expiresAt !== null && credential.expiresAt <= now)
    refuse('agent_credential_expired', 'this credential has expired')
  if (world.settings.outOfOrder.includes('issuer'))
    refuse('agent_credential_partner_inactive', 'the partner of this credential is deactivated')
  if (capability !== null && !credential.capabilities.includes(capability))
    refuse('capability_required', `this credential is not granted ${capability}`, { capability })
}

/** The platform wallet and every float are one participant each. Source: contract, limits. */
const SANDBOX_PARTICIPANTS = 100n

/** POST /partners/sub-wallets: a wallet of the partner, funded by a transfer to its address. */
export function postSubWallet({ payments, world, isLive }: Partner, { body }: PartnerRequest): Answer {
  if (world.settings.outOfOrder.includes('agentFloat'))
    refuse('agent_float_disabled', 'sub-wallets are not enabled')
  const label = textField(body, 'label') ?? refuse('missing_required_fields', 'label is required')
  if (!isLive) {
    const sentence = `the sandbox has no more than ${SANDBOX_PARTICIPANTS} participants`
    const participants = BigInt(payments.subWallets.size + 1)
    checkCap(world.settings.limitCode, sentence, SANDBOX_PARTICIPANTS, 1n, participants)
  }
  const float = { id: newId(world), address: newAddress(world), label }
  payments.subWallets.set(float.id, float)
  accountOf(world.venue, float.address.toLowerCase())
  return answer(201, float)
}
