import { DAY_MS } from '../../../../base/time.ts'
import { plainText, textField } from '../kit/fields.ts'
import {
  isRefusal,
  type PartnerAnswer,
  type PartnerRefusal,
  type PartnerRequest,
  refuse,
} from '../kit/request.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerUser } from '../model/records.ts'
import { announceKyc, approveIdentity, isCountry, isTaken } from './identity.ts'
import { findUser } from './show.ts'

/** The oldest decision that counts. Source: contract, limits. */
const OLDEST_DECISION_MS = 365 * DAY_MS

const ID_TYPES = ['NATIONAL_ID', 'PASSPORT', 'DRIVERS_LICENSE', 'RESIDENCE_PERMIT', 'VOTER_ID']

/** Both bodies of the contract, read into one. */
type Attestation = {
  readonly isApproved: boolean
  readonly idNumber: string | null
  readonly isNationalId: boolean
  readonly fullName: string | null
  readonly provider: string
}

/** POST /users/:id/kyc/attestation: the partner's own decision on an open case. */
export function attest(partner: Partner, { params, body, now }: PartnerRequest): PartnerAnswer {
  const user = findUser(partner, params['id'])
  if (isRefusal(user)) return user
  if (!partner.world.settings.reliance)
    return refuse('kyc_reliance_not_granted', 'this partner may not attest identities')
  const attestation = body['decision'] === undefined ? readShort(body) : readFull(body, user, now)
  if (isRefusal(attestation)) return attestation
  if (user.kycStatus === 'approved' || user.kycStatus === 'rejected')
    return refuse('kyc_already_decided', `the case is decided: ${user.kycStatus}`)
  const { idNumber, isNationalId } = attestation
  if (idNumber !== null) {
    const isOther = isNationalId && user.nidaNumber !== null && user.nidaNumber !== idNumber
    if (isOther)
      return refuse('identity_mismatch', 'the document differs from the NIDA number that the user has')
    if (isTaken(partner, idNumber, user.id))
      return refuse('identity_already_registered', 'this identity backs another wallet')
  }
  decide(partner, user, attestation)
  const { id, externalId, kycStatus, caseId, walletAddress } = user
  return { status: 200, body: { id, externalId, kycStatus, caseId, walletAddress } }
}

function decide(partner: Partner, user: PartnerUser, attestation: Attestation): void {
  if (attestation.isApproved) {
    user.nidaNumber = attestation.idNumber ?? user.nidaNumber
    user.name = attestation.fullName ?? user.name
    approveIdentity(partner, user)
  } else {
    user.kycStatus = 'rejected'
    user.nextStep = null
  }
  announceKyc(partner, user, attestation.provider)
}

/** The body as first described: `status`, and what the partner knows. */
function readShort(body: PartnerRequest['body']): Attestation | PartnerRefusal {
  const status = body['status']
  if (status !== 'approved' && status !== 'rejected')
    return refuse('missing_required_fields', 'decision (or status) must be approved or rejected')
  return {
    isApproved: status === 'approved',
    idNumber: textField(body, 'nationalId'),
    isNationalId: true,
    fullName: textField(body, 'fullName'),
    provider: textField(body, 'provider') ?? 'partner',
  }
}

/** The body of the integration guide: every field of the decision. */
function readFull(
  body: PartnerRequest['body'],
  user: PartnerUser,
  now: number,
): Attestation | PartnerRefusal {
  const { decision, idType } = body
  const isRejected = decision === 'rejected'
  const needed = ['country', 'idType', 'idNumber', 'fullName', 'reference', 'verifiedBy', 'verifiedAt']
  const missing = (isRejected ? [...needed, 'notes'] : needed).filter(
    (name) => textField(body, name) === null,
  )
  if ((decision !== 'approved' && !isRejected) || missing.length > 0) {
    const words =
      missing.length === 0 ? 'decision must be approved or rejected' : `missing: ${missing.join(', ')}`
    return refuse('missing_required_fields', words)
  }
  const country = plainText(body, 'country')
  if (!isCountry(country)) return refuse('invalid_country', 'country must be a code of ISO 3166-1 alpha-2')
  if (!ID_TYPES.includes(String(idType)))
    return refuse('missing_required_fields', `idType must be one of ${ID_TYPES.join(', ')}`)
  const verifiedAt = Date.parse(plainText(body, 'verifiedAt'))
  if (!(verifiedAt <= now + DAY_MS && now - verifiedAt <= OLDEST_DECISION_MS))
    return refuse('verified_at_stale', 'verifiedAt must be a moment within the last 365 days')
  if (country !== user.country)
    return refuse('identity_mismatch', 'the document is of another country than the user')
  return {
    isApproved: !isRejected,
    idNumber: textField(body, 'idNumber'),
    isNationalId: idType === 'NATIONAL_ID' && country === 'TZ',
    fullName: textField(body, 'fullName'),
    provider: textField(body, 'verifiedBy') ?? 'partner',
  }
}
