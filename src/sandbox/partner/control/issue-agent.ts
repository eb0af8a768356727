import { z } from 'zod'
import { err, ok, type Result } from '../../../base/result.ts'
import { CredentialSchema, issueCredential } from '../agents/credentials.ts'
import { isRefusal, refusalAnswer } from '../kit/request.ts'
import type { PartnerWorld } from '../model/partner.ts'

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
