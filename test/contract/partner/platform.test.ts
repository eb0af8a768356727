import { describe, expect, test } from 'vitest'
import { createPartnerClient } from '../../../src/treasury/api/client.ts'
import { fundedUser, PLACES, refusalOf, simulated, valueOf } from './place.ts'

describe.each(PLACES)('the platform, against $name', ({ open }) => {
  test('supply and reconcile show one figure of the chain', async () => {
    // Reading every wallet takes time.
    const client = await open(100)
    const checked = valueOf(await client.reconcile({}))
    expect(checked.onChainSupplyTzs - checked.dbTotalBalanceTzs).toBe(checked.difference)
    expect(checked.isReconciled).toBe(checked.difference === 0n)
    expect(valueOf(await client.supply({})).supplyTzs).toBe(checked.onChainSupplyTzs)
  })

  test('testmode answers a test key, and advance settles what is pending', async () => {
    const client = await open()
    expect((await client.testmode({})).kind).toBe('answered')
    expect((await client.advance({})).kind).toBe('answered')
  })

  test('an unknown key is refused with 401, which has no code', async () => {
    const { settings } = await open()
    const stranger = createPartnerClient({ ...settings }, { apiKey: 'svc_test_nobody_at_all' })
    const outcome = await stranger.rampBalance({})
    await stranger.close()
    expect(refusalOf(outcome)).toMatchObject({ status: 401, code: 'unauthorized', retry: 'never' })
    expect(JSON.stringify(outcome)).not.toContain('svc_test_nobody_at_all')
  })
})

describe('the platform in the simulated venue', () => {
  test('signup opens a separate account, whose users reset removes', async () => {
    const { client } = await simulated()
    const { apiKey, webhookSecret } = valueOf(
      await client.signup({ name: 'Desk', email: 'desk@example.com' }),
    )
    expect(apiKey).toMatch(/^svc_test_/)
    expect(webhookSecret).not.toBe('')
    const own = createPartnerClient(client.settings, { apiKey })
    const { id } = await fundedUser(own, 10_000n)
    expect(refusalOf(await client.readUser({ id })).code).toBe('user_not_found')
    valueOf(await own.reset({}))
    expect(refusalOf(await own.readUser({ id })).code).toBe('user_not_found')
    await own.close()
  })

  test('createSubWallet opens a float with ceilings, which refusals show', async () => {
    const { client, control } = await simulated()
    const { id: subWalletId, address } = valueOf(await client.createSubWallet({ label: 'treasury-bot' }))
    await control('partner/fund', { address, asset: 'NTZS', amount: '4000000' })
    const pay = async (amountTzs: bigint) => {
      const wanted = { amountTzs, subWalletId, phoneNumber: '255754000345' }
      const { quoteId } = valueOf(await client.quoteWithdrawal(wanted))
      return client.createWithdrawal({ ...wanted, quoteId: quoteId ?? '' })
    }
    valueOf(await pay(900_000n))
    valueOf(await pay(900_001n))
    const capped = refusalOf(await pay(900_002n))
    expect(capped.details).toMatchObject({ limit: 2_000_000 })
    expect(Number(capped.details?.['usedInPeriod'])).toBeGreaterThan(1_800_000)
    expect(capped.retry).toBe('never')
  })

  test('a reconcile that does not add up shows its difference with its sign', async () => {
    const { client, control } = await simulated({ speed: 100 })
    await control('partner/settings', { supplyDifferenceTzs: -25_000 })
    expect(valueOf(await client.reconcile({}))).toMatchObject({ difference: -25_000n, isReconciled: false })
  })
})
