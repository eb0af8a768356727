/**
 * The scales: where the inventory stands between all shillings (left) and all dollars (right), `^` the
 * target and `O` the position. Shares from 0 to 1.
 */
export function scaleBar(share: number, target: number, width: number): string {
  const cells = Math.max(3, width)
  const cellOf = (part: number) => Math.min(cells - 1, Math.max(0, Math.round(part * (cells - 1))))
  const bar = Array.from({ length: cells }, () => '-')
  bar[cellOf(target)] = '^'
  bar[cellOf(share)] = 'O'
  return `[${bar.join('')}]`
}
