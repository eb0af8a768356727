import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** In a checkout the pages are next to `src`, in the image next to the bundle. */
const DOCS = import.meta.url.endsWith('.ts') ? '../../../docs' : './docs'

/** Returns this build's runbook in Markdown, its pages in one without the index. Throws the file system's errors. */
export function readRunbook(): string {
  const docs = fileURLToPath(new URL(DOCS, import.meta.url))
  const areas = readdirSync(docs).filter((name) => name.endsWith('-runbook.md'))
  const pages = ['runbook.md', ...areas.sort()].map((name) => readFileSync(join(docs, name), 'utf8'))
  return pages.map((page) => page.split(/^# Index$/m)[0]).join('\n')
}

/** Returns the entry of an alert code or Prometheus alert, ignoring case; null = no entry. */
export function runbookEntry(page: string, code: string): string | null {
  const [, ...entries] = page.split(/^### /m)
  const name = code.toLowerCase()
  const found =
    entries.find((entry) => entry.split('\n')[0]?.toLowerCase() === name) ??
    entries.find((entry) => entry.toLowerCase().includes(`prometheus: \`${name}\``))
  return found?.split(/^# /m)[0]?.trim() ?? null
}

/** Returns the codes of all entries. */
export function runbookCodes(page: string): readonly string[] {
  return [...page.matchAll(/^### (.+)$/gm)].map(([, code = '']) => code)
}

/** Returns the page as HTML, with the code of each entry in lower case as its anchor. */
export function runbookHtml(page: string): string {
  const blocks = page.replaceAll(/\n +/g, ' ').split(/\n{2,}/)
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>mizani: runbook</title>
<link rel="stylesheet" href="assets/style.css"></head>
<body><main>
${blocks.map(blockHtml).join('\n')}
</main></body>
</html>
`
}

function blockHtml(block: string): string {
  const [, level = '', title = ''] = /^(#{1,3}) (.+)$/.exec(block.trim()) ?? []
  if (level !== '') return `<h${level.length} id="${anchorOf(title)}">${inlineHtml(title)}</h${level.length}>`
  const items = block.trim().split('\n')
  const isOrdered = /^\d+\. /.test(block)
  if (!isOrdered && !block.startsWith('- ')) return `<p>${inlineHtml(items.join(' '))}</p>`
  const list = items.map((item) => `<li>${inlineHtml(item.replace(/^(-|\d+\.) /, ''))}</li>`).join('\n')
  return isOrdered ? `<ol>\n${list}\n</ol>` : `<ul>\n${list}\n</ul>`
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
}

const RUNBOOK_PAGE = /^(?:[a-z]+-)?runbook\.md/

/** Keeps only links to entries and to other sites, because other pages are not served. */
function inlineHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\*([^*]+)\*/g, '<em>$1</em>')
    .replaceAll(/\[([^\]]+)\]\(([^)"]+)\)/g, (_all, words: string, target: string) =>
      /^(#|https:|[a-z-]*runbook\.md#)/.test(target)
        ? `<a href="${target.replace(RUNBOOK_PAGE, '')}">${words}</a>`
        : words,
    )
}
