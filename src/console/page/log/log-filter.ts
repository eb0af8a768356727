import type { NoticeRow } from '../../api/api-types.ts'

/** Empty = all. */
export type LogFilter = { readonly severity: string; readonly kind: string; readonly text: string }

export const NO_FILTER: LogFilter = { severity: '', kind: '', text: '' }

/** Whether a line that came over the stream is one of those asked for; the store asks itself. */
export function passesFilter(notice: NoticeRow, { severity, kind, text }: LogFilter): boolean {
  return (
    (severity === '' || notice.severity === severity) &&
    (kind === '' || notice.kind === kind) &&
    notice.text.toLowerCase().includes(text.toLowerCase())
  )
}
