// The frame of a page of the documentation site: header with search, sidebar, and links to the pages before and after.
import { posix } from 'node:path'

type Entry = { readonly title: string; readonly page: string }
export type Section = {
  readonly title: string
  readonly groups: readonly { readonly title: string | null; readonly entries: readonly Entry[] }[]
}

/** The sections of docs/README.md: `##` is a section, `###` a group, and every link of a list a page. */
export function sidebarOf(index: string, folder: string): readonly Section[] {
  return index
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const [first = '', ...others] = text.split(/^### /m)
      const [title = '', ...lines] = first.split('\n')
      const named = others.map((group) => {
        const [name = '', ...rest] = group.split('\n')
        return { title: name, entries: entriesOf(rest, folder) }
      })
      const unnamed = { title: null, entries: entriesOf(lines, folder) }
      return { title, groups: [unnamed, ...named].filter(({ entries }) => entries.length > 0) }
    })
}

function entriesOf(lines: readonly string[], folder: string): readonly Entry[] {
  return lines
    .filter((line) => line.startsWith('- '))
    .flatMap((line) => [...line.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)])
    .map(([, title = '', page = '']) => ({ title, page: posix.join(folder, page) }))
}

export function siteTemplate(page: {
  readonly path: string
  readonly title: string
  readonly body: string
  readonly sections: readonly Section[]
  readonly hrefOfPage: (path: string) => string
}): string {
  const { path, title, body, sections } = page
  const href = (target: string) => posix.relative(posix.dirname(path), page.hrefOfPage(target))
  const up = posix.relative(posix.dirname(path), '.')
  const root = up === '' ? '' : `${up}/`
  const entries = sections.flatMap(({ groups }) => groups.flatMap((group) => group.entries))
  const at = entries.findIndex((entry) => entry.page === path)
  const neighbour = (entry: Entry | undefined, rel: string) =>
    at < 0 || entry === undefined ? '' : `<a rel="${rel}" href="${href(entry.page)}">${text(entry.title)}</a>`
  const item = (entry: Entry) =>
    `<li><a href="${href(entry.page)}"${entry.page === path ? ' aria-current="page"' : ''}>${text(entry.title)}</a></li>`
  const nav = sections.map(
    (section) =>
      `<h2>${text(section.title)}</h2>` +
      section.groups
        .map((group) => {
          const heading = group.title === null ? '' : `<h3>${text(group.title)}</h3>`
          return `${heading}<ul>${group.entries.map(item).join('')}</ul>`
        })
        .join(''),
  )
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)} - mizani</title>
<link rel="stylesheet" href="${root}assets/page.css">
<script defer src="${root}assets/page.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="${root}index.html">mizani</a>
<input id="search" type="search" placeholder="Search: press /" aria-label="Search the documentation" autocomplete="off">
<ol id="results" hidden></ol>
</header>
<div class="columns">
<nav aria-label="Pages"><details open><summary>Pages</summary>${nav.join('\n')}</details></nav>
<main id="content">
${body}<footer>${neighbour(entries[at - 1], 'prev')} ${neighbour(entries[at + 1], 'next')}</footer>
</main>
</div>
</body>
</html>
`
}

function text(raw: string): string {
  return raw.replaceAll('`', '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
