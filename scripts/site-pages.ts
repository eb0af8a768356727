// The documentation as a static site. Pages are the Markdown files that README.md leads to; docs/README.md is the sidebar.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import { anchorOf } from '../src/daemon/console/doc-pages.ts'
import { sidebarOf, siteTemplate, type Section } from './site-template.ts'

/** A part of a page that search finds: what stands under one heading. */
export type Part = {
  readonly id: number
  readonly title: string
  readonly heading: string
  readonly text: string
  readonly href: string
}

export type Site = {
  /** HTML by its path in the site. */
  readonly pages: ReadonlyMap<string, string>
  /** Files to copy: the path in the site, and in the repository. */
  readonly copies: ReadonlyMap<string, string>
  readonly parts: readonly Part[]
  /** `page: target`, for each link to a file or heading that does not exist. */
  readonly deadLinks: readonly string[]
}

type Page = {
  readonly path: string
  readonly tokens: readonly Token[]
  readonly title: string
  readonly anchors: ReadonlySet<string>
}

const PICTURE = /\.(svg|png)$/
const markdown = new Marked()
const pageRenderer = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const slug = anchorOf(text)
      const link = `<a class="anchor" href="#${slug}" aria-label="Link to this heading">#</a>`
      return `<h${depth} id="${slug}">${this.parser.parseInline(tokens)} ${link}</h${depth}>\n`
    },
    table: (token) => `<div class="table">${markdown.parser([token])}</div>\n`,
  },
})

/** Renders every page that `start` leads to, directly or through other pages. */
export function renderSite(root: string, start = 'README.md'): Site {
  const pages = readPages(root, start)
  const sections = sidebarOf(readFileSync(posix.join(root, 'docs/README.md'), 'utf8'), 'docs')
  const copies = new Map<string, string>()
  const deadLinks: string[] = []
  const html = new Map<string, string>()
  for (const page of pages.values()) {
    for (const link of linksIn(page.tokens)) {
      const resolved = resolve(link.href, page.path)
      if (resolved === null) continue
      const { path, anchor } = resolved
      if (!existsSync(posix.join(root, path)) || !hasAnchor(pages.get(path), anchor))
        deadLinks.push(`${page.path}: ${link.href}`)
      else link.href = siteHref(root, page.path, path, anchor, copies)
    }
    html.set(hrefOfPage(page.path), renderPage(page, sections))
  }
  return { pages: html, copies, parts: partsOf([...pages.values()]), deadLinks }
}

/** `docs/README.md` becomes `docs/index.html`. */
function hrefOfPage(path: string): string {
  return path.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html')
}

function readPages(root: string, start: string): ReadonlyMap<string, Page> {
  const pages = new Map<string, Page>()
  const waiting = [start, 'docs/README.md']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path) || !existsSync(posix.join(root, path))) continue
    const text = readFileSync(posix.join(root, path), 'utf8')
    const tokens = markdown.lexer(text)
    const headings = headingsIn(tokens)
    const named = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)
    const anchors = new Set([...headings.map((heading) => anchorOf(heading.text)), ...named])
    pages.set(path, { path, tokens, title: headings[0]?.text ?? path, anchors })
    for (const { href } of linksIn(tokens)) {
      const target = resolve(href, path)?.path
      if (target?.endsWith('.md') === true) waiting.push(target)
    }
  }
  return pages
}

function linksIn(tokens: readonly Token[]): (Tokens.Link | Tokens.Image)[] {
  const found: (Tokens.Link | Tokens.Image)[] = []
  void markdown.walkTokens([...tokens], (token) => {
    if (token.type === 'link' || token.type === 'image') found.push(token as Tokens.Link | Tokens.Image)
  })
  return found
}

function headingsIn(tokens: readonly Token[]): readonly Tokens.Heading[] {
  return tokens.filter((token): token is Tokens.Heading => token.type === 'heading')
}

function hasAnchor(page: Page | undefined, anchor: string | null): boolean {
  return anchor === null || page?.anchors.has(anchor) === true
}

/** The file of the repository that a link leads to; null for another site. */
function resolve(href: string, from: string): { path: string; anchor: string | null } | null {
  if (/^[a-z]+:/.test(href)) return null
  const [target = '', anchor = null] = href.split('#')
  return { path: target === '' ? from : posix.normalize(posix.join(posix.dirname(from), target)), anchor }
}

/** The link inside the site. Sources open as text; a folder has no page, so its link leads nowhere. */
function siteHref(
  root: string,
  from: string,
  path: string,
  anchor: string | null,
  copies: Map<string, string>,
): string {
  const relative = (target: string) => posix.relative(posix.dirname(from), target)
  if (path.endsWith('.md')) return `${relative(hrefOfPage(path))}${anchor === null ? '' : `#${anchor}`}`
  if (statSync(posix.join(root, path)).isDirectory()) return '#'
  const copy = PICTURE.test(path) ? path : `${path}.txt`
  copies.set(copy, path)
  return relative(copy)
}

function renderPage({ path, tokens, title }: Page, sections: readonly Section[]): string {
  return siteTemplate({ path, title, body: pageRenderer.parser([...tokens]), sections, hrefOfPage })
}

function partsOf(pages: readonly Page[]): readonly Part[] {
  const parts: (Omit<Part, 'text'> & { text: string })[] = []
  for (const { path, tokens, title } of pages)
    for (const token of tokens) {
      const last = parts.at(-1)
      if (token.type === 'heading') {
        const heading = (token as Tokens.Heading).text
        const href = `${hrefOfPage(path)}#${anchorOf(heading)}`
        parts.push({ id: parts.length, title, heading, href, text: '' })
      } else if (last !== undefined) last.text = `${last.text} ${plain(token.raw)}`.trim()
    }
  return parts
}

function plain(raw: string): string {
  return raw
    .replaceAll(/\]\([^)]*\)/g, ' ')
    .replaceAll(/<!--.*?-->|<a id="[^"]*"><\/a>|[`*|[\]#]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
