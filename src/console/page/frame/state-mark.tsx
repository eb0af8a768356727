import type { Tone } from './standing.ts'

const SHAPES: { readonly [tone in Tone]: string } = {
  good: 'M12 2a10 10 0 1 1 0 20a10 10 0 0 1 0-20z',
  warn: 'M12 2L23 21H1z',
  bad: 'M7.5 1.5h9L22.5 7.5v9l-6 6h-9l-6-6v-9z',
  unknown: 'M12 2a10 10 0 1 1 0 20a10 10 0 0 1 0-20zm0 4a6 6 0 1 0 0 12a6 6 0 0 0 0-12z',
}
const SIGNS: { readonly [tone in Tone]: string } = {
  good: 'M7 12.5l3.4 3.4L17 9',
  warn: 'M12 9v5M12 17.2v.6',
  bad: 'M8 8l8 8M16 8l-8 8',
  unknown: '',
}

/** A shape for each tone, so that colour alone says nothing: disc, triangle, octagon, ring. */
export function StateMark({ tone }: { readonly tone: Tone }) {
  return (
    <svg class={`mark ${tone}`} viewBox="0 0 24 24" aria-hidden="true">
      <path class="shape" d={SHAPES[tone]} />
      <path class="sign" d={SIGNS[tone]} />
    </svg>
  )
}
