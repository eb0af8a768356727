import { expect, test } from 'vitest'
import { voicesText, voicesTone } from '../../../../../src/daemon/console/page/quote/quote-panel.tsx'
import type { FeedView, ReferenceView } from '../../../../../src/daemon/view/market-view.ts'
import { exampleView } from '../../telemetry/example-view.ts'

const bank: FeedView = {
  name: 'bank',
  status: 'live',
  mid: '2500',
  ageMs: 1_000,
  datedAt: null,
  weight: 1,
  problem: null,
  judgement: null,
}
const silent: FeedView = { ...bank, name: 'desk', status: 'silent' }

function voices(change: Partial<ReferenceView>): readonly [string, string] {
  const view = { ...exampleView().reference, ...change }
  return [voicesText(view), voicesTone(view)]
}

test('a venue without a feed stands alone, quietly; one whose feeds are all gone stands alone in red', () => {
  expect(voices({})).toEqual(['no other source confirms the venue’s rate', 'note'])
  expect(voices({ feeds: [silent] })).toEqual([
    'no other source confirms the venue’s rate: no feed is live',
    'note bad',
  ])
})

test('live feeds are counted, and a mid too far from them is in red', () => {
  const received = { standsAlone: false, mid: '2500', errorBps: 0, feeds: [bank, silent] }
  expect(voices({ ...received, deviationBps: 12.34 })).toEqual([
    '1 of 2 feeds live; mid +12.3 bps from them',
    'note',
  ])
  expect(voices({ ...received, feeds: [bank], deviationBps: -301 })).toEqual([
    '1 of 1 feed live; mid -301.0 bps from them',
    'note bad',
  ])
  expect(voices({ ...received, deviationBps: null })).toEqual(['1 of 2 feeds live', 'note'])
})
