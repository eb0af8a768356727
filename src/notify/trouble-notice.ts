import type { Notice } from './notice.ts'

/** A notice of now that comes from the shell: a step in the daemon's life, a disk, a thread. */
export function troubleNotice(severity: Notice['severity'], code: string, text: string): Notice {
  return { t: Date.now(), kind: 'raised', severity, code, text, since: null }
}
