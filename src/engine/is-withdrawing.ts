import type { EngineState } from './engine-state.ts'

/** Whether a withdrawal is under way: until it is answered nobody knows where its tokens are. */
export function isWithdrawing({ requests }: EngineState): boolean {
  return Object.values(requests).some((request) => request.what === 'withdraw')
}
