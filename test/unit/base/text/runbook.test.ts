import { describe, expect, test } from 'vitest'
import { raisedCodes } from '../../../../src/core/alerts/core-alerts.ts'
import { POSITION_NOTICES } from '../../../../src/core/alerts/position-notices.ts'
import { RISK_RULE_NAMES } from '../../../../src/core/alerts/risk-rules.ts'
import { TREASURY_ALERTS } from '../../../../src/core/alerts/treasury-alerts.ts'
import { readRunbook, runbookCodes, runbookEntry } from '../../../../src/base/text/runbook.ts'

const CODES = [
  ...raisedCodes().keys(),
  ...RISK_RULE_NAMES,
  ...Object.keys({ ...POSITION_NOTICES, ...TREASURY_ALERTS }),
]

describe('the runbook', () => {
  test('has an entry for every code that a message can link to', () => {
    const page = readRunbook()
    expect(CODES.filter((code) => runbookEntry(page, code)?.includes('**Do**') !== true)).toEqual([])
    expect(runbookCodes(page)).toEqual(expect.arrayContaining(CODES))
    expect(runbookEntry(page, 'no-such-code')).toBeNull()
    expect(runbookEntry(page, 'MizaniDaemonDown')).toMatch(/^MizaniDaemonDown\n/)
    expect(runbookEntry(page, 'mizaniHALTED')).toMatch(/^halted\n/)
  })
})
