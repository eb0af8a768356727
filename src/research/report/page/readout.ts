import type uPlot from 'uplot'
import { figureText } from '../figures/figure.ts'

/** The legend of a figure: it shows the last values, or the values under the cursor. */
export type Readout = {
  readonly rest: () => void
  /** `at` precedes the values; `valueOf` returns the value of a line by its number, from 1. */
  readonly show: (at: string, valueOf: (line: number) => number | null | undefined) => void
  /** Returns the text for a screen reader. */
  readonly words: () => string
  /** A line's button hides and shows the line in `u`. */
  readonly listen: (u: uPlot) => void
}

const MISSING = '–'

export function createReadout(figure: Element, digits: number): Readout {
  const when = only(figure, '.when')
  const buttons = [...figure.querySelectorAll<HTMLButtonElement>('button[data-line]')]
  const band = figure.querySelector<HTMLElement>('[data-band] b')
  const lines = buttons.map((button) => only(button, 'b'))
  const values = band === null ? lines : [...lines, band]
  const live = [when, ...values]
  const atRest = live.map(({ textContent }) => textContent)
  for (const element of values) element.style.minWidth = `${element.textContent.length}ch`
  return {
    rest: () => live.forEach((element, index) => (element.textContent = atRest[index] ?? '')),
    show(at, valueOf) {
      when.textContent = at
      lines.forEach((line, index) => (line.textContent = readoutText(valueOf(index + 1), digits)))
      if (band === null) return
      const [low, high] = [valueOf(buttons.length + 1), valueOf(buttons.length + 2)]
      band.textContent = `${readoutText(low, digits)} to ${readoutText(high, digits)}`
    },
    words: () =>
      [when, ...figure.querySelectorAll('button[aria-pressed=true], [data-band]')]
        .map(({ textContent }) => textContent.trim().replaceAll(/\s+/g, ' '))
        .filter((text) => text !== '')
        .join('; '),
    listen: (u) => buttons.forEach((button) => listenTo(button, u)),
  }
}

/** Returns a value as in the report's text; a gap is a dash. */
export function readoutText(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined || !Number.isFinite(value)
    ? MISSING
    : figureText(value, digits)
}

export function intervalText([low, high]: readonly [number, number], digits: number): string {
  return `${readoutText(low, digits)} to ${readoutText(high, digits)}`
}

/** Returns the only element of a selector; the report's markup always has it. */
export function only(root: ParentNode, selector: string): HTMLElement {
  const element = root.querySelector<HTMLElement>(selector)
  if (element === null) throw new Error(`the report has no ${selector}`)
  return element
}

function listenTo(button: HTMLButtonElement, u: uPlot): void {
  button.addEventListener('click', () => {
    const isShown = button.getAttribute('aria-pressed') !== 'true'
    button.setAttribute('aria-pressed', String(isShown))
    u.setSeries(Number(button.dataset['line']), { show: isShown })
  })
}
