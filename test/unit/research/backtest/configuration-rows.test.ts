import { expect, test } from 'vitest'
import { configurationRows } from '../../../../src/research/backtest/configuration-rows.ts'
import { backtestSection } from '../../../../src/daemon/config/schema/research.ts'
import { coreConfig } from '../../../support/core-config.ts'

const settings = backtestSection.parse({})

test('the configuration of a result has every key of the core, the hashes, and a hash over all that changes with any value', () => {
  const rows = configurationRows({ core: coreConfig(), settings, toleranceBps: 5 })
  const value = (key: string) => rows.find((row) => row.key === key)?.value
  expect(rows.map(({ key }) => key)).toContain('quote.requoteThresholdBps')
  expect(value('strategy.sourceHash')).toBe(coreConfig().strategy.sourceHash)
  expect(value('calibration.sourceHash')).toBe('none')
  expect(value('venue.toleranceBps')).toBe('5')
  const other = configurationRows({ core: coreConfig(), settings, toleranceBps: 6 })
  expect(rows[0]?.value).toMatch(/^[0-9a-f]{64}$/)
  expect(other[0]?.value).not.toBe(rows[0]?.value)
  expect(JSON.stringify(rows)).not.toMatch(/\[object|undefined/)
})

test('the path of the tape is left out: it names the machine and not the market', () => {
  const here = configurationRows({
    core: coreConfig(),
    settings: { ...settings, tape: '/tapes/desk' },
    toleranceBps: 5,
  })
  expect(JSON.stringify(here)).not.toContain('/tapes/desk')
})
