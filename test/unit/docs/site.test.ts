import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { renderSite } from '../../../scripts/site-pages.ts'

const site = renderSite('.')

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'site-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'docs'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

describe('the documentation site (npm run docs)', () => {
  test('has no dead link', () => {
    expect(site.deadLinks).toEqual([])
  })

  test('has every page that its sidebar lists, and marks the current one', () => {
    const page = site.pages.get('docs/quickstart.html') ?? ''
    const listed = [...page.matchAll(/<li><a href="([^"#]+)"/g)].map(([, href = '']) => join('docs', href))
    expect(listed.length).toBeGreaterThan(50)
    expect(listed.filter((path) => !site.pages.has(path))).toEqual([])
    expect(page).toContain('<a href="quickstart.html" aria-current="page">')
  })

  test('copies pictures, and shows other files of the repository as text', () => {
    expect(site.copies.get('docs/pictures/architecture.svg')).toBe('docs/pictures/architecture.svg')
    expect(site.copies.get('LICENSE.txt')).toBe('LICENSE')
  })

  test('finds the text under each heading', () => {
    const part = site.parts.find(({ href }) => href === 'docs/faq.html#no-fills')
    expect(part?.text).toContain('ACTIVE')
  })

  test('names links to files and headings that do not exist', () => {
    const root = folderOf({
      'README.md':
        '# A\n\n[b](docs/README.md#here) [b](docs/README.md#there) [c](docs/README.md#gone) [d](GONE.md) [e](#a) [f](https://example.com)\n',
      'docs/README.md': '# B\n\n## Here\n\n<a id="there"></a>\n',
    })
    expect(renderSite(root).deadLinks).toEqual(['README.md: docs/README.md#gone', 'README.md: GONE.md'])
  })
})
