import type { FlowState, ShownFill } from './model/state.ts'

const LAST = 20

/** Keeps a fill for people to see. */
export function showFill(flow: FlowState, shown: ShownFill): void {
  flow.last.unshift(shown)
  if (flow.last.length > LAST) flow.last.pop()
}
