import { numberText } from './number-text.js'

/**
 * The legend of a figure: at rest it shows the last values, under the cursor those that hold there. A line's
 * button hides and shows the line.
 */
export function createReadout(figure, digits) {
  const when = figure.querySelector('.when')
  const buttons = [...figure.querySelectorAll('button[data-line]')]
  const band = figure.querySelector('[data-band] b')
  const values = [...buttons.map((button) => button.querySelector('b')), ...(band ? [band] : [])]
  const live = [when, ...values]
  const atRest = live.map((element) => element.textContent)
  for (const element of values) element.style.minWidth = `${element.textContent.length}ch`
  const rest = () => live.forEach((element, index) => (element.textContent = atRest[index]))
  /** `at` is what stands before the values; `valueOf` gives the value of a line by its number, from 1. */
  const show = (at, valueOf) => {
    when.textContent = at
    buttons.forEach((button, index) => (values[index].textContent = numberText(valueOf(index + 1), digits)))
    if (band === null) return
    const [low, high] = [valueOf(buttons.length + 1), valueOf(buttons.length + 2)]
    band.textContent = `${numberText(low, digits)} to ${numberText(high, digits)}`
  }
  const words = () =>
    [when, ...figure.querySelectorAll('button[aria-pressed=true], [data-band]')]
      .map((element) => element.textContent.trim().replaceAll(/\s+/g, ' '))
      .filter((text) => text !== '')
      .join('; ')
  return { rest, show, words, listen: (u) => buttons.forEach((button) => listenTo(button, u)) }
}

function listenTo(button, u) {
  button.addEventListener('click', () => {
    const shown = button.getAttribute('aria-pressed') !== 'true'
    button.setAttribute('aria-pressed', String(shown))
    u.setSeries(Number(button.dataset.line), { show: shown })
  })
}
