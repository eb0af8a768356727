import { expect, test } from 'vitest'
import { simulated, valueOf } from './place.ts'

const PRICE = { from: 'USDC', to: 'TZS_TOKEN', amount: 100_000_000n } as const

test('the shilling is named as the venue lists it: a refused price is read again, and later ones are read once', async () => {
  const { client, routes } = await simulated({ venue: 'measured' })
  const read = valueOf(await client.swapRate(PRICE))
  expect(read).toMatchObject({ from: 'USDC', to: 'TZS_TOKEN' })
  expect(read.expectedOutput).toBeGreaterThan(0n)
  expect(routes).toHaveLength(2)
  valueOf(await client.swapRate({ ...PRICE, from: 'USDT' }))
  expect(routes).toHaveLength(3)
  const body = (token?: 'TZS_TOKEN') =>
    client.calls.createTransfer({ fromUserId: 'u', amountTzs: 5n, toAddress: '0x1', token }).body
  expect(body('TZS_TOKEN')).toContain('"token":"NTZS"')
  expect(body()).not.toContain('token')
})

test('a swap that is refused for the name of the shilling is not sent again', async () => {
  const { client, routes } = await simulated({ venue: 'measured' })
  const wish = {
    userId: '6f1c2b9e-3b1f-4f8e-9c1d-0a2b3c4d5e6f',
    fromToken: 'USDC',
    amount: 1_000_000n,
  } as const
  expect(await client.swap({ ...wish, toToken: 'TZS_TOKEN' })).toMatchObject({
    kind: 'refused',
    retry: 'never',
  })
  expect(routes).toEqual(['POST /swap'])
  expect(client.calls.swap({ ...wish, toToken: 'TZS_TOKEN' }).body).toContain('"NTZS"')
})
