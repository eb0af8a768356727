import { createHash } from 'node:crypto'

/**
 * The policy of a page that is whole in itself: nothing is loaded, nothing is sent, and only the scripts and
 * styles with these very texts run. `data:` pictures are allowed for the empty icon that keeps browsers from
 * asking a server for one.
 */
export function contentSecurityPolicy(scripts: readonly string[], styles: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.map(hashOf).join(' ')}`,
    `style-src ${styles.map(hashOf).join(' ')}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
