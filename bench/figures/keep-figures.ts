import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderPage, type Figures } from './render-page.ts'

const ROOT = join(import.meta.dirname, '../..')
export const FIGURES_FILE = join(ROOT, 'bench/figures.json')
export const FIGURES_PAGE = join(ROOT, 'docs/figures.md')

/** What `npm run bench -- --figures` kept, by bench. */
export function readFigures(): Figures {
  return JSON.parse(readFileSync(FIGURES_FILE, 'utf8')) as Figures
}

/** Puts a bench's result in the place of its last one, and renders the page of the figures again. */
export function keepFigures(
  bench: string,
  machine: Record<string, unknown>,
  result: Record<string, unknown>,
): void {
  const figures: Figures = { ...readFigures(), [bench]: { machine, result } }
  const page = renderPage(readFileSync(FIGURES_PAGE, 'utf8'), figures)
  writeFileSync(FIGURES_FILE, JSON.stringify(figures, null, 2) + '\n')
  writeFileSync(FIGURES_PAGE, page)
}
