import { DAY_MS } from '../../../../base/time.ts'
import { answer, type Answer } from '../../api/request.ts'
import { plainText, textField } from '../kit/fields.ts'
import { type PartnerRequest, refuse, type RequestFields } from '../kit/request.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerUser } from '../model/payments.ts'
import { announceKyc, approveIdentity, findUser, isCountry, isTaken } from './identity.ts'

/** The oldest decision that counts. Source: contract, limits. */
const OLDEST_DECISION_MS = 365 * DAY_MS

const ID_TYPES = ['NATIONAL_ID', 'PASSPORT', 'DRIVERS_LICENSE', 'RESIDENCE_PERMIT', 'VOTER_ID']

/** A decision in one of the contract's two bodies. */
type Attestation = {
  readonly isApproved: boolean
  readonly idNumber: string | null
  readonly isNationalId: boolean
  readonly fullName: string | null
  readonly provider: string
}

/** POST /users/:id/kyc/attestation: the partner's own decision on an open case. */
export function postAttestation(partner: Partner, { params, body, now }: PartnerRequest): Answer {
  const user = findUser(partner, params['id'])
  if (!partner.world.settings.reliance)
    refuse('kyc_reliance_not_granted', 'this partner may not attest identities')
  const attestation = body['decision'] === undefined ? readShort(body) : readFull(body, user, now)
  if (user.kycStatus === 'approved' || user.kycStatus === 'rejected')
    refuse('kyc_already_decided', `the case is decided: ${user.kycStatus}`)
  const { idNumber, isNationalId } = attestation
  if (idNumber !== null) {
    if (isNationalId && user.nidaNumber !== null && user.nidaNumber !== idNumber)
      refuse('identity_mismatch', "the document differs from the user's NIDA number")
    if (isTaken(partner, idNumber, user.id))
      refuse('identity_already_registered', 'this identity backs another wallet')
  }
  decide(partner, user, attestation)
  const { id, externalId, kycStatus, caseId, walletAddress } = user
  return answer(200, { id, externalId, kycStatus, caseId, walletAddress })
}

function decide(partner: Partner, user: PartnerUser, attestation: Attestation): void {
  if (attestation.isApproved) {
    user.nidaNumber = attestation.idNumber ?? user.nidaNumber
    user.name = attestation.fullName ?? user.name
    approveIdentity(partner, user)
  } else {
    Object.assign(user, { kycStatus: 'rejected', nextStep: null })
  }
  announceKyc(partner, user, attestation.provider)
}

/** The body of the API description: `status`, and the fields that the partner has. */
function readShort(body: RequestFields): Attestation {
  const { status } = body
  if (status !== 'approved' && status !== 'rejected')
    refuse('missing_required_fields', 'decision (or status) must be approved or rejected')
  return {
    isApproved: status === 'approved',
    idNumber: textField(body, 'nationalId'),
    isNationalId: true,
    fullName: textField(body, 'fullName'),
    provider: textField(body, 'provider') ?? 'partner',
  }
}

/** The body of the integration guide: every field of the decision. */
function readFull(body: RequestFields, user: PartnerUser, now: number): Attestation {
  const { decision, idType } = body
  const isRejected = decision === 'rejected'
  const needed = ['country', 'idType', 'idNumber', 'fullName', 'reference', 'verifiedBy', 'verifiedAt']
  const missing = (isRejected ? [...needed, 'notes'] : needed).filter(
    (name) => textField(body, name) === null,
  )
  if (missing.length > 0) refuse('missing_required_fields', `missing: ${missing.join(', ')}`)
  if (decision !== 'approved' && !isRejected)
    refuse('missing_required_fields', 'decision must be approved or rejected')
  const country = plainText(body, 'country')
  if (!isCountry(country)) refuse('invalid_country', 'country must be a code of ISO 3166-1 alpha-2')
  if (!ID_TYPES.includes(String(idType)))
    refuse('missing_required_fields', `idType must be one of ${ID_TYPES.join(', ')}`)
  const verifiedAt = Date.parse(plainText(body, 'verifiedAt'))
  if (!(verifiedAt <= now + DAY_MS && now - verifiedAt <= OLDEST_DECISION_MS))
    refuse('verified_at_stale', 'verifiedAt must be a moment within the last 365 days')
  if (country !== user.country)
    refuse('identity_mismatch', 'the document is of another country than the user')
  return {
    isApproved: !isRejected,
    idNumber: textField(body, 'idNumber'),
    isNationalId: idType === 'NATIONAL_ID' && country === 'TZ',
    fullName: textField(body, 'fullName'),
    provider: textField(body, 'verifiedBy') ?? 'partner',
  }
}
