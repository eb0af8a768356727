import { decimalText } from '../text/decimal-text.ts'

export type PnlTerm = { readonly name: string; readonly text: string }

const HALF = 100

/** The terms of the PnL as bars from a common zero: what earned to the right, what cost to the left. */
export function PnlBars({ terms, total }: { readonly terms: readonly PnlTerm[]; readonly total: string }) {
  const longest = Math.max(
    ...[...terms.map(({ text }) => text), total].map((text) => Math.abs(Number(text))),
    1,
  )
  return (
    <table class="bars">
      <thead class="unseen">
        <tr>
          <th scope="col">Term</th>
          <th scope="col">Bar</th>
          <th scope="col">TZS</th>
        </tr>
      </thead>
      <tbody>
        {terms.map(({ name, text }) => (
          <Bar key={name} name={name} text={text} longest={longest} />
        ))}
      </tbody>
      <tfoot>
        <Bar name="Total" text={total} longest={longest} />
      </tfoot>
    </table>
  )
}

function Bar({ name, text, longest }: PnlTerm & { readonly longest: number }) {
  const length = (Number(text) / longest) * HALF
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="bar">
        <svg viewBox="0 0 200 12" preserveAspectRatio="none" aria-hidden="true">
          <rect
            class={length < 0 ? 'minus' : 'plus'}
            x={length < 0 ? HALF + length : HALF}
            y={1}
            width={Math.abs(length)}
            height={10}
          />
          <path d="M100 0V12" />
        </svg>
      </td>
      <td class="number" title={`${text} TZS`}>
        {decimalText(text, 0, true)}
      </td>
    </tr>
  )
}
