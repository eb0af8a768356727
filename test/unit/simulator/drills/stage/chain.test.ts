import { expect, test } from 'vitest'
import { readDrilledPosition } from '../../../../../src/simulator/drills/model/drilled-position.ts'
import { whyNoChain } from '../../../../../src/simulator/drills/stage/chain.ts'
import { NoAnvil } from '../../../../../src/simulator/sandbox/chain/anvil.ts'

function configOf(file: string) {
  const read = readDrilledPosition(file)
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  return read.value.config
}

const CUSTODY = configOf('config/self-custody.example.yaml')
const found = () => '/usr/bin/anvil'

test('a desk in self-custody on Base gets a chain where this machine has anvil', () => {
  expect(whyNoChain(CUSTODY, found)).toBeNull()
})

test('a desk reads why it gets none: pooled capital, the tokens of another chain, a machine without anvil', () => {
  expect(whyNoChain(configOf('config/sandbox.yaml'), found)).toContain('in the pool')
  const { rfq } = CUSTODY
  if (rfq === null) throw new Error('the example has a section rfq')
  const bnb = { rfq: { ...rfq, tokens: { 'USDT.bnb': rfq.maker } } }
  expect(whyNoChain(bnb, found)).toContain('rfq.tokens')
  const without = () => {
    throw new NoAnvil('a local chain needs anvil')
  }
  expect(whyNoChain(CUSTODY, without)).toContain('needs anvil')
  const broken = () => {
    throw new TypeError('something else')
  }
  expect(() => whyNoChain(CUSTODY, broken)).toThrow('something else')
})
