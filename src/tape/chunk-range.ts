import type { ColumnMetaData } from 'hyparquet'

/** Where in its file a column of a row group lies; NaN where the footer does not say. */
export function chunkRange(meta: ColumnMetaData | undefined): { readonly from: number; readonly to: number } {
  const dictionary = meta?.dictionary_page_offset
  const from = Number(dictionary !== undefined && dictionary > 0n ? dictionary : meta?.data_page_offset)
  return { from, to: from + Number(meta?.total_compressed_size) }
}
