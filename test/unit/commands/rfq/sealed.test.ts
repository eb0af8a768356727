import { describe, expect, test } from 'vitest'
import { curlLines, sealedLines } from '../../../../src/commands/rfq/sealed.ts'
import { rfqSettings } from '../../../support/order-harness.ts'
import { sealOf } from '../../guard/sealed-cancels.ts'

const settings = rfqSettings()
const { NTZS = '0x', USDC = '0x' } = settings.tokens
const SEAL = sealOf([7, 8], {
  pairs: [
    { makerToken: NTZS, takerToken: USDC },
    { makerToken: USDC, takerToken: NTZS },
  ],
  usefulUntil: Date.UTC(2026, 10, 18, 6, 40),
})
const shown = (wallet: Parameters<typeof sealedLines>[1], now = 0) =>
  sealedLines(SEAL, wallet, { settings, now, file: 'data/sealed-cancels.json' }).join('\n')

describe('What is sealed is shown with', () => {
  test('its pairs, its salt, how long it matters, and which nonce is the next one of the wallet', () => {
    const text = shown({ mined: 7, next: 7 })
    expect(text).toContain('a salt below 1000 that gives NTZS for USDC, USDC for NTZS')
    expect(text).toContain('the last order that it covers ends by 2026-11-18 06:40')
    expect(text).toMatch(/^nonce 7: .*, the next one of the wallet$/m)
    expect(text).toMatch(/^nonce 8: .*, fits after 1 /m)
    expect(text).not.toContain('VOID')
  })

  test('that it is void once the wallet has used every nonce of it, and a nonce that is', () => {
    expect(shown({ mined: 8, next: 8 })).toMatch(/^nonce 7: .*, void$/m)
    expect(shown({ mined: 8, next: 8 })).not.toContain('VOID')
    expect(shown({ mined: 9, next: 9 })).toContain('VOID')
  })

  test('that the chain does not answer, which makes nothing void, and that its orders have ended', () => {
    expect(shown('no endpoint answers')).toContain('cannot be read: no endpoint')
    expect(shown('no endpoint answers')).not.toContain('VOID')
    expect(shown({ mined: 7, next: 7 }, SEAL.usefulUntil + 1)).toContain('it covers ended by')
  })
})

test('the lines for a shell send each one that may still get into a block, and name no endpoint', () => {
  const lines = curlLines(SEAL, { mined: 8, next: 8 })
  expect(lines).toHaveLength(3)
  expect(lines[0]).toBe(
    `curl -sS -m 10 "$RPC" -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x02f881"]}'`,
  )
  expect(curlLines(SEAL, 'no endpoint answers')).toHaveLength(6)
})
