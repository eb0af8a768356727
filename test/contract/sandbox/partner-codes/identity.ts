import { type Way, NIDA, FRIEND, FOREIGNER, DECISION, off, transfer, foreigner } from './requests.ts'

export const IDENTITY: readonly Way[] = [
  [
    'kyc_required',
    'a new user without nidaNumber',
    ({ post }) => post('/users', { ...FRIEND, nidaNumber: undefined }),
  ],
  [
    'kyc_pending_review',
    'a new user whose NIDA ends in 0000202',
    ({ post }) => post('/users', { ...FRIEND, nidaNumber: '1990010114120000202'.padStart(20, '1') }),
  ],
  ['kyc_attestation_required', 'a new user of another country', ({ post }) => post('/users', FOREIGNER)],
  [
    'kyc_failed',
    'a NIDA that has not 20 digits',
    ({ post }) => post('/users', { ...FRIEND, nidaNumber: '1' }),
  ],
  [
    'kyc_already_decided',
    'an attestation of a verified user',
    ({ post, userId }) => post(`/users/${userId}/kyc/attestation`, DECISION),
  ],
  [
    'kyc_reliance_not_granted',
    '`reliance: false` and an attestation',
    async (venue) => {
      await venue.settings({ reliance: false })
      return venue.post(`/users/${await foreigner(venue)}/kyc/attestation`, DECISION)
    },
  ],
  [
    'verified_at_stale',
    'an attestation whose verifiedAt is older than 365 days',
    async (venue) =>
      venue.post(`/users/${await foreigner(venue)}/kyc/attestation`, {
        decision: 'approved',
        country: 'KE',
        idType: 'PASSPORT',
        idNumber: 'A123',
        fullName: 'A B',
        reference: 'case-1',
        verifiedBy: 'partner',
        verifiedAt: '2020-01-01T00:00:00.000Z',
      }),
  ],
  [
    'identity_already_registered',
    'an attestation with the document of another user',
    async (venue) => {
      await venue.post(`/users/${await foreigner(venue)}/kyc/attestation`, DECISION)
      const second = await venue.post('/users', { ...FOREIGNER, externalId: 'second', email: 'c@b.example' })
      return venue.post(`/users/${String(second.json['id'])}/kyc/attestation`, DECISION)
    },
  ],
  [
    'nida_already_registered',
    'a new user with the NIDA of another one',
    async ({ post }) => {
      await post('/users', FRIEND)
      return post('/users', { ...FRIEND, externalId: 'second', email: 'c@b.example' })
    },
  ],
  [
    'identity_mismatch',
    'another NIDA for a user that has one',
    ({ post, userId }) => post(`/users/${userId}/kyc`, { nidaNumber: NIDA }),
  ],
  [
    'kyc_unavailable',
    '`outOfOrder: ["kyc"]` and a new user',
    off('kyc', ({ post }) => post('/users', FRIEND)),
  ],
  ['user_not_found', 'an id that the key has no user of', ({ ask }) => ask('GET', '/users/none')],
  [
    'wallet_not_provisioned',
    'a payment of a user whose identity is open',
    async (venue) => transfer(venue, { fromUserId: await foreigner(venue) }),
  ],
]
