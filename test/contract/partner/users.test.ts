import { describe, expect, test } from 'vitest'
import { fundedUser, person, PLACES, refusalOf, valueOf } from './place.ts'

describe.each(PLACES)('users, against $name', ({ open }) => {
  test('createUser gives a verified user a wallet, and the same externalId the same user', async () => {
    const client = await open()
    const wanted = person()
    const first = await client.createUser(wanted)
    expect(first).toMatchObject({
      kind: 'answered',
      status: 201,
      value: { kycStatus: 'approved', balanceTzs: 0n },
    })
    const { id, walletAddress } = valueOf(first)
    expect(walletAddress).toMatch(/^0x[0-9a-fA-F]{40}$/)
    expect(await client.createUser(wanted)).toMatchObject({ status: 200, value: { id, walletAddress } })
    expect(valueOf(await client.readUser({ id }))).toMatchObject({
      id,
      externalId: wanted.externalId,
      balanceUsdc: 0n,
    })
  })

  test('createUser of a NIDA under review waits without a wallet, until approveUser clears it', async () => {
    const client = await open()
    const open202 = await client.createUser(person('0000202'))
    expect(open202).toMatchObject({
      status: 202,
      value: { kycStatus: 'pending_review', code: 'kyc_pending_review', walletAddress: null },
    })
    const { id } = valueOf(open202)
    const payout = { amountTzs: 5_000n, userId: id, phoneNumber: '255754000333' }
    expect(refusalOf(await client.quoteWithdrawal(payout))).toMatchObject({
      code: 'wallet_not_provisioned',
      retry: 'backoff',
    })
    valueOf(await client.approveUser({ userId: id }))
    expect(valueOf(await client.readUser({ id }))).toMatchObject({ kycStatus: 'approved' })
  })

  test('attestKyc reports a verification of one’s own, once; submitKyc is then decided', async () => {
    const client = await open()
    const { externalId, email } = person()
    const created = await client.createUser({ externalId, email, country: 'KE' })
    expect(created).toMatchObject({ status: 202, value: { code: 'kyc_attestation_required' } })
    const { id } = valueOf(created)
    const attestation = {
      id,
      decision: 'approved',
      country: 'KE',
      idType: 'PASSPORT',
      idNumber: person().nidaNumber.slice(0, 9),
      fullName: 'Grace Otieno',
      reference: 'case-1',
      verifiedBy: 'desk',
      verifiedAt: new Date(Date.now() - 86_400_000).toISOString(),
    } as const
    const attested = valueOf(await client.attestKyc(attestation))
    expect(attested).toMatchObject({ id, kycStatus: 'approved' })
    expect(attested.walletAddress).toMatch(/^0x/)
    expect(refusalOf(await client.attestKyc(attestation))).toMatchObject({
      status: 409,
      code: 'kyc_already_decided',
    })
  })

  test('submitKyc gives a user that was created abroad a NIDA, and refuses one that backs another wallet', async () => {
    const client = await open()
    const taken = person()
    valueOf(await client.createUser(taken))
    const { externalId, email, nidaNumber, phone } = person()
    const { id } = valueOf(await client.createUser({ externalId, email, country: 'KE' }))
    expect(refusalOf(await client.submitKyc({ id, nidaNumber: taken.nidaNumber, phone })).status).toBe(409)
    expect(valueOf(await client.submitKyc({ id, nidaNumber, phone }))).toMatchObject({
      id,
      kycStatus: 'approved',
    })
  })

  test('readUser shows what was paid in, exactly, and refuses an id that no one has', async () => {
    const client = await open()
    const { id } = await fundedUser(client, 123_457n)
    expect(valueOf(await client.readUser({ id })).balanceTzs).toBe(123_457n)
    const nobody = await client.readUser({ id: '00000000-0000-4000-8000-000000000000' })
    expect(refusalOf(nobody)).toMatchObject({ status: 404, code: 'user_not_found', retry: 'never' })
  })

  test('a Tanzanian user needs a NIDA number and a phone, and a country that exists', async () => {
    const client = await open()
    const { externalId, email } = person()
    expect(refusalOf(await client.createUser({ externalId, email }))).toMatchObject({
      status: 400,
      code: 'kyc_required',
    })
    expect(refusalOf(await client.createUser({ externalId, email, country: 'Kenya' })).code).toBe(
      'invalid_country',
    )
  })
})
