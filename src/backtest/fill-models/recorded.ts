import type { FillModel } from '../fill-model.ts'

/**
 * Only what was recorded, and of that only what our quote would have won for certain: a fill made at
 * spread d0 says that this taker accepts d0, and nothing about anything wider. Nobody is added when we are
 * narrower. The most careful model, and the default.
 */
export function createRecorded(): FillModel {
  return {
    name: 'recorded',
    usesRecorded: true,
    takes: ({ recordedBps }, { ownBps }) => recordedBps === null || ownBps <= recordedBps,
  }
}
