import { afterEach, expect, test, vi } from 'vitest'
import { freshFolder } from '../../unit/store/store-fixture.ts'
import { perform } from '../../../src/cli/partner/perform.ts'
import { KEYED_ROUTES } from '../../../src/treasury/model/keys.ts'
import { accountOf } from '../../../src/simulator/sandbox/market/book.ts'
import { SHILLING_UNITS } from '../../../src/simulator/sandbox/partner/kit/fields.ts'
import { fundedUser, simulated } from './place.ts'
import { MONEY_CALLS, type MoneyCall } from './money-calls.ts'

// A command whose answer is lost, at a venue over HTTP that takes no notice of keys: it sends one request, looks for what
// became of it, and never advises to repeat it.

const LOST = ['reset-before', 'reset-after', '500-after', 'html', 'truncated'] as const

const CALLS = MONEY_CALLS.filter(({ name }) => name !== 'payMerchant')
const CASES = CALLS.flatMap((payment) => LOST.map((fault) => ({ ...payment, fault }))).filter(
  ({ name, fault }) => name !== 'swap' || fault !== 'truncated',
)

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  process.exitCode = 0
})

/** What a command prints as its document, how it ends, and how often it paid. */
async function pay({ name, route, params }: MoneyCall, fault: string) {
  const keysIgnored = KEYED_ROUTES.map((keyed) => keyed.replace('POST ', ''))
  const { box, client, control } = await simulated({ partner: { settings: { keysIgnored } }, speed: 100 })
  const [partner] = box.model.partner.partners.values()
  const { id, walletAddress } = await fundedUser(client, 300_000n)
  const asked = await params(client, id)
  const held = accountOf(box.model.state, walletAddress.toLowerCase())
  const before = held.NTZS
  await control('inject', { nextRequest: { route, kind: fault } })
  vi.stubEnv('PARTNER_URL', box.url)
  vi.stubEnv('XDG_STATE_HOME', freshFolder())
  vi.stubEnv('PARTNER_KEY', 'svc_test_sandbox')
  let out = ''
  const write = (text: unknown) => Boolean((out += String(text)))
  vi.spyOn(process.stdout, 'write').mockImplementation(write)
  vi.spyOn(process.stderr, 'write').mockImplementation(write)
  await perform(name, asked, { yes: true, json: true }, [0, 20, 200])
  vi.restoreAllMocks()
  if (partner === undefined) throw new Error('the venue has no partner')
  const { deposits, withdrawals, payments } = partner
  // The first deposit funded the payer. A transfer and a swap are seen by what left the wallet.
  const resources = deposits.size - 1 + withdrawals.size + payments.spends.size + payments.settlements.size
  const moved = name === 'createTransfer' ? 9_000n : 20_000n
  const left = Number((before - held.NTZS) / (moved * SHILLING_UNITS))
  return {
    document: JSON.parse(out.slice(out.indexOf('{'))) as Readonly<Record<string, unknown>>,
    code: process.exitCode,
    payments: name === 'createTransfer' || name === 'swap' ? left : resources,
  }
}

const BEFORE: readonly string[] = ['reset-before']

test.each(CASES)(
  '$route whose answer is lost ($fault) is one request, is looked for, and is not advised to be repeated',
  async (one) => {
    const { document, code, payments } = await pay(one, one.fault)
    const isListed = one.name === 'offramp' || one.name === 'onramp'
    const isFound = isListed && !BEFORE.includes(one.fault)
    expect(payments).toBe(BEFORE.includes(one.fault) ? 0 : 1)
    expect(document['looked']).not.toEqual([])
    expect(document['found'] !== null).toBe(isFound)
    expect(code).toBe(isFound ? 0 : 5)
    expect(JSON.stringify(document['advice'] ?? '')).not.toContain('--key')
  },
)
