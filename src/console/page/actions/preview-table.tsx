import type { PreviewAnswer, PreviewedQuote } from '../../api/api-types.ts'
import { Column, TableHead } from '../frame/table-head.tsx'
import { numberText } from '../text/number-text.ts'

/** The quote before and after, with why. */
export function PreviewTable({ preview }: { readonly preview: PreviewAnswer }) {
  const { before, after, problem } = preview
  if (after === null) return <p class="bad">{problem ?? 'It cannot be tried.'}</p>
  return (
    <div class="preview">
      <table>
        <TableHead>
          <Column>What would stand</Column>
          <Column number>Now</Column>
          <Column number>Then</Column>
        </TableHead>
        <tbody>
          <tr>
            <th scope="row">Bid, bps</th>
            <Pair before={side(before.bidBps)} after={side(after.bidBps)} />
          </tr>
          <tr>
            <th scope="row">Ask, bps</th>
            <Pair before={side(before.askBps)} after={side(after.askBps)} />
          </tr>
          <tr>
            <th scope="row">State</th>
            <Pair before={before.tradingState} after={after.tradingState} />
          </tr>
        </tbody>
      </table>
      <Because quote={after} />
      {problem !== null && <p class="warn">{problem}</p>}
    </div>
  )
}

function Pair({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <>
      <td class="number">{before}</td>
      <td class={`number ${before === after ? '' : 'changed'}`}>{after}</td>
    </>
  )
}

function Because({ quote }: { readonly quote: PreviewedQuote }) {
  return (
    <ol class="because">
      {quote.because.map((line, index) => (
        <li key={index}>{line}</li>
      ))}
    </ol>
  )
}

function side(bps: number | null): string {
  return bps === null ? 'off' : numberText(bps, 0)
}
