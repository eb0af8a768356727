import type { PositionView } from '../../../view/position-view.ts'
import { ageText } from '../text/age-text.ts'

/** How far the quote that is shown is what stands at the venue: a word, and a sentence. */
export type Belief = { readonly tone: string; readonly word: string; readonly text: string }

const SIGNS = { known: '✓', unknown: '?', differs: '≠' } as const
const TEXTS = {
  known: 'known: the venue confirmed it',
  unknown: 'unknown: what stands at the venue is being read back',
  differs: 'differs: the venue holds something else than was sent',
} as const

/** A dry run sends no quote, and without pooled capital there is none to send: neither is known or unknown. */
export function beliefOf({ quote, mode, rfq, now }: PositionView): Belief {
  if (rfq !== null) {
    const text = 'Nothing is pooled, so the venue quotes nothing for us; orders are signed instead.'
    return { tone: '', word: 'signed orders instead', text }
  }
  if (mode === 'dry-run') {
    return {
      tone: '',
      word: 'dry run: not sent',
      text: 'The quote is decided and not sent: this is a dry run.',
    }
  }
  const { believed, confirmedAt } = quote
  const when = confirmedAt === null ? '; nothing was confirmed yet' : `, ${ageText(now - confirmedAt)} ago`
  return {
    tone: believed,
    word: `${SIGNS[believed]} ${believed}`,
    text: `The quote is ${TEXTS[believed]}${when}.`,
  }
}
