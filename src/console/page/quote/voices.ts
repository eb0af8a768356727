import type { ReferenceView } from '../../../view/position-view.ts'

/** Who else says what the dollar is worth: the note under the fair value. */
export function voicesText({ feeds, deviationBps, standsAlone }: ReferenceView): string {
  if (standsAlone) return `the venue’s word stands alone${feeds.length === 0 ? '' : ': no feed is live'}`
  const live = feeds.filter(({ status }) => status === 'live').length
  const voices = `${live} of ${feeds.length} ${feeds.length === 1 ? 'feed' : 'feeds'} live`
  if (deviationBps === null) return voices
  return `${voices}; mid ${deviationBps < 0 ? '' : '+'}${deviationBps.toFixed(1)} bps from them`
}

/** Bad where feeds are configured and none is live, and where the venue is too far from them. */
export function voicesTone({
  feeds,
  deviationBps,
  limitBps,
  standsAlone,
}: ReferenceView): 'note' | 'note bad' {
  const isFar = deviationBps !== null && limitBps !== null && Math.abs(deviationBps) > limitBps
  return isFar || (standsAlone && feeds.length > 0) ? 'note bad' : 'note'
}
