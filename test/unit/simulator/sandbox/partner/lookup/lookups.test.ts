import { describe, expect, test } from 'vitest'
import { writeMerchantQr } from '../../../../../support/write-merchant-qr.ts'
import { partnerClient } from '../partner-client.ts'

const { ask } = partnerClient({ partner: { liveKey: 'svc_live_sandbox' } })

describe('the name behind a phone', () => {
  test('is the same for the three spellings of a number, with its network', () => {
    const names = ['255754000123', '0754000123', '+255754000123'].map(
      (phoneNumber) => ask('POST', '/lookup/recipient-name', { phoneNumber }).json,
    )
    expect(names[0]).toMatchObject({ phone: '255754000123', network: 'vodacom', name: expect.any(String) })
    expect(names[1]).toEqual(names[0])
    expect(names[2]).toEqual(names[0])
  })

  test.each([{ phoneNumber: '123' }, { phoneNumber: 7 }, { phoneNumber: '07540001234' }])(
    'is refused for %j, which is no number',
    (body) => {
      expect(ask('POST', '/lookup/recipient-name', body)).toMatchObject({
        status: 400,
        json: { error: 'invalid_phone' },
      })
    },
  )

  test('uses the quota of 30 a minute with a live key, and none with a test key', () => {
    const client = partnerClient({ partner: { liveKey: 'svc_live_sandbox' } })
    const look = (key: string) =>
      client.ask('POST', '/lookup/recipient-name', { phoneNumber: '0754000123' }, { key })
    for (let i = 0; i < 30; i++) expect(look('svc_live_sandbox').status).toBe(200)
    const limited = look('svc_live_sandbox')
    expect(limited).toMatchObject({ status: 429, json: { error: 'rate_limited' } })
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    for (let i = 0; i < 40; i++) expect(look('svc_test_sandbox').status).toBe(200)
    client.wait(60_001)
    expect(look('svc_live_sandbox').status).toBe(200)
  })
})

describe('the name behind a till or a bill', () => {
  const look = (body: object) => ask('POST', '/lookup/merchant-name', body)

  test('is null with a reason where nothing is registered', () => {
    expect(look({ kind: 'lipa', payNumber: '512345' }).json).toMatchObject({
      target: 'lipa:512345',
      name: expect.any(String),
    })
    expect(look({ kind: 'lipa', payNumber: '012345' }).json).toEqual({
      kind: 'lipa',
      target: 'lipa:012345',
      payNumber: '012345',
      name: null,
      reason: 'lookup_unavailable',
    })
  })

  test('of a bill depends on the amount that the biller takes', () => {
    const bill = { kind: 'bill', utilityCode: 'LUKU', utilityRef: '04123456789' }
    expect(look(bill).json).toMatchObject({ target: 'bill:LUKU:04123456789', name: expect.any(String) })
    expect(look({ ...bill, amountTzs: 500 }).json).toMatchObject({ name: null, reason: 'lookup_unavailable' })
  })

  test('is refused for an unknown biller, naming those that there are, and for a wrong reference', () => {
    expect(look({ kind: 'bill', utilityCode: 'NONE', utilityRef: '1' })).toMatchObject({
      status: 400,
      json: { error: 'unknown_biller', details: { supported: expect.arrayContaining(['LUKU']) } },
    })
    expect(look({ kind: 'bill', utilityCode: 'LUKU', utilityRef: '1' }).json).toMatchObject({
      error: 'invalid_utility_ref',
    })
    expect(look({ kind: 'cash' }).json).toMatchObject({ error: 'missing_required_fields' })
  })
})

describe('a scanned code', () => {
  const scan = (payload: unknown) => ask('POST', '/lookup/qr', { payload })
  const registered = String(
    ask('POST', '/lookup/merchant-name', { kind: 'lipa', payNumber: '512345' }).json['name'],
  )

  test('is payable where its one till is registered, and shows whether the names agree', () => {
    expect(scan(writeMerchantQr({ payNumbers: ['512345'], name: registered, amountTzs: 900n })).json).toEqual(
      {
        payNumber: '512345',
        merchantName: registered,
        qrMerchantName: registered,
        nameMatch: true,
        amountTzs: 900,
        dynamic: true,
        resolution: 'resolved',
        warnings: [],
      },
    )
    expect(scan(writeMerchantQr({ payNumbers: ['512345'], name: 'SOMEBODY ELSE' })).json).toMatchObject({
      nameMatch: false,
      amountTzs: null,
      warnings: ['name_mismatch'],
    })
  })

  test('with an unknown till or several tills is not payable', () => {
    expect(scan(writeMerchantQr({ payNumbers: ['012345'], name: 'A' })).json).toMatchObject({
      payNumber: null,
      resolution: 'unresolved',
    })
    expect(scan(writeMerchantQr({ payNumbers: ['512345', '612345'], name: 'A' })).json).toMatchObject({
      payNumber: null,
      resolution: 'ambiguous',
      warnings: expect.arrayContaining(['several_accounts']),
    })
  })

  test('is refused where it is missing, altered or no merchant code', () => {
    expect(scan('')).toMatchObject({ status: 400, json: { code: 'payload_required' } })
    const code = writeMerchantQr({ payNumbers: ['512345'], name: 'A', amountTzs: 900n })
    expect(scan(code.replace('5403900', '5403800'))).toMatchObject({
      status: 400,
      json: { code: 'invalid_payload', error: expect.stringContaining('checksum') },
    })
    expect(scan('https://example.com')).toMatchObject({ status: 400, json: { code: 'invalid_payload' } })
  })
})
