import { describe, expect, test } from 'vitest'
import { raisedCodes } from '../../../../src/core/alerts/core-alerts.ts'
import { POSITION_NOTICES } from '../../../../src/core/alerts/position-notices.ts'
import { RISK_RULE_NAMES } from '../../../../src/core/alerts/risk-rules.ts'
import { TREASURY_ALERTS } from '../../../../src/core/alerts/treasury-alerts.ts'
import { readRunbook, runbookCodes, runbookEntry, runbookHtml } from '../../../../src/base/text/runbook.ts'

const CODES = [
  ...raisedCodes().keys(),
  ...RISK_RULE_NAMES,
  ...Object.keys({ ...POSITION_NOTICES, ...TREASURY_ALERTS }),
]

describe('the runbook', () => {
  test('has an entry and an anchor for every code that a message can link to', () => {
    const page = readRunbook()
    const html = runbookHtml(page)
    expect(CODES.filter((code) => runbookEntry(page, code)?.includes('**Do**') !== true)).toEqual([])
    expect(CODES.filter((code) => !html.includes(`<h3 id="${code}">`))).toEqual([])
    expect(runbookCodes(page)).toEqual(expect.arrayContaining(CODES))
    expect(runbookEntry(page, 'no-such-code')).toBeNull()
    expect(runbookEntry(page, 'MizaniDaemonDown')).toMatch(/^MizaniDaemonDown\n/)
    expect(runbookEntry(page, 'mizaniHALTED')).toMatch(/^halted\n/)
  })

  test('is HTML in which every link leads to an anchor of the page, and no text is markup', () => {
    const html = runbookHtml(readRunbook())
    const anchors = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `#${id}`)
    const links = [...html.matchAll(/ href="(#[^"]*)"/g)].map(([, href = '']) => href)
    expect(links.length).toBeGreaterThan(15)
    expect(links.filter((link) => !anchors.includes(link))).toEqual([])
    expect(html).not.toMatch(/\*\*|\]\(/)
    expect(runbookHtml('a <script>alert(1)</script> `<b>`')).toContain(
      'a &lt;script&gt;alert(1)&lt;/script&gt; <code>&lt;b&gt;</code>',
    )
  })
})
