/** HTML or SVG that is safe to write; only `markup` creates it. */
export type Markup = { readonly html: string }

/**
 * A template tag: the template itself is HTML or SVG, and every inserted text is escaped for contents and quoted
 * attributes. Lists are joined; null inserts nothing. Control characters that HTML forbids become the replacement
 * character.
 */
export function markup(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Markup | readonly Markup[] | null)[]
): Markup {
  const html = parts.reduce((before, part, index) => before + htmlOf(values[index - 1] ?? null) + part)
  return { html }
}

function htmlOf(value: string | number | Markup | readonly Markup[] | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return escapeText(value)
  return 'html' in value ? value.html : value.map(({ html }) => html).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return (
    text
      .toWellFormed()
      // Every control character that is not white space.
      .replaceAll(/[^\P{Cc}\t\n\r]/gu, '\ufffd')
      .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
  )
}
