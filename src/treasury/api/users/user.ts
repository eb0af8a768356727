import { z } from 'zod'
import { partnerEndpoint, param } from '../kit/endpoint.ts'
import { id, maybe, oneOf, readFigure, words } from '../kit/read-answer.ts'

const KYC_STATUSES = ['approved', 'pending_review', 'rejected', 'none'] as const

/** The names of each balance: the contract defines some, but not USDT's. */
const BALANCES = [
  ['balanceTzs', ['balanceTzs', 'balance'], 0],
  ['balanceUsdc', ['balanceUsdc'], 6],
  ['balanceUsdt', ['balanceUsdt', 'balanceUSDT', 'usdtBalance'], 6],
] as const
type Balance = (typeof BALANCES)[number][0]

/** Null = not stated. A stated but invalid balance makes the answer unreadable, because it is not zero. */
function balancesOf(
  body: Readonly<Record<string, unknown>>,
  report: (field: string) => void,
): Record<Balance, bigint | null> {
  const read = BALANCES.map(([balance, names, decimals]) => {
    const name = names.find((one) => body[one] !== undefined && body[one] !== null)
    const units = name === undefined ? null : readFigure(body[name], decimals, 'down')
    if (name !== undefined && units === null) report(name)
    return [balance, units] as const
  })
  return Object.fromEntries(read) as Record<Balance, bigint | null>
}

/** Balances are read live: whole shillings rounded down from 18 decimals, dollars in base units. Null = not stated. */
const user = z
  .looseObject({
    id,
    externalId: words,
    email: words,
    name: words,
    phone: words,
    kycStatus: maybe(oneOf(KYC_STATUSES)),
    walletAddress: words,
    code: maybe(oneOf(['kyc_pending_review', 'kyc_attestation_required'])),
    nextStep: maybe(oneOf(['kyc_session', 'kyc_attestation', 'compliance_review'])),
    caseId: words,
  })
  .transform((body, context) => {
    const { id: userId, externalId, email, name, phone, kycStatus, walletAddress } = body
    const report = (field: string) =>
      context.issues.push({ code: 'custom', path: [field], input: body[field], message: 'no figure' })
    return {
      id: userId,
      externalId,
      email,
      name,
      phone,
      kycStatus,
      walletAddress,
      ...balancesOf(body, report),
      /** What a pending verification waits for. */
      code: body.code,
      nextStep: body.nextStep,
      caseId: body.caseId,
    }
  })

/** POST /users: the same externalId yields the same user. 202 = the verification is pending and there is no wallet yet. */
export const createUser = partnerEndpoint({
  route: 'POST /users',
  summary: 'Creates a user with a wallet, or finds the one with this externalId.',
  needs: 'wallets',
  params: z.strictObject({
    externalId: param.text("the partner's own id of the user"),
    email: param.text('e-mail address'),
    name: param.text('full name').optional(),
    country: param.text('ISO 3166-1 alpha-2; default TZ').optional(),
    nidaNumber: param.text('20 digits; needed for TZ').optional(),
    phone: param.text("the user's own mobile money line; required for TZ").optional(),
  }),
  answer: user,
  command: {
    resource: 'users',
    verb: 'create',
    example: '--external-id treasury --email treasury@example.com --nida-number 1990... --phone 255712345678',
  },
})

export const readUser = partnerEndpoint({
  route: 'GET /users/:id',
  summary: 'Reads a user, with live balances.',
  needs: 'wallets',
  params: z.strictObject({ id: param.id('of the user, not externalId') }),
  answer: user,
  command: { resource: 'users', verb: 'read', example: '--id 6f1c...' },
})

export const submitKyc = partnerEndpoint({
  route: 'POST /users/:id/kyc',
  summary: 'Attaches identity details to a user that was created without them.',
  needs: 'wallets',
  params: z.strictObject({
    id: param.id('of the user'),
    nidaNumber: param.text('20 digits').optional(),
    phone: param.text("the user's own mobile money line").optional(),
    country: param.text('ISO 3166-1 alpha-2').optional(),
  }),
  answer: user,
  command: {
    resource: 'users',
    verb: 'kyc',
    example: '--id 6f1c... --nida-number 1990... --phone 255712345678',
  },
})

const DOCUMENTS = ['NATIONAL_ID', 'PASSPORT', 'DRIVERS_LICENSE', 'RESIDENCE_PERMIT', 'VOTER_ID'] as const

/** POST /users/{id}/kyc/attestation, with the fields of the `attestationFields` setting. */
export const attestKyc = partnerEndpoint({
  route: 'POST /users/:id/kyc/attestation',
  summary: "Reports the outcome of the partner's own verification.",
  needs: 'wallets',
  params: z.strictObject({
    id: param.id('of the user'),
    decision: param.choice(['approved', 'rejected'], 'outcome; rejected needs notes'),
    notes: param.text('why it is rejected').optional(),
    country: param.text('of the document, ISO 3166-1 alpha-2').optional(),
    idType: param.choice(DOCUMENTS, 'kind of the document').optional(),
    idNumber: param.text('number of the document').optional(),
    fullName: param.text('name in the document').optional(),
    reference: param.text("the partner's case").optional(),
    verifiedBy: param.text('who verified').optional(),
    verifiedAt: param.text('when, ISO 8601, within 365 days').optional(),
    method: param.text('how, in free text').optional(),
  }),
  toRequest: ({ id: _inPath, ...fields }, { attestationFields }) => {
    if (attestationFields === 'decision') return { body: fields }
    const { decision: status, idNumber: nationalId, fullName, verifiedBy: provider } = fields
    return { body: { status, nationalId, fullName, provider } }
  },
  answer: user,
  command: {
    resource: 'users',
    verb: 'attest',
    example:
      '--id 6f1c... --decision approved --country KE --id-type PASSPORT --id-number AK... --verified-at 2026-11-18T06:40:00Z',
  },
})
