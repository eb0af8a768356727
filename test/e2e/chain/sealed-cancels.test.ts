import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { Chain } from '../../../src/chain/chain.ts'
import type { Hex, RfqOrder } from '../../../src/rfq/rfq-order.ts'
import { leastSaltAt } from '../../../src/rfq/build-order.ts'
import { parseSealed, sealedGas, type SealedCancels } from '../../../src/rfq/sealed/sealed-cancels.ts'
import { testChain } from '../../support/chain.ts'
import { needs } from '../../support/needs.ts'
import { allowAll, fillOn, makerOf, opened, orderOn, settingsOn } from './chain-fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'sealed-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.skipIf(needs('anvil'))('cancellations that are signed in advance, on the real contract', () => {
  const started = testChain()
  let files = 0
  let salts = 0n

  afterEach(async () => {
    await started().rpc('evm_setAutomine', [true])
  })

  async function sealing(): Promise<{ chain: Chain; seal: () => SealedCancels }> {
    const file = join(folder, `${(files += 1)}.json`)
    const onTrouble = (words: string) => expect.unreachable(words)
    const chain = await opened(settingsOn(started()), {
      account: makerOf(started()),
      sealing: { file, maxLifeMs: 600_000, onTrouble },
    })
    const seal = () => parseSealed(readFileSync(file, 'utf8')) ?? expect.unreachable('no seal')
    return { chain, seal }
  }

  /** An order whose cancellation is on disk, as the daemon signs one. */
  async function coveredOrder(chain: Chain): Promise<RfqOrder> {
    const order = await orderOn(started(), leastSaltAt(Date.now()) + (salts += 1n))
    expect(await chain.cover(order.salt)).toBeNull()
    return order
  }

  const send = (raw: Hex) => started().rpc('eth_sendRawTransaction', [raw]) as Promise<Hex>
  const receipt = (hash: Hex) => started().client.waitForTransactionReceipt({ hash })
  const of = ({ transactions }: SealedCancels, nonce: number, level = 1): Hex =>
    transactions.find((one) => one.nonce === nonce && one.level === level)?.raw ??
    expect.unreachable(`nothing is sealed for nonce ${nonce}`)
  const nonceNow = () => started().client.getTransactionCount({ address: started().accounts.maker.address })

  async function statusOf(chain: Chain, order: RfqOrder): Promise<string> {
    const reading = await chain.read([order], null)
    return reading.ok ? (reading.value.orders[0]?.status ?? 'none') : reading.error.message
  }

  test('one of them ends every order without the key, the next one does no harm, and orders of later are not touched', async () => {
    await allowAll(started())
    const { chain, seal } = await sealing()
    const order = await coveredOrder(chain)
    const later = await orderOn(started(), seal().minValidSalt)
    await fillOn(started(), order, 1_000n)
    const nonce = await nonceNow()
    const { status, gasUsed } = await receipt(await send(of(seal(), nonce)))
    expect(status).toBe('success')
    const limit = sealedGas(seal().pairs.length)
    expect([gasUsed < limit, gasUsed > limit / 3n]).toEqual([true, true])
    expect(await statusOf(chain, order)).toBe('CANCELLED')
    await expect(fillOn(started(), order, 1_000n)).rejects.toThrow()
    expect((await receipt(await send(of(seal(), nonce + 1)))).status).toBe('success')
    expect(await statusOf(chain, later)).toBe('FILLABLE')
    await chain.close()
  })

  test('after a transaction of the wallet the old seal is void, and the one that was sealed before it left works', async () => {
    const { chain, seal } = await sealing()
    const order = await coveredOrder(chain)
    const other = await orderOn(started(), 1n)
    const old = seal()
    const nonce = await nonceNow()
    expect((await chain.cancel({ kind: 'each', orders: [other] })).ok).toBe(true)
    // Sealed before it left: also where the nonce of the first seal and the next one are used up, one fits.
    expect(seal().transactions.at(-1)?.nonce).toBe(nonce + 2)
    // As if the process had been killed right behind it: nothing was sealed since.
    await expect(send(of(old, nonce, 3))).rejects.toThrow(/nonce too low/i)
    expect((await receipt(await send(of(seal(), nonce + 1)))).status).toBe('success')
    expect(await statusOf(chain, order)).toBe('CANCELLED')
    await chain.close()
  })

  test('while a transaction of the wallet waits, one of them takes its place, and a higher level that of a lower one', async () => {
    const { chain, seal } = await sealing()
    const order = await coveredOrder(chain)
    await started().rpc('evm_setAutomine', [false])
    const nonce = await nonceNow()
    expect((await chain.cancel({ kind: 'each', orders: [await orderOn(started(), 2n)] })).ok).toBe(true)
    for (const level of [1, 2]) await send(of(seal(), nonce, level))
    const hash = await send(of(seal(), nonce, 3))
    await started().mine(1)
    expect((await receipt(hash)).status).toBe('success')
    expect(await statusOf(chain, order)).toBe('CANCELLED')
    await chain.close()
  })
})
