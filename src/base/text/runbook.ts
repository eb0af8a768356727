import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the documentation: in a checkout next to `src`, in the image next to the bundle. */
export function docsFolder(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? '../../../docs/' : './docs/', import.meta.url)
}

/** Returns this build's runbook in Markdown, its pages in one without the index. Throws the file system's errors. */
export function readRunbook(): string {
  const docs = fileURLToPath(docsFolder())
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
