import { z } from 'zod'
import { err, ok, type Result } from '../../../../base/result.ts'
import type { Ms } from '../../../../base/time.ts'
import { newCode } from '../kit/ids.ts'
import { isRefusal, type PartnerRefusal, type PartnerRoute, refusalAnswer, refuse } from '../kit/request.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'
import type { AgentCredential } from '../model/payments.ts'
import { PARTNER_CAPABILITIES } from '../options.ts'

const capTzs = z.int().min(1).nullable().default(null)

/** What the control API issues: the contract shows what credentials do and not how they are issued. */
const CredentialSchema = z.strictObject({
  capabilities: z.array(z.enum(PARTNER_CAPABILITIES)).default(['disbursements', 'agent_float']),
  perTransactionTzs: capTzs,
  dailyTzs: capTzs,
  /** Virtual ms from now; null = it does not expire. */
  lifeMs: z.number().min(0).nullable().default(null),
})

/** A credential of that partner, or the refusal where its issuer lacks what it would delegate. */
function issueCredential(
  { world, payments }: Partner,
  wanted: z.output<typeof CredentialSchema>,
): AgentCredential | PartnerRefusal {
  const lacking = wanted.capabilities.filter((name) => !world.settings.capabilities.includes(name))
  if (lacking.length > 0)
    return refuse('capability_not_held', `the issuer does not hold ${lacking.join(', ')}`, { lacking })
  const whole = (tzs: number | null) => (tzs === null ? null : BigInt(tzs))
  const credential: AgentCredential = {
    key: newCode(world, 'svc_test_agent_', 20),
    capabilities: wanted.capabilities,
    expiresAt: wanted.lifeMs === null ? null : world.venue.now + wanted.lifeMs,
    perTransactionTzs: whole(wanted.perTransactionTzs),
    dailyTzs: whole(wanted.dailyTzs),
    isRevoked: false,
  }
  payments.agents.set(credential.key, credential)
  return credential
}

const IssueSchema = CredentialSchema.extend({
  /** Whose agent it is; absent = of the test key of the options. */
  issuer: z.string().optional(),
})

/** A credential for an agent, or the answer that refuses it: the contract has codes for issuing and no route. */
export function issueAgent(
  { partners, options }: PartnerWorld,
  body: unknown,
): Result<{ readonly key: string }, { readonly status: number; readonly body: unknown }> {
  const wanted = IssueSchema.safeParse(body)
  if (!wanted.success) return err({ status: 400, body: { error: z.prettifyError(wanted.error) } })
  const { issuer = options.apiKey, ...credential } = wanted.data
  const partner = partners.get(issuer)
  if (partner === undefined) return err({ status: 404, body: { error: `there is no key ${issuer}` } })
  const issued = issueCredential(partner, credential)
  return isRefusal(issued) ? err(refusalAnswer(issued, false)) : ok({ key: issued.key })
}

/** Irreversible. False where there is no such credential. */
export function revokeCredential({ payments }: Partner, key: string): boolean {
  const credential = payments.agents.get(key)
  if (credential === undefined) return false
  credential.isRevoked = true
  return true
}

/** Whose key it is: a partner's own, or one that it has issued to a machine. */
export function partnerOfKey({ partners }: PartnerWorld, key: string): Partner | undefined {
  return partners.get(key) ?? [...partners.values()].find(({ payments }) => payments.agents.has(key))
}

/** What a credential may not do at this route; null for a partner's own key. */
export function refuseCredential(
  { payments, world }: Partner,
  key: string,
  { capability }: Pick<PartnerRoute, 'capability'>,
  now: Ms,
): PartnerRefusal | null {
  const credential = payments.agents.get(key)
  if (credential === undefined) return null
  if (credential.isRevoked) return refuse('agent_credential_revoked', 'this credential is revoked')
  if (credential.expiresAt !== null && credential.expiresAt <= now)
    return refuse('agent_credential_expired', 'this credential has expired')
  if (world.settings.outOfOrder.includes('issuer'))
    return refuse('agent_credential_partner_inactive', 'the partner of this credential is deactivated')
  if (capability === null || credential.capabilities.includes(capability)) return null
  return refuse('capability_required', `this credential is not granted ${capability}`, { capability })
}
