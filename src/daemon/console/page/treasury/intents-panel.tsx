import { useState } from 'preact/hooks'
import type { IntentView } from '../../../view/treasury/intent-view.ts'
import { registeredWords } from '../../../view/treasury/payee-words.ts'
import { ConfirmDialog } from '../actions/confirm-dialog.tsx'
import { Panel } from '../panel.tsx'
import { shownAge, shownDecimal, shownTime } from '../text.ts'
import { ApproveDialog } from './approve-dialog.tsx'
import { missingText, moveText, plainWords, shownMoney, stageText } from './intent-text.ts'
import type { ShownTreasury } from './use-treasury.ts'

type Props = { readonly view: ShownTreasury; readonly takesCommands: boolean; readonly onDone: () => void }

/** Intents in progress or waiting, and payments that a person has to make. */
export function IntentsPanel({ view, takesCommands, onDone }: Props) {
  const { intents, expectedPayments, now } = view
  return (
    <Panel id="intents" title="In transit and waiting" unit={`${intents.length} open`}>
      {expectedPayments.map((payment) => (
        <p key={payment.intent} class={payment.isOverdue ? 'bad' : 'warn'}>
          <b>Pay {shownMoney(payment.amount)}</b> with reference{' '}
          <code>{payment.reference ?? 'as instructed'}</code> {payment.isOverdue ? 'overdue since' : 'by'}{' '}
          {shownTime(payment.by, now)}: {payment.instructions}
        </p>
      ))}
      {intents.length === 0 && <p class="note">No money is on its way.</p>}
      {intents.map((intent) => (
        <Intent key={intent.id} intent={intent} view={view} takesCommands={takesCommands} onDone={onDone} />
      ))}
    </Panel>
  )
}

const STOPS = {
  cancel: {
    verb: 'Cancel',
    effect: 'Payments that were not sent are dropped. A payment that was sent cannot be recalled.',
  },
  hold: { verb: 'Hold', effect: 'Nothing more is sent for it until it is approved again.' },
} as const

type IntentProps = Props & { readonly intent: IntentView }
type Dialogs = 'approve' | keyof typeof STOPS | null

function Intent({ intent, view, takesCommands, onDone }: IntentProps) {
  const [dialog, setDialog] = useState<Dialogs>(null)
  const { envelope, approval, expected, stage, why, id, isHeld, registered, legs } = intent
  const name = registeredWords(registered)
  const payee = legs.find((leg) => leg.payee !== null)?.payee ?? ''
  const waits = (approval.isNeeded && approval.missing > 0) || isHeld
  const close = () => {
    setDialog(null)
    onDone()
  }
  return (
    <article class="intent">
      <h3 title={`intent ${id}`}>
        {moveText(intent)}
        <span class={waits ? 'warn' : 'unit'}>{stageText(stage)}</span>
      </h3>
      <p class="note">
        {why.includes(' ') && `${plainWords(why)}. `}Expected {shownTime(expected.arrivesAt, view.now)}
        {expected.isLate ? ', late' : ''}, costs {shownDecimal(expected.costTzs, 0)} TZS.
      </p>
      {registered !== null && <p class={name.isFault ? 'bad' : 'note'}>{`${payee}: ${name.words}`}</p>}
      {approval.missing > 0 && <p class="warn">{missingText(intent, view.approvers)}</p>}
      {approval.notBefore > view.now && (
        <p class="warn">Nothing leaves for another {shownAge(approval.notBefore - view.now)}.</p>
      )}
      <Timeline intent={intent} now={view.now} />
      {takesCommands && <Buttons waits={waits} isHeld={isHeld} choose={setDialog} />}
      {dialog === 'approve' && <ApproveDialog intent={intent} view={view} onClose={close} />}
      {(dialog === 'cancel' || dialog === 'hold') && (
        <ConfirmDialog
          title={`${STOPS[dialog].verb} ${shownMoney(envelope.mostSpent)} to ${envelope.destination}?`}
          label={`${STOPS[dialog].verb} it`}
          isGrave={dialog === 'cancel'}
          command={`treasury/${dialog}`}
          body={{ position: view.position, intent: id }}
          onClose={close}
        >
          <p>{STOPS[dialog].effect}</p>
        </ConfirmDialog>
      )}
    </article>
  )
}

type ButtonsProps = {
  readonly waits: boolean
  readonly isHeld: boolean
  readonly choose: (dialog: Dialogs) => void
}

function Buttons({ waits, isHeld, choose }: ButtonsProps) {
  return (
    <div class="buttons">
      {waits && (
        <button type="button" class="primary" onClick={() => choose('approve')}>
          Approve
        </button>
      )}
      <button type="button" class="grave" onClick={() => choose('cancel')}>
        Cancel
      </button>
      {!isHeld && (
        <button type="button" onClick={() => choose('hold')}>
          Hold
        </button>
      )}
    </div>
  )
}

/** The history of an intent, step by step. */
export function Timeline({ intent, now }: { readonly intent: IntentView; readonly now: number }) {
  return (
    <ol class="timeline">
      {intent.timeline.map(({ at, step, what, text }) => (
        <li key={`${at}${what}${step}${text}`}>
          <time>{shownTime(at, now)}</time>
          {step === null ? '' : `step ${step} of ${intent.legs.length} `}
          {what === 'ended' ? '' : `${what}: `}
          {plainWords(text)}
        </li>
      ))}
    </ol>
  )
}

/** Ended intents, newest first. */
export function EndedPanel({ view }: { readonly view: ShownTreasury }) {
  const { ended, now } = view
  return (
    <Panel id="ended" title="History">
      {ended.slice(0, 20).map((intent) => (
        <details key={intent.id} class="intent">
          <summary>
            {shownTime(intent.endedAt, now)}: {moveText(intent)}, {stageText(intent.stage)}
          </summary>
          <Timeline intent={intent} now={now} />
        </details>
      ))}
    </Panel>
  )
}
