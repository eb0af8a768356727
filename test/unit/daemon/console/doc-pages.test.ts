import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readRunbook, runbookCodes } from '../../../../src/base/text/runbook.ts'
import { docPage, runbookPage } from '../../../../src/daemon/console/doc-pages.ts'

const DOCS = fileURLToPath(new URL('../../../../docs', import.meta.url))
const NAMES = readdirSync(DOCS).flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -3)] : []))

const found = (html: string, pattern: RegExp) => Array.from(html.matchAll(pattern), ([, one = '']) => one)
const anchorsOf = (html: string) => found(html, / id="([^"]+)"/g)

describe('the runbook', () => {
  test('has an anchor for each code, and every link inside it leads to one', async () => {
    const html = await runbookPage()
    const anchors = anchorsOf(html)
    const lost = runbookCodes(readRunbook()).filter((code) => !anchors.includes(code.toLowerCase()))
    expect(lost).toEqual([])
    const links = found(html, / href="#([^"]*)"/g)
    expect(links.length).toBeGreaterThan(15)
    expect(links.filter((link) => !anchors.includes(link))).toEqual([])
  })

  test('has no markup but its own', async () => {
    const html = await runbookPage(
      'a <script>alert(1)</script> `<b>` [x](https://a.example/"onclick=") <img src=x>',
    )
    expect(html).not.toMatch(/<script|<img|<b>|"onclick/)
    expect(html).toContain('<code>&lt;b&gt;</code>')
  })
})

describe('the documentation', () => {
  test('has every page, whose links lead to pages and anchors that exist', async () => {
    const pages = new Map<string, string>()
    for (const name of NAMES) pages.set(name, (await docPage(name)) ?? '')
    const dead = [...pages].flatMap(([from, html]) =>
      found(html, / href="([^"/:]+)"/g).filter((href) => {
        const [name = '', anchor = null] = href.split('#')
        const target = pages.get(name === '' ? from : name)
        return target === undefined || (anchor !== null && !anchorsOf(target).includes(anchor))
      }),
    )
    expect(dead).toEqual([])
    expect(pages.size).toBeGreaterThan(50)
    expect([...pages.values()].filter((html) => !html.includes('<h1 id='))).toEqual([])
  })

  test.each(['../README', 'sources/quant', '..%2fREADME', 'no-such-page', '', 'a/b', 'glossary.md'])(
    'has no page %o',
    async (name) => expect(await docPage(name)).toBeNull(),
  )
})
