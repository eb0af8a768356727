import type { ComponentChildren } from 'preact'

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
      </h2>
      {children}
    </section>
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
