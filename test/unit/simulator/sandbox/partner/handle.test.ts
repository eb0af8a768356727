import { describe, expect, test } from 'vitest'
import { zeroAmounts } from '../../../../../src/base/money/asset.ts'
import { conservationGap } from '../../../../support/conservation-gap.ts'
import { partnerClient } from './partner-client.ts'

describe('the door of the partner API', () => {
  test.each([null, 'svc_test_other', 'mm_test_sandbox', ''])(
    'answers the key %s with 401 and prose',
    (key) => {
      const { ask } = partnerClient()
      expect(ask('GET', '/testmode', undefined, { key })).toMatchObject({
        status: 401,
        json: { error: expect.stringContaining('API key') },
      })
    },
  )

  test('takes a route with /api and without as the same route', () => {
    const { ask } = partnerClient()
    expect(ask('GET', '/api/v1/testmode').json).toEqual(ask('GET', '/v1/testmode').json)
    expect(ask('GET', '/v1/testmode').status).toBe(200)
  })

  test('leaves every path that is not of this API to the LP side', () => {
    const { ask } = partnerClient()
    expect(ask('GET', '/api/v1/mm/rate', undefined, { key: 'mm_test_sandbox' }).status).toBe(200)
    expect(
      ask('GET', '/api/v1/swap/rate?from=USDC&to=TZS_TOKEN&amount=1', undefined, { key: null }).status,
    ).toBe(200)
  })

  test('refuses a source address outside the allow-list, where there is one', () => {
    const { ask } = partnerClient({ partner: { settings: { allowList: ['10.1.0.0/16', '192.0.2.7'] } } })
    const from = (source: string) => ask('GET', '/testmode', undefined, { source })
    expect(from('10.1.2.3').status).toBe(200)
    expect(from('192.0.2.7').status).toBe(200)
    expect(from('10.2.0.1')).toMatchObject({ status: 403, json: { code: 'ip_not_allowed' } })
    expect(from('nowhere').status).toBe(403)
  })

  test('limits the requests of a minute for each key, with the seconds to wait in Retry-After', () => {
    const { ask } = partnerClient({ partner: { requestsPerMinute: 2 } })
    ask('GET', '/testmode')
    ask('GET', '/testmode')
    const limited = ask('GET', '/testmode')
    expect(limited).toMatchObject({ status: 429, json: { error: 'rate_limited' } })
    expect(limited.headers['retry-after']).toBe('60')
  })
})

describe('signing up', () => {
  test('gives a key of its own with a float of 1,000 USDC, booked in the economy', () => {
    const { ask, model } = partnerClient()
    const before = model.book().accounts.size
    const { status, json } = ask(
      'POST',
      '/testmode/signup',
      { name: 'A', email: 'a@b.example' },
      { key: null },
    )
    expect(status).toBe(201)
    const key = json['apiKey'] as string
    expect(key).toMatch(/^svc_test_/)
    expect(json['webhookSecret']).toMatch(/^whsec_/)
    expect(ask('GET', '/testmode', undefined, { key }).status).toBe(200)
    expect(model.book().accounts.size).toBe(before + 2)
    const settlement = model.partner.partners.get(key)?.settlementAddress.toLowerCase() ?? ''
    expect(model.book().accounts.get(settlement)?.USDC).toBe(1_000_000_000n)
    expect(conservationGap(model.book())).toEqual(zeroAmounts())
  })

  test('needs an address', () => {
    const signUp = partnerClient().ask('POST', '/testmode/signup', { name: 'A' }, { key: null })
    expect(signUp).toMatchObject({ status: 400, json: { error: 'missing_required_fields' } })
  })
})
