import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../../../../src/base/time.ts'
import type { SandboxOptionsInput } from '../../../../../../src/simulator/sandbox/options.ts'
import { partnerClient } from '../partner-client.ts'

const NIDA = '19880101141210000125'
const person = {
  externalId: 'amina',
  email: 'amina@example.com',
  phone: '0754123456',
  nidaNumber: NIDA,
}
const foreigner = { externalId: 'anna', email: 'anna@example.com', country: 'KE' }

function open(options: SandboxOptionsInput = {}) {
  const client = partnerClient(options)
  const create = (body: object) => client.ask('POST', '/users', body)
  const events = () => client.model.partner.outbox.map(({ text }) => JSON.parse(text) as unknown)
  return { ...client, create, events }
}

describe('creating a user', () => {
  test('verifies a Tanzanian at once and gives a wallet', () => {
    const { create, ask } = open()
    const created = create({ ...person, name: 'Amina' })
    expect(created).toMatchObject({
      status: 201,
      json: {
        externalId: 'amina',
        name: 'Amina',
        phone: '255754123456',
        kycStatus: 'approved',
        walletAddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
        balanceTzs: 0,
        balanceUsdc: 0,
      },
    })
    expect(ask('GET', `/users/${String(created.json['id'])}`).json).toEqual(created.json)
  })

  test('resolves an externalId that is known, whatever else it brings', () => {
    const { create } = open()
    const { json } = create(person)
    expect(create({ ...person, email: 'other@example.com', nidaNumber: 'x' })).toMatchObject({
      status: 200,
      json,
    })
  })

  test.each([
    [{ email: 'a@b.example' }, 400, { error: 'missing_required_fields' }],
    [{ ...person, email: 'nobody' }, 400, { error: 'missing_required_fields' }],
    [{ ...person, country: 'Tanzania' }, 400, { code: 'invalid_country' }],
    [{ ...person, country: 'XQ' }, 400, { code: 'invalid_country' }],
    [{ ...person, nidaNumber: undefined }, 400, { code: 'kyc_required' }],
    [{ ...person, phone: undefined }, 400, { code: 'phone_required' }],
    [{ ...person, phone: '12' }, 400, { code: 'phone_invalid' }],
    [{ ...person, nidaNumber: '123' }, 400, { code: 'kyc_failed' }],
    [{ ...person, nidaNumber: '19900101141210000118' }, 409, { code: 'nida_already_registered' }],
  ])('refuses %j with %i', (body, status, json) => {
    const { create, partner } = open()
    expect(create(body)).toMatchObject({ status, json })
    expect(partner.users.size).toBe(1)
  })

  test('needs the capability', () => {
    const bare = open({ partner: { settings: { capabilities: [] } } })
    expect(bare.create(person)).toMatchObject({ status: 403, json: { error: 'capability_required' } })
  })
})

describe('attesting an identity', () => {
  const full = (now: number) => ({
    decision: 'approved',
    country: 'KE',
    idType: 'PASSPORT',
    idNumber: 'AK123',
    fullName: 'Anna',
    reference: 'case 1',
    verifiedBy: 'our desk',
    verifiedAt: new Date(now - DAY_MS).toISOString(),
  })
  function openCase(options: SandboxOptionsInput = {}) {
    const client = open(options)
    const created = client.create(foreigner)
    expect(created).toMatchObject({ status: 202, json: { code: 'kyc_attestation_required' } })
    const id = String(created.json['id'])
    const attest = (body: object) => client.ask('POST', `/users/${id}/kyc/attestation`, body)
    return { ...client, id, attest, now: client.model.state.now }
  }

  test.each(['guide', 'reference'])('approves with the body of the %s and issues the wallet', (which) => {
    const { attest, now, events } = openCase()
    const body =
      which === 'guide' ? full(now) : { status: 'approved', fullName: 'Anna', provider: 'our desk' }
    expect(attest(body)).toMatchObject({
      status: 200,
      json: {
        externalId: 'anna',
        kycStatus: 'approved',
        caseId: expect.any(String),
        walletAddress: expect.any(String),
      },
    })
    expect(events()).toMatchObject([{ type: 'kyc.updated', data: { provider: 'our desk' } }])
    expect(attest(body)).toMatchObject({ status: 409, json: { code: 'kyc_already_decided' } })
  })

  test('rejects for good', () => {
    const { attest, now, ask, id } = openCase()
    expect(attest({ ...full(now), decision: 'rejected' })).toMatchObject({
      json: { error: 'missing_required_fields' },
    })
    expect(attest({ ...full(now), decision: 'rejected', notes: 'a forgery' })).toMatchObject({
      status: 200,
      json: { kycStatus: 'rejected', walletAddress: null },
    })
    expect(ask('POST', `/users/${id}/kyc`, {})).toMatchObject({
      status: 409,
      json: { code: 'kyc_already_decided' },
    })
  })

  test('takes no decision that is too old, of another country, incomplete, or of an identity in use', () => {
    const { attest, now, create, ask } = openCase()
    const old = new Date(now - 366 * DAY_MS).toISOString()
    expect(attest({ ...full(now), verifiedAt: old })).toMatchObject({ json: { code: 'verified_at_stale' } })
    expect(attest({ ...full(now), verifiedAt: 'soon' })).toMatchObject({
      json: { code: 'verified_at_stale' },
    })
    expect(attest({ ...full(now), country: 'UG' })).toMatchObject({ json: { code: 'identity_mismatch' } })
    expect(attest({ ...full(now), country: '??' })).toMatchObject({ json: { code: 'invalid_country' } })
    expect(attest({ ...full(now), idType: 'LIBRARY' })).toMatchObject({ status: 400 })
    expect(attest({})).toMatchObject({ status: 400, json: { error: 'missing_required_fields' } })
    const other = create({ ...foreigner, externalId: 'other', email: 'o@b.example' })
    ask('POST', `/users/${String(other.json['id'])}/kyc/attestation`, full(now))
    expect(attest(full(now))).toMatchObject({ status: 409, json: { code: 'identity_already_registered' } })
  })
})

test('an identity is attached later, and none that differs from the one there is', () => {
  const { create, ask, partner, events } = open()
  const id = String(create(person).json['id'])
  expect(ask('POST', `/users/${id}/kyc`, { nidaNumber: '19880101141210000126' })).toMatchObject({
    status: 409,
    json: { code: 'identity_mismatch' },
  })
  const user = partner.users.get(id)
  if (user === undefined) throw new Error('the user is gone')
  Object.assign(user, { kycStatus: 'none', nidaNumber: null, walletAddress: null })
  expect(ask('POST', `/users/${id}/kyc`, {})).toMatchObject({
    status: 202,
    json: { nextStep: 'kyc_session' },
  })
  expect(ask('POST', `/users/${id}/kyc`, { nidaNumber: NIDA, phone: 'x' })).toMatchObject({
    json: { code: 'invalid_phone' },
  })
  expect(ask('POST', `/users/${id}/kyc`, { nidaNumber: NIDA })).toMatchObject({
    status: 200,
    json: { kycStatus: 'approved' },
  })
  expect(events()).toMatchObject([
    { data: { kycStatus: 'pending_review' } },
    { data: { kycStatus: 'approved' } },
  ])
  expect(ask('GET', '/users/nobody')).toMatchObject({ status: 404, json: { code: 'user_not_found' } })
})
