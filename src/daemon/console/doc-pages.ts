import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Marked, Tokens } from 'marked'
import { markup } from '../../base/text/markup.ts'
import { docsFolder, readRunbook } from '../../base/text/runbook.ts'

/** A page of docs by its name without `.md`. */
const NAME = /^[a-z0-9-]+$/i
/** Anchors are the only HTML in the documents. */
const ANCHOR = /^<a id="[a-z0-9-]+">$|^<\/a>$/i

/** Every page is rendered once: a stranger must not be able to trigger repeated work. */
const pages = new Map<string, Promise<string>>()

/** Returns a page of the documentation as HTML; null = there is no such page. Throws the file system's errors. */
export async function docPage(name: string): Promise<string | null> {
  if (!NAME.test(name)) return null
  const known = pages.get(name)
  if (known !== undefined) return known
  const file = fileURLToPath(new URL(`${name}.md`, docsFolder()))
  if (!existsSync(file)) return null
  const page = html(readFileSync(file, 'utf8'), (target) => docLink(target, ''))
  pages.set(name, page)
  return page
}

/** Returns the runbook as one page of HTML, with the code of each entry in lower case as its anchor. */
export async function runbookPage(text = readRunbook()): Promise<string> {
  return html(text, (target) =>
    /^[a-z-]*runbook\.md#/.test(target) ? target.replace(/^[^#]*/, '') : docLink(target, 'docs/'),
  )
}

/** Returns the address of a link; null for files that are not served. */
function docLink(target: string, folder: string): string | null {
  if (/^(?:#|https:)/.test(target)) return target
  const [, name, anchor = ''] = /^([a-z0-9-]+)\.md(#.*)?$/i.exec(target) ?? []
  return name === undefined ? null : `${folder}${name}${anchor}`
}

async function html(markdown: string, linkOf: (target: string) => string | null): Promise<string> {
  const marked = await createMarked(linkOf)
  const [, title = 'documentation'] = /^# (.+)$/m.exec(markdown) ?? []
  const body = await marked.parse(markdown.replaceAll(/<!--[\s\S]*?-->/g, ''))
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>mizani: ${escaped(title)}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/assets/style.css"></head>
<body><main class="doc">
<nav class="tabs" aria-label="Documentation"><a href="/">Console</a> <a href="/docs/">All pages</a> <a href="/runbook">Runbook</a></nav>
${body}</main></body>
</html>
`
}

/** Loads the package with the first page that is opened. */
async function createMarked(linkOf: (target: string) => string | null): Promise<Marked> {
  const { Marked: Renderer } = await import('marked')
  return new Renderer({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const words = this.parser.parseInline(tokens)
        const address = linkOf(href)
        return address === null ? words : `<a href="${escaped(address)}">${words}</a>`
      },
      image: ({ text }: Tokens.Image) => escaped(text),
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (ANCHOR.test(text.trim()) ? text : escaped(text)),
    },
  })
}

/** The anchor of a heading, as GitHub makes it. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
}

function escaped(text: string): string {
  return markup`${text}`.html
}
