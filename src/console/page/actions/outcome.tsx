import type { ActionState } from './use-action.ts'

/** What the daemon answered, in its own words. */
export function Outcome({ state }: { readonly state: ActionState }) {
  return (
    <div role="alert" class="outcome">
      {state.phase === 'failed' && <p class="bad">{state.message}</p>}
      {state.phase === 'done' && <p class="good">{state.answer}</p>}
    </div>
  )
}
