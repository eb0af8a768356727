import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  CODES,
  SIMULATED_PARTNER_CODES,
  type PartnerCode,
} from '../../../src/simulator/sandbox/partner/model/codes.ts'
import { FUNDS } from './partner-codes/funds.ts'
import { IDENTITY } from './partner-codes/identity.ts'
import { ACCESS, INPUT } from './partner-codes/input-and-access.ts'
import { RAILS } from './partner-codes/rails.ts'
import type { Way } from './partner-codes/requests.ts'
import { openPartnerVenue } from './partner-venue.ts'

const WAYS: readonly Way[] = [...INPUT, ...ACCESS, ...IDENTITY, ...FUNDS, ...RAILS]

describe('every code of the contract', () => {
  test('has exactly one way in the table, and there are 79', () => {
    expect(WAYS.map(([code]) => code).toSorted()).toEqual(SIMULATED_PARTNER_CODES.toSorted())
    expect(WAYS).toHaveLength(79)
  })

  test.each(WAYS)('%s is answered to %s', async (code, _how, reach) => {
    const venue = await openPartnerVenue()
    onTestFinished(() => venue.sandbox.close())
    const { status, json, headers } = await reach(venue)
    const [expectedStatus, field] = CODES[code as PartnerCode]
    expect({ status, code: json['code'] ?? json['error'] }).toEqual({ status: expectedStatus, code })
    if (field !== 'either' && status >= 400) expect(json[field]).toBe(code)
    if (status >= 400)
      expect(typeof (json[field === 'code' ? 'error' : 'message'] ?? json['error'])).toBe('string')
    if (code === 'rate_limited') expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('has its row in docs/simulated-partner-api.md', () => {
    const page = readFileSync('docs/simulated-partner-api.md', 'utf8')
    const rows = WAYS.map(([code, how]) => `| \`${code}\` | ${CODES[code as PartnerCode][0]} | ${how} |`)
    expect(page.split('\n').filter((line) => /^\| `\w+` \| \d{3} \|/.test(line))).toEqual(rows)
  })
})

test('a missing or wrong key is a sentence without a code', async () => {
  const venue = await openPartnerVenue()
  onTestFinished(() => venue.sandbox.close())
  for (const key of ['', 'svc_test_other']) {
    const { status, json } = await venue.ask('GET', '/testmode', undefined, { key })
    expect(status).toBe(401)
    expect(Object.keys(json)).toEqual(['error'])
  }
})
