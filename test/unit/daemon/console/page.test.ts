import { describe, expect, test } from 'vitest'
import { consoleOf } from './console-fixture.ts'

const html = { accept: 'text/html,application/xhtml+xml' }

describe('the page', () => {
  test('comes to browsers, and the list of paths to everybody else', async () => {
    const { ask } = await consoleOf()
    const page = await ask('/', { headers: html })
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toMatch(/^<!doctype html>/i)
    expect(page.headers['vary']).toContain('accept')
    const list = await ask('/')
    expect(list.headers['content-type']).toBe('text/plain; charset=utf-8')
    const { paths } = (await ask('/api/docs/openapi.json')).json() as { readonly paths: object }
    const names = Object.keys(paths).map((path) => path.split('/').at(-1) ?? '')
    const isListed = (name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(list.text)
    expect(names.filter((name) => name !== '{name}' && !isListed(name))).toEqual([])
  })

  test('names its script and style by their content: those may be kept indefinitely, the page is asked for anew', async () => {
    const { ask } = await consoleOf()
    const page = await ask('/', { headers: html })
    expect(page.headers['cache-control']).toBe('no-cache')
    const assets = [...page.text.matchAll(/"(\/assets\/(?:main\.js|style\.css)\?v=[0-9a-f]{16})"/g)].map(
      ([, path]) => String(path),
    )
    expect(assets).toHaveLength(2)
    for (const path of assets) {
      const asset = await ask(path)
      expect([path, asset.status]).toEqual([path, 200])
      expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(asset.headers['content-type']).toMatch(/^text\/(javascript|css); charset=utf-8$/)
      expect((await ask(path.replace(/v=.*/, 'v=old'))).headers['cache-control']).toBe('no-cache')
    }
  })

  test.each(['/docs', '/docs/'])('%s leads to the start page of the documentation', async (path) => {
    const { ask } = await consoleOf()
    const { status, headers } = await ask(path, { headers: html })
    expect([status, headers['location']]).toEqual([302, '/docs/README'])
    expect((await ask('/docs/README', { headers: html })).text).toContain('href="/docs/"')
  })

  test('is not sent again to who has it', async () => {
    const { ask } = await consoleOf()
    const etag = String((await ask('/', { headers: html })).headers['etag'])
    const again = await ask('/', { headers: { ...html, 'if-none-match': etag } })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('holds no inline script or style, which the policy would forbid, and names no other host', async () => {
    const { ask } = await consoleOf()
    const { text } = await ask('/', { headers: html })
    expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/i)
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//i)
  })

  test.each(['nothing.js', '..%2f..%2fpackage.json', '%2e%2e/index.html', 'x'.repeat(101)])(
    'there is no asset %s',
    async (name) => {
      const { ask } = await consoleOf()
      const told = await ask(`/assets/${name}`)
      expect([400, 404, 414]).toContain(told.status)
      expect(told.headers['content-type']).toMatch(/^application\/json/)
    },
  )
})
