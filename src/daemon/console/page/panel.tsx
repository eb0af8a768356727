import type { ComponentChildren } from 'preact'
import { HELP, HELP_PAGES } from './help.ts'

type PanelProps = {
  /** The id of the heading. */
  readonly id: string
  readonly class?: string
  readonly title: ComponentChildren
  /** Small text after the title. */
  readonly unit?: ComponentChildren
  /** Appended to the heading. */
  readonly mark?: ComponentChildren
  readonly children: ComponentChildren
}

/** A section of the page under its heading. */
export function Panel({ id, title, unit, mark, children, ...props }: PanelProps) {
  return (
    <section class={`panel ${props.class ?? ''}`} aria-labelledby={id}>
      <h2 id={id}>
        {title} {unit !== undefined && <span class="unit">{unit}</span>}
        {mark}
        <Help id={id} />
      </h2>
      {children}
    </section>
  )
}

/** Explains a panel on request: a tooltip that touch and keyboard open too. */
export function Help({ id }: { readonly id: string }) {
  const text = HELP[id]
  const page = HELP_PAGES[id]
  if (text === undefined) return null
  return (
    <details class="help">
      <summary aria-label="About this panel">?</summary>
      <p>
        {text}{' '}
        {page !== undefined && (
          <a href={`/docs/${page}`} target="_blank" rel="noopener noreferrer">
            More
          </a>
        )}
      </p>
    </details>
  )
}

type RowProps = {
  readonly name: ComponentChildren
  readonly tone?: string | undefined
  readonly children: ComponentChildren
}

/** A name with its value, in a definition list. */
export function Row({ name, tone, children }: RowProps) {
  return (
    <div class={tone}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
